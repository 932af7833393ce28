/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --cpu-freq and CpuFreqDef: sets the frequencies of the step's CPUs before its first task and
 * restores them after its last process.
 *
 * A frequency is a request, as in Slurm: if it cannot be met, the step reports why and runs. A step
 * without CPUs of its own gets no frequency, as it would change CPUs of other steps. */
#include "agent/common/cpufreq.h"
#include "agent/common/cpufreq_files.h"
#include "agent/step/parts.h"

#define CPUS_MAX 8192 /* the kernel's own limit */

/* Returns the node's spool folder, the parent of steps/; the caller frees. */
static char *node_spool(const struct step *s) {
        const char *path = s->spec->spool, *end = NULL;

        for (const char *p = path; (p = strstr(p, "/steps/")); p++)
                end = p;
        return xstrndup(path, end ? (size_t)(end - path) : strlen(path));
}

static int step_cpu_freq_set(struct step *s, const struct cpu_freq *f, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *cpus = bitset_new(CPUS_MAX);
        const struct step_name name = { s->credential->job_id, s->credential->restarts,
                s->credential->step_id };
        _cleanup_free_ char *spool = node_spool(s);
        const struct cpufreq c = { .spool = spool, .tree = CPUFREQ_TREE };

        if (bitset_parse(cpus, s->spec->cpus) < 0 || bitset_empty(cpus))
                return fail_set(fail, -ENODEV,
                                "the step is not kept to CPUs of its own (TaskPlugin=task/affinity "
                                "or ConstrainCores=yes does that)");
        s->cpu_freq_set = true;
        return cpufreq_set(&c, &name, cpus, f, fail);
}

void step_cpu_freq_begin(struct step *s) {
        const Slumber__StepSpec *spec = s->launch->spec;
        struct fail fail = { 0 };
        struct cpu_freq f;

        if (cpufreq_wanted(spec->cpu_freq, spec->cpu_freq_default, &f) &&
                        step_cpu_freq_set(s, &f, &fail) < 0)
                s->cpu_freq_fault = xstrdup(fail.text);
}

void step_cpu_freq_tell(struct step *s) {
        _cleanup_free_ char *fault = TAKE(s->cpu_freq_fault);

        if (fault && *s->launch->spec->cpu_freq)
                step_complain(s, "%s: --cpu-freq: %s", s->spec->node, fault);
        else if (fault)
                step_debug(s, LOG_INFO, "CpuFreqDef: %s", fault);
}

static bool is_this(const struct step_name *name, void *user) {
        const Slumber__CredentialBody *c = ((const struct step *)user)->credential;

        return name->job == c->job_id && name->restarts == c->restarts && name->step == c->step_id;
}

void step_cpu_freq_end(struct step *s) {
        _cleanup_free_ char *spool = node_spool(s);
        const struct cpufreq c = { .spool = spool, .tree = CPUFREQ_TREE };
        struct fail fail = { 0 };

        if (!s->cpu_freq_set)
                return;
        s->cpu_freq_set = false;
        if (cpufreq_end(&c, is_this, s, true, &fail) < 0)
                fprintf(stderr, "slumberstepd: the frequency of CPUs is not put back: %s\n",
                                fail.text);
}
