/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/cpufreq.h - frequencies that steps have set for their CPUs, and what is put back
 *
 * The step daemon sets them and puts back what was there before, or what another step wants that
 * still has one of these CPUs; slumberd does so for step daemons that were killed.  What was there
 * is in SPOOL/cpufreq before anything is set, until it is put back; that of an earlier boot means
 * nothing.  SPOOL/cpufreq.lock is held meanwhile. */
#pragma once

#include "agent/common/spool.h"
#include "lib/bitset.h"
#include "lib/step/cpufreq.h"

struct cpufreq {
        const char *spool, *tree; /* folders: the node's, and the kernel's (CPUFREQ_TREE) */
};

/* --cpu-freq with what CpuFreqDef adds; both may be "".  false: nothing is to be set. */
bool cpufreq_wanted(const char *asked, const char *otherwise, struct cpu_freq *ret);
/* Of these CPUs; a step does so once.  Negative errno with fail: something cannot be set; the step
   is to be ended all the same.  -ENODEV: the node's frequencies cannot be set. */
int cpufreq_set(const struct cpufreq *c, const struct step_name *name, const struct bitset *cpus,
                const struct cpu_freq *f, struct fail *fail);
/* Of all steps that are over; wait: for those who are at it, else -EAGAIN.  Others: something
   cannot be put back; the next call tries it again, until the machine boots. */
int cpufreq_end(const struct cpufreq *c, bool (*over)(const struct step_name *name, void *user),
                void *user, bool wait, struct fail *fail);
