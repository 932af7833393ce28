/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/cpufreq.h"

#include "agent/common/cpufreq_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CPUS_MAX   8192 /* the kernel's maximum */
#define RECORD_MAX (4u << 20)

struct work {
        const struct cpufreq *c;
        int lock, tree;
        char *path;
        Slumber__CpuFreqRecord *record;
};

/* ---- the record ---- */

static int read_record(const char *path, Slumber__CpuFreqRecord **ret, struct fail *fail) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        _cleanup_free_ uint8_t *data = NULL;
        struct stat st;

        *ret = NULL;
        if (fd < 0 && errno == ENOENT)
                return 0;
        if (fd < 0 || fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "cannot read %s: %s", path, strerror(errno));
        data = xmalloc((size_t)MIN(st.st_size, (off_t)RECORD_MAX) + 1);
        ssize_t n = read(fd, data, (size_t)MIN(st.st_size, (off_t)RECORD_MAX));
        if (n < 0)
                return fail_set(fail, -errno, "cannot read %s: %s", path, strerror(errno));
        *ret = slumber__cpu_freq_record__unpack(NULL, (size_t)n, data);
        return *ret ? 0
                    : fail_set(fail, -EBADMSG,
                                      "%s cannot be read: frequencies that steps have set stay as "
                                      "they are",
                                      path);
}

static int freq_record_write(const struct work *w, struct fail *fail) {
        _cleanup_free_ char *new = xasprintf("%s.new", w->path);
        size_t size = slumber__cpu_freq_record__get_packed_size(w->record);
        _cleanup_free_ uint8_t *data = xmalloc(size + 1);
        int r = 0;

        if (w->record->n_steps == 0 && w->record->n_policies == 0)
                return unlink(w->path) < 0 && errno != ENOENT ? -errno : 0;
        slumber__cpu_freq_record__pack(w->record, data);
        _cleanup_close_ int fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                        0600);
        r = size > RECORD_MAX ? -EMSGSIZE : fd < 0 ? -errno : fd_write(fd, data, size);
        if (r >= 0 && rename(new, w->path) < 0)
                r = -errno;
        return r < 0 ? fail_set(fail, r, "cannot write %s: %s", w->path, strerror(-r)) : 0;
}

static Slumber__CpuFreqRecord *new_record(const char *boot) {
        Slumber__CpuFreqRecord *record = xnew(Slumber__CpuFreqRecord, 1);

        slumber__cpu_freq_record__init(record);
        record->boot = xstrdup(boot);
        return record;
}

static int take_lock(const struct cpufreq *c, bool wait, int *ret, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/cpufreq.lock", c->spool);
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        int r = fd < 0 ? -errno : 0;

        while (r >= 0 && flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) < 0)
                if (errno != EINTR)
                        r = -errno;
        if (r < 0)
                return fail_set(fail, r, "cannot lock %s: %s", path, strerror(-r));
        *ret = TAKE_FD(fd);
        return 0;
}

static void work_done(struct work *w) {
        if (w->record)
                slumber__cpu_freq_record__free_unpacked(w->record, NULL);
        if (w->tree >= 0)
                close(w->tree);
        if (w->lock >= 0)
                close(w->lock);
        free(w->path);
}

static int work_begin(struct work *w, const struct cpufreq *c, bool wait, struct fail *fail) {
        char boot[BOOT_ID_SIZE];

        *w = (struct work){ .c = c, .lock = -1, .tree = cpufreq_open(c->tree) };
        w->path = xasprintf("%s/cpufreq", c->spool);
        int r = take_lock(c, wait, &w->lock, fail);
        if (r < 0)
                return r;
        boot_id(boot);
        r = read_record(w->path, &w->record, fail);
        if (r == -EBADMSG) /* the record is of no use */
                (void)unlink(w->path);
        if (w->record && !streq(w->record->boot, boot)) {
                slumber__cpu_freq_record__free_unpacked(TAKE(w->record), NULL);
                (void)unlink(w->path);
        }
        if (!w->record)
                w->record = new_record(boot);
        return r;
}

/* ---- policies ---- */

static Slumber__CpuFreqPolicy *find_policy(const Slumber__CpuFreqRecord *r, uint32_t cpu) {
        for (size_t i = 0; i < r->n_policies; i++)
                if (r->policies[i]->cpu == cpu)
                        return r->policies[i];
        return NULL;
}

