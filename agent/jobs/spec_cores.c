/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cores and memory reserved by slurm.conf for the system.
 *
 * Cores (CoreSpecCount, CpuSpecList): slumberd, hooks and the site's programs run on the reserved
 * cores, or with SlurmdOffSpec on the remaining cores. As in Slurm, only where jobs are confined
 * too (ConstrainCores). Step daemons and their tasks get slumberd's original CPUs back.
 *
 * Memory (MemSpecLimit, with ConstrainRAMSpace): slumberd, slumberd's programs and the step
 * daemons are in a cgroup with the limit; processes of jobs are in the cgroups of the jobs. */
#include "agent/hardware/bind.h"
#include "agent/jobs/cpus.h"
#include "agent/jobs/stepds.h"
#include "agent/state/agent.h"

#include <dirent.h>
#include <sched.h>

#define CPUS_MAX 8192 /* the kernel's maximum */

static cpu_set_t *new_set(size_t *ret_size) {
        cpu_set_t *set = CPU_ALLOC(CPUS_MAX);

        if (!set)
                out_of_memory();
        *ret_size = CPU_ALLOC_SIZE(CPUS_MAX);
        CPU_ZERO_S(*ret_size, set);
        return set;
}

/* Binds each thread of slumberd. */
static int set_threads(const struct bitset *cpus) {
        size_t size;
        cpu_set_t *set = new_set(&size);
        DIR *threads = opendir("/proc/self/task");
        int r = threads ? 0 : -errno;

        bitset_for_each(i, cpus)
                CPU_SET_S(i, size, set);
        for (struct dirent *d; threads && (d = readdir(threads));)
                if (*d->d_name != '.' && sched_setaffinity(atoi(d->d_name), size, set) < 0 &&
                                errno != ESRCH)
                        r = -errno;
        if (threads)
                closedir(threads);
        CPU_FREE(set);
        return r;
}

struct bitset *spec_cores_before(const struct agent *a) {
        struct bitset *before = bitset_new(CPUS_MAX);
        size_t size;
        cpu_set_t *set = new_set(&size);

        if (a->cpus_before)
                bitset_assign(before, a->cpus_before);
        else if (sched_getaffinity(0, size, set) < 0)
                bitset_fill(before);
        for (size_t i = 0; i < CPUS_MAX && !a->cpus_before; i++)
                if (CPU_ISSET_S(i, size, set))
                        bitset_add(before, i);
        CPU_FREE(set);
        return before;
}

void spec_cores_leave(const struct agent *a) {
        size_t size;
        cpu_set_t *set = new_set(&size);

        if (a->cpus_before) {
                bitset_for_each(i, a->cpus_before)
                        CPU_SET_S(i, size, set);
                (void)sched_setaffinity(0, size, set);
        }
        CPU_FREE(set);
}

/* Returns slumberd's original CPUs within cores (off: outside of cores); NULL: none. */
static struct bitset *spec_cpus_select(struct agent *a, const char *cores, bool off) {
        _cleanup_(bitset_freep) struct bitset *kept = cpu_map_cores(a->cpus, a->units, cores);
        _cleanup_(bitset_freep) struct bitset *set = spec_cores_before(a);

        for (size_t i = 0; i < CPUS_MAX; i++)
                if (bitset_has(set, i) && off == (kept && i < kept->bits && bitset_has(kept, i)))
                        bitset_del(set, i);
        return kept && !bitset_empty(set) ? TAKE(set) : NULL;
}

void spec_cores_apply(struct agent *a, const char *cores, bool off) {
        _cleanup_(bitset_freep) struct bitset *before = spec_cores_before(a);
        bool confine = *cores && a->constrain_cores && cpus_are_known(a);
        _cleanup_(bitset_freep) struct bitset *set = confine ? spec_cpus_select(a, cores, off)
                                                             : NULL;
        int r = 0;

        if (set || a->cpus_before)
                r = set_threads(set ? set : before);
        if (r < 0)
                log_warning(r, "slumberd cannot be kept to the CPUs of CoreSpecCount and CpuSpecList");
        if (*cores && a->constrain_cores && !set)
                log_warning(0,
                                "CoreSpecCount, CpuSpecList: cores %s have none of slumberd's CPUs: "
                                "it is not confined",
                                cores);
        a->cpus_before = bitset_free(a->cpus_before);
        if (set)
                a->cpus_before = TAKE(before);
}

/* ---- memory ---- */

/* The spawner is restarted, so that step daemons start within the limited cgroup. */
void spec_memory_apply(struct agent *a, uint64_t mb) {
        uint64_t least = mb ? MAX(mb, a->memory.min) : 0;
        struct fail fail = { 0 };
        int r = cg_system_confine(a->cgroups, least << 20, &fail);

        if (r > 0)
                r = spawner_start(a, &fail);
        if (r < 0)
                log_warning(0, "MemSpecLimit=%llu: slumberd is not limited to it: %s",
                                (unsigned long long)mb, fail.text);
        else if (least > mb)
                log_warning(0, "MemSpecLimit=%llu: slumberd has %llu MB, the MinRAMSpace of cgroup.conf",
                                (unsigned long long)mb, (unsigned long long)least);
}
