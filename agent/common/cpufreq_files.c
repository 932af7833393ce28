/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/cpufreq_files.h"

#include "lib/sorted.h"
#include "lib/timetext.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_MAX        4096 /* bytes; a sysfs file has one page */
#define FREQUENCIES_MAX 512
#define OPEN_TRIES      10000

int cpufreq_open(const char *tree) {
        int fd = open(tree, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        return fd < 0 ? -errno : fd;
}

/* Opens a file below folder; cpuN/cpufreq may be a link to ../cpufreq/policyN. While a file is
   renamed anywhere, the kernel cannot check ".." and returns EAGAIN. */
static int open_beneath(int folder, const char *name, uint64_t flags, uint64_t resolve) {
        struct open_how how = { .flags = flags | O_CLOEXEC,
                .resolve = resolve | RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
        long fd = -1;

        for (int i = 0; i < OPEN_TRIES; i++) {
                fd = syscall(SYS_openat2, folder, name, &how, sizeof how);
                if (fd >= 0 || errno != EAGAIN)
                        break;
        }
        return fd < 0 ? -errno : (int)fd;
}

static int open_policy(int tree, uint32_t cpu) {
        char name[64];

        snprintf(name, sizeof name, "cpu%u/cpufreq", cpu);
        return open_beneath(tree, name, O_PATH | O_DIRECTORY, 0);
}

static int read_text(int folder, const char *name, char ret[static FILE_MAX]) {
        _cleanup_close_ int fd = open_beneath(folder, name, O_RDONLY | O_NOCTTY,
                        RESOLVE_NO_SYMLINKS);
        ssize_t n = fd < 0 ? -1 : read(fd, ret, FILE_MAX - 1);
        int r = fd < 0 ? fd : n < 0 ? -errno : 0;

        ret[r < 0 ? 0 : n] = 0;
        ret[strcspn(ret, "\n")] = 0;
        return r;
}

static int read_number(int folder, const char *name, uint32_t *ret) {
        char text[FILE_MAX];
        uint64_t n = 0;
        int r = read_text(folder, name, text);

        if (r >= 0 && uint_parse(text, 0, CPU_FREQ_KHZ_MAX, &n) < 0)
                r = -EBADMSG;
        *ret = (uint32_t)n;
        return r;
}

static int write_text(int folder, uint32_t policy, const char *name, const char *text,
                struct fail *fail) {
        _cleanup_close_ int fd = open_beneath(folder, name, O_WRONLY | O_TRUNC | O_NOCTTY,
                        RESOLVE_NO_SYMLINKS);
        ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
        int r = fd < 0 ? fd : n < 0 ? -errno : 0;

        return r < 0 ? fail_set(fail, r, "cannot write %s to %s of CPU %u: %s", text, name, policy,
                                       strerror(-r))
                     : 0;
}

static int write_number(int folder, uint32_t policy, const char *name, uint32_t n,
                struct fail *fail) {
        char text[16];

        snprintf(text, sizeof text, "%u", n);
        return write_text(folder, policy, name, text, fail);
}

int cpufreq_policy(int tree, uint32_t cpu, uint32_t *ret_policy) {
        _cleanup_close_ int folder = open_policy(tree, cpu);
        char text[FILE_MAX], *end;

        *ret_policy = cpu;
        if (folder < 0)
                return folder;
        if (read_text(folder, "affected_cpus", text) < 0)
                return 0;
        unsigned long first = strtoul(text, &end, 10);
        if (end > text && first < cpu)
                *ret_policy = (uint32_t)first;
        return 0;
}

static int cannot_read(uint32_t policy, const char *name, int r, struct fail *fail) {
        return fail_set(fail, r, "cannot read %s of CPU %u: %s", name, policy, strerror(-r));
}

int cpufreq_read(int tree, uint32_t policy, struct cpufreq_state *ret, struct fail *fail) {
        _cleanup_close_ int folder = open_policy(tree, policy);
        char governor[FILE_MAX];

        *ret = (struct cpufreq_state){ 0 };
        int r = folder < 0 ? folder : read_text(folder, "scaling_governor", governor);
        if (r < 0)
                return cannot_read(policy, "scaling_governor", r, fail);
        snprintf(ret->governor, sizeof ret->governor, "%.31s", governor);
        r = read_number(folder, "scaling_min_freq", &ret->min);
        if (r < 0)
                return cannot_read(policy, "scaling_min_freq", r, fail);
        r = read_number(folder, "scaling_max_freq", &ret->max);
        if (r < 0)
                return cannot_read(policy, "scaling_max_freq", r, fail);
        if (streq(ret->governor, "userspace"))
                (void)read_number(folder, "scaling_setspeed", &ret->speed);
        return 0;
}

/* ---- capabilities of the policy ---- */

static bool has_word(const char *list, const char *word) {
        size_t n = strlen(word);

        for (const char *p = list; (p = strstr(p, word)); p += n)
                if ((p == list || p[-1] == ' ') && (p[n] == 0 || p[n] == ' '))
                        return true;
        return false;
}

static int check_governor(int folder, uint32_t policy, enum cpu_governor g, struct fail *fail) {
        char list[FILE_MAX];

        if (read_text(folder, "scaling_available_governors", list) < 0 ||
                        has_word(list, cpu_governor_kernel_name(g)))
                return 0;
        return fail_set(fail, -ENOTSUP, "CPU %u has no governor %s; it has %.200s", policy,
                        cpu_governor_name(g), list);
}

struct frequencies {
        uint32_t list[FREQUENCIES_MAX]; /* ascending */
        size_t n;
        bool any; /* any frequency between the first and the last is possible */
};

static int read_frequencies(int folder, uint32_t policy, struct frequencies *f, struct fail *fail) {
        char text[FILE_MAX], *rest = text, *word;
        uint64_t khz;

        *f = (struct frequencies){ 0 };
        if (read_text(folder, "scaling_available_frequencies", text) >= 0)
                while ((word = strsep(&rest, " ")) && f->n < FREQUENCIES_MAX)
                        if (uint_parse(word, 1, CPU_FREQ_KHZ_MAX, &khz) >= 0)
                                f->list[f->n++] = (uint32_t)khz;
        if (f->n > 0) {
                list_sort(f->list, f->n, sizeof f->list[0], number_compare);
                return 0;
        }
        f->any = true;
        f->n = 2;
        int r = read_number(folder, "cpuinfo_min_freq", &f->list[0]);
        if (r >= 0)
                r = read_number(folder, "cpuinfo_max_freq", &f->list[1]);
        return r < 0 ? cannot_read(policy, "cpuinfo_min_freq and cpuinfo_max_freq", r, fail) : 0;
}

static uint32_t frequency_of(const struct frequencies *f, uint32_t asked) {
        uint32_t least = f->list[0], most = f->list[f->n - 1];

        switch (asked) {
        case CPU_FREQ_LOW:
                return least;
        case CPU_FREQ_MEDIUM:
                return f->any ? least + (most - least) / 2 : f->list[(f->n - 1) / 2];
        case CPU_FREQ_HIGHM1:
                return f->any || f->n == 1 ? most : f->list[f->n - 2];
        case CPU_FREQ_HIGH:
                return most;
        }
        if (f->any)
                return MIN(MAX(asked, least), most);
        for (size_t i = 0; i < f->n; i++)
                if (f->list[i] >= asked)
                        return f->list[i];
        return most;
}

/* ---- setting a policy ---- */

/* Sets minimum and maximum in the right order: the kernel refuses a minimum above the maximum. */
static int write_range(int folder, uint32_t policy, uint32_t min, uint32_t max, struct fail *fail) {
        uint32_t now_max = 0;
        int r = read_number(folder, "scaling_max_freq", &now_max);
        bool up = r >= 0 && min > now_max;

        r = up ? write_number(folder, policy, "scaling_max_freq", max, fail)
               : write_number(folder, policy, "scaling_min_freq", min, fail);
        if (r < 0)
                return r;
        return up ? write_number(folder, policy, "scaling_min_freq", min, fail)
                  : write_number(folder, policy, "scaling_max_freq", max, fail);
}

int cpufreq_apply(int tree, uint32_t policy, const struct cpu_freq *f, struct fail *fail) {
        _cleanup_close_ int folder = open_policy(tree, policy);
        enum cpu_governor g = cpu_freq_governor(f);
        struct frequencies has;
        uint32_t min = 0, max = 0;
        int r = folder < 0 ? cannot_read(policy, "cpufreq", folder, fail) : 0;

        if (r >= 0 && g)
                r = check_governor(folder, policy, g, fail);
        if (r >= 0 && f->max) {
                r = read_frequencies(folder, policy, &has, fail);
                if (r >= 0) {
                        max = frequency_of(&has, f->max);
                        min = f->min ? MIN(frequency_of(&has, f->min), max) : max;
                }
        }
        if (r >= 0 && g)
                r = write_text(folder, policy, "scaling_governor", cpu_governor_kernel_name(g),
                                fail);
        if (r >= 0 && f->max)
                r = write_range(folder, policy, min, max, fail);
        if (r >= 0 && g == GOVERNOR_USERSPACE && f->max)
                r = write_number(folder, policy, "scaling_setspeed", max, fail);
        return r;
}

int cpufreq_restore(int tree, uint32_t policy, const struct cpufreq_state *state,
                struct fail *fail) {
        _cleanup_close_ int folder = open_policy(tree, policy);
        int r = folder < 0 ? cannot_read(policy, "cpufreq", folder, fail)
                           : write_text(folder, policy, "scaling_governor", state->governor, fail);

        if (r >= 0)
                r = write_range(folder, policy, state->min, state->max, fail);
        if (r >= 0 && state->speed)
                r = write_number(folder, policy, "scaling_setspeed", state->speed, fail);
        return r;
}