/* Records the current settings of a policy, unless recorded before a step's change. */
static int keep_policy(const struct work *w, uint32_t cpu, struct fail *fail) {
        struct cpufreq_state state;

        if (find_policy(w->record, cpu))
                return 0;
        int r = cpufreq_read(w->tree, cpu, &state, fail);
        if (r < 0)
                return r;
        Slumber__CpuFreqPolicy *p = xnew(Slumber__CpuFreqPolicy, 1);
        slumber__cpu_freq_policy__init(p);
        p->cpu = cpu;
        p->governor = xstrdup(state.governor);
        p->min = state.min;
        p->max = state.max;
        p->speed = state.speed;
        w->record->policies = xrenew(w->record->policies, w->record->n_policies + 1);
        w->record->policies[w->record->n_policies++] = p;
        return 0;
}

static int restore_policy(const struct work *w, const Slumber__CpuFreqPolicy *p,
                struct fail *fail) {
        struct cpufreq_state state = { .min = p->min, .max = p->max, .speed = p->speed };

        snprintf(state.governor, sizeof state.governor, "%.31s", p->governor);
        return cpufreq_restore(w->tree, p->cpu, &state, fail);
}

static void add_step(struct work *w, const struct step_name *name, const struct bitset *policies,
                const struct cpu_freq *f) {
        Slumber__CpuFreqRecord *r = w->record;
        Slumber__CpuFreqStep *s = xnew(Slumber__CpuFreqStep, 1);

        slumber__cpu_freq_step__init(s);
        s->job = name->job;
        s->restarts = name->restarts;
        s->step = name->step;
        s->policies = bitset_text(policies);
        s->cpu_freq = cpu_freq_text(f);
        r->steps = xrenew(r->steps, r->n_steps + 1);
        r->steps[r->n_steps++] = s;
}

/* Finds the policies of the CPUs; -ENODEV: none. */
static int policies_of(const struct work *w, const struct bitset *cpus, struct bitset *ret,
                struct fail *fail) {
        uint32_t policy;

        bitset_for_each(cpu, cpus)
                if (w->tree >= 0 && cpufreq_policy(w->tree, (uint32_t)cpu, &policy) >= 0 &&
                                policy < ret->bits)
                        bitset_add(ret, policy);
        return bitset_empty(ret) ? fail_set(fail, -ENODEV,
                                                   "CPU frequency setting not configured for this "
                                                   "node")
                                 : 0;
}

/* ---- setting ---- */

bool cpufreq_wanted(const char *asked, const char *otherwise, struct cpu_freq *ret) {
        struct cpu_freq def = { 0 };

        *ret = def;
        (void)cpu_freq_parse(otherwise, &def, NULL); /* slumberctld has checked both */
        if (!*asked)
                *ret = def;
        else if (cpu_freq_parse(asked, ret, NULL) >= 0 && ret->min && !ret->governor &&
                        def.governor != GOVERNOR_USERSPACE)
                ret->governor = def.governor;
        return ret->max || ret->governor;
}

/* Sets f on top of the original settings, so that no settings of an earlier step remain. */
static int set_policy(const struct work *w, const Slumber__CpuFreqPolicy *p,
                const struct cpu_freq *f, struct fail *fail) {
        int r = restore_policy(w, p, fail);

        return r < 0 ? r : cpufreq_apply(w->tree, p->cpu, f, fail);
}

static int set_all(const struct work *w, const struct bitset *policies, const struct cpu_freq *f,
                struct fail *fail) {
        int r = 0;

        bitset_for_each(policy, policies) {
                const Slumber__CpuFreqPolicy *p = find_policy(w->record, (uint32_t)policy);
                int one = set_policy(w, p, f, r < 0 ? NULL : fail);
                r = r < 0 ? r : one;
        }
        return r;
}

int cpufreq_set(const struct cpufreq *c, const struct step_name *name, const struct bitset *cpus,
                const struct cpu_freq *f, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *policies = bitset_new(CPUS_MAX);
        struct work w;
        int r = work_begin(&w, c, true, fail);

        if (r == -EBADMSG)
                r = 0;
        if (r >= 0)
                r = policies_of(&w, cpus, policies, fail);
        bitset_for_each(policy, policies)
                r = r < 0 ? r : keep_policy(&w, (uint32_t)policy, fail);
        if (r >= 0) {
                add_step(&w, name, policies, f);
                r = freq_record_write(&w, fail);
        }
        if (r >= 0)
                r = set_all(&w, policies, f, fail);
        work_done(&w);
        return r;
}

