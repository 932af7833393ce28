/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/cpufreq.h - frequencies set by steps for their CPUs, and their restoration
 *
 * The step daemon sets the frequencies, and at the end restores the original ones or sets the
 * frequencies of a remaining step with some of the CPUs; slumberd does so for killed step
 * daemons. The original settings are in SPOOL/cpufreq from before the first change until
 * restored; a file of an earlier boot is ignored. SPOOL/cpufreq.lock is held during each
 * operation. */
#pragma once

#include "agent/common/spool.h"
#include "lib/bitset.h"
#include "lib/step/cpufreq.h"

struct cpufreq {
        /* folders: the node's spool, and the kernel's files (CPUFREQ_TREE) */
        const char *spool, *tree;
};

/* Parses --cpu-freq (asked) with CpuFreqDef (otherwise); both may be "". Returns false if no
   frequency is to be set. */
bool cpufreq_wanted(const char *asked, const char *otherwise, struct cpu_freq *ret);
/* Sets the frequencies of the CPUs; at most once for a step, which cpufreq_end() must follow even
   after an error. Negative errno with fail: something cannot be set; -ENODEV: the node has no
   settable frequencies. */
int cpufreq_set(const struct cpufreq *c, const struct step_name *name, const struct bitset *cpus,
                const struct cpu_freq *f, struct fail *fail);
/* Restores the frequencies set by ended steps; over() tells whether a step has ended. wait: waits
   for the lock instead of returning -EAGAIN. Other errors: something cannot be restored; the next
   call tries again, until the machine boots. */
int cpufreq_end(const struct cpufreq *c, bool (*over)(const struct step_name *name, void *user),
                void *user, bool wait, struct fail *fail);
