/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step/cpufreq.h"

#include "lib/timetext.h"

#include <strings.h>

#define CPU_FREQ_TEXT_MAX 100

static const struct {
        const char *name, *kernel;
} governors[GOVERNOR_MAX] = {
        [GOVERNOR_NONE] = { "", "" },
        [GOVERNOR_CONSERVATIVE] = { "Conservative", "conservative" },
        [GOVERNOR_ONDEMAND] = { "OnDemand", "ondemand" },
        [GOVERNOR_PERFORMANCE] = { "Performance", "performance" },
        [GOVERNOR_POWERSAVE] = { "PowerSave", "powersave" },
        [GOVERNOR_SCHEDUTIL] = { "SchedUtil", "schedutil" },
        [GOVERNOR_USERSPACE] = { "UserSpace", "userspace" },
};

static const struct {
        const char *name;
        uint32_t frequency;
} words[] = {
        { "Low", CPU_FREQ_LOW },
        { "Medium", CPU_FREQ_MEDIUM },
        { "Highm1", CPU_FREQ_HIGHM1 },
        { "High", CPU_FREQ_HIGH },
};

const char *cpu_governor_name(enum cpu_governor g) {
        return governors[g].name;
}

const char *cpu_governor_kernel_name(enum cpu_governor g) {
        return governors[g].kernel;
}

static enum cpu_governor governor_find(const char *word) {
        for (enum cpu_governor g = GOVERNOR_CONSERVATIVE; g < GOVERNOR_MAX; g++)
                if (strcasecmp(word, governors[g].name) == 0)
                        return g;
        return GOVERNOR_NONE;
}

/* Returns the frequency of a word or number; 0: neither. */
static uint32_t frequency_find(const char *word) {
        uint64_t khz;

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strcasecmp(word, words[i].name) == 0)
                        return words[i].frequency;
        return uint_parse(word, 1, CPU_FREQ_KHZ_MAX, &khz) < 0 ? 0 : (uint32_t)khz;
}

static int cpufreq_unknown_word(const char *word, struct fail *fail) {
        return fail_set(fail, -EINVAL,
                        "unrecognized --cpu-freq argument \"%s\": kHz, low, medium, highm1, high or "
                        "a governor was expected",
                        word);
}

/* Reads p1 and p2, both frequencies, as a range. */
static int cpufreq_read_range(const char *p1, const char *p2, struct cpu_freq *f,
                struct fail *fail) {
        f->min = frequency_find(p1);
        f->max = frequency_find(p2);
        if (!f->min || !f->max)
                return cpufreq_unknown_word(f->min ? p2 : p1, fail);
        /* only the CPU knows the kHz of a word */
        bool words_both = f->min > CPU_FREQ_KHZ_MAX && f->max > CPU_FREQ_KHZ_MAX,
             words_none = f->min <= CPU_FREQ_KHZ_MAX && f->max <= CPU_FREQ_KHZ_MAX;
        if ((words_both || words_none) && f->min >= f->max)
                return fail_set(fail, -EINVAL, "min cpu-freq (%s) must be < max cpu-freq (%s)", p1,
                                p2);
        return 0;
}

static int read_one(const char *p1, const char *p3, struct cpu_freq *f, struct fail *fail) {
        f->max = frequency_find(p1);
        if (f->max)
                return 0;
        f->governor = governor_find(p1);
        if (!f->governor)
                return cpufreq_unknown_word(p1, fail);
        return p3 ? fail_set(fail, -EINVAL,
                                    "governor cannot be specified twice %s{-}:%s in --cpu-freq", p1,
                                    p3)
                  : 0;
}

static int read_governor(const char *p1, const char *p3, struct cpu_freq *f, struct fail *fail) {
        f->governor = governor_find(p3);
        if (!f->governor)
                return fail_set(fail, -EINVAL, "illegal governor: %s on --cpu-freq", p3);
        if (f->min && f->governor == GOVERNOR_USERSPACE)
                return fail_set(fail, -EINVAL,
                                "--cpu-freq: the governor UserSpace has one frequency, not a range");
        if (!f->min && f->governor != GOVERNOR_USERSPACE)
                return fail_set(fail, -EINVAL, "gov on cpu-freq (%s) illegal without max", p1);
        return 0;
}

int cpu_freq_parse(const char *text, struct cpu_freq *ret, struct fail *fail) {
        char copy[CPU_FREQ_TEXT_MAX + 1], *rest = copy;
        struct cpu_freq f = { 0 };

        *ret = f;
        if (strlen(text) > CPU_FREQ_TEXT_MAX)
                return fail_set(fail, -EINVAL, "--cpu-freq: more than %d bytes", CPU_FREQ_TEXT_MAX);
        strcpy(copy, text);
        char *p2 = strsep(&rest, ":"), *p3 = rest, *p1 = strsep(&p2, "-");
        int r = p2 ? cpufreq_read_range(p1, p2, &f, fail) : read_one(p1, p3, &f, fail);
        if (r >= 0 && p3)
                r = read_governor(p1, p3, &f, fail);
        if (r >= 0)
                *ret = f;
        return r;
}

char *cpu_freq_number_text(uint32_t frequency) {
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (words[i].frequency == frequency)
                        return xstrdup(words[i].name);
        return frequency ? xasprintf("%u", frequency) : xstrdup("");
}

char *cpu_freq_text(const struct cpu_freq *f) {
        _cleanup_free_ char *min = cpu_freq_number_text(f->min),
                            *max = cpu_freq_number_text(f->max);
        const char *governor = cpu_governor_name(f->governor);

        return xasprintf("%s%s%s%s%s", min, *min ? "-" : "", max, *max && *governor ? ":" : "",
                        governor);
}

enum cpu_governor cpu_freq_governor(const struct cpu_freq *f) {
        return f->max && !f->min ? GOVERNOR_USERSPACE : f->governor;
}

int cpu_governors_parse(const char *list, unsigned *ret, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(list);
        char *rest = copy, *word;

        *ret = 0;
        while ((word = strsep(&rest, ", "))) {
                enum cpu_governor g = governor_find(word);
                if (*word && !g)
                        return fail_set(fail, -EINVAL,
                                        "\"%s\" is none of Conservative, OnDemand, Performance, "
                                        "PowerSave, SchedUtil and UserSpace",
                                        word);
                *ret |= g ? 1u << g : 0;
        }
        return 0;
}

int cpu_freq_allowed(const struct cpu_freq *f, unsigned allowed, struct fail *fail) {
        enum cpu_governor g = cpu_freq_governor(f);

        return !g || allowed & 1u << g
                               ? 0
                               : fail_set(fail, -EACCES,
                                                 "governor of %s is not allowed in slurm.conf "
                                                 "(CpuFreqGovernors)",
                                                 cpu_governor_name(g));
}