/* ---- putting back ---- */

/* Returns the latest step of the policy; NULL: none. */
static const Slumber__CpuFreqStep *holder_of(const Slumber__CpuFreqRecord *r, uint32_t cpu) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(CPUS_MAX);

        for (size_t i = r->n_steps; i-- > 0;) {
                bitset_clear(set);
                if (bitset_parse(set, r->steps[i]->policies) >= 0 && cpu < set->bits &&
                                bitset_has(set, cpu))
                        return r->steps[i];
        }
        return NULL;
}

/* Removes ended steps from the record and adds their policies to touched; false: none removed. */
static bool drop_steps(Slumber__CpuFreqRecord *r,
                bool (*over)(const struct step_name *name, void *user), void *user,
                struct bitset *touched) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(CPUS_MAX);
        size_t n = 0, before = r->n_steps;

        for (size_t i = 0; i < before; i++) {
                Slumber__CpuFreqStep *s = r->steps[i];
                const struct step_name name = { s->job, s->restarts, s->step };
                if (!over(&name, user)) {
                        r->steps[n++] = s;
                        continue;
                }
                bitset_clear(set);
                if (bitset_parse(set, s->policies) >= 0)
                        bitset_or(touched, set);
                slumber__cpu_freq_step__free_unpacked(s, NULL);
        }
        r->n_steps = n;
        return n < before;
}

static int policy_settle(const struct work *w, Slumber__CpuFreqPolicy *p, bool *ret_kept,
                struct fail *fail) {
        const Slumber__CpuFreqStep *s = holder_of(w->record, p->cpu);
        struct cpu_freq f;

        *ret_kept = s;
        if (s)
                return cpu_freq_parse(s->cpu_freq, &f, NULL) < 0 ? 0 : set_policy(w, p, &f, fail);
        int r = restore_policy(w, p, fail);
        *ret_kept = r < 0; /* the policy's CPUs may be offline for now */
        return r;
}

/* Adds policies without a step to touched: failed restorations are tried again. */
static void add_left(const Slumber__CpuFreqRecord *r, struct bitset *touched) {
        for (size_t i = 0; i < r->n_policies; i++)
                if (r->policies[i]->cpu < touched->bits && !holder_of(r, r->policies[i]->cpu))
                        bitset_add(touched, r->policies[i]->cpu);
}

static int settle_all(const struct work *w, const struct bitset *touched, struct fail *fail) {
        Slumber__CpuFreqRecord *record = w->record;
        size_t n = 0;
        int r = 0;

        for (size_t i = 0; i < record->n_policies; i++) {
                Slumber__CpuFreqPolicy *p = record->policies[i];
                bool kept = true;
                int one = 0;
                if (p->cpu < touched->bits && bitset_has(touched, p->cpu))
                        one = policy_settle(w, p, &kept, r < 0 ? NULL : fail);
                r = r < 0 ? r : one;
                if (kept)
                        record->policies[n++] = p;
                else
                        slumber__cpu_freq_policy__free_unpacked(p, NULL);
        }
        record->n_policies = n;
        return r;
}

int cpufreq_end(const struct cpufreq *c, bool (*over)(const struct step_name *name, void *user),
                void *user, bool wait, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *touched = bitset_new(CPUS_MAX);
        _cleanup_free_ char *path = xasprintf("%s/cpufreq", c->spool);
        struct work w;

        if (access(path, F_OK) < 0 && errno == ENOENT) /* no step has set a frequency */
                return 0;
        int r = work_begin(&w, c, wait, fail);
        bool dropped = r >= 0 && drop_steps(w.record, over, user, touched);
        if (r >= 0)
                add_left(w.record, touched);
        if (dropped || !bitset_empty(touched)) {
                r = settle_all(&w, touched, fail);
                int written = freq_record_write(&w, r < 0 ? NULL : fail);
                r = r < 0 ? r : written;
        }
        work_done(&w);
        return r;
}
