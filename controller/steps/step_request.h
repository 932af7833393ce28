/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_request.h - what slurm.conf makes of a request for a step, or refuses in it
 */
#pragma once

#include "lib/errors.h"
#include "lib/step/tasklist.h"
#include "proto/slumber.pb-c.h"

/* What a job is in; NULL and "": nothing.  Borrowed. */
struct step_job {
        const char *partition, *qos, *account, *reservation;
};

/* A copy of what is asked, with what it leaves to slurm.conf filled in; list: the node of each of
   its tasks, NULL: not said.  Free it with slumber__step_spec__free_unpacked(). */
Slumber__StepSpec *step_request_fill(const Slumber__StepSettings *settings,
                const Slumber__StepSpec *asked, const struct task_list *list);
/* What is wrong with it, wherever its job has room; fail may have more words. */
enum slumber_error step_request_check(const Slumber__StepSettings *settings,
                const struct step_job *job, const Slumber__StepSpec *spec, struct fail *fail);
/* Its srun has something to do before it may be launched. */
bool step_request_holds(const Slumber__StepSettings *settings, const Slumber__StepSpec *spec);
/* Its nodes write what its tasks say to files, or nowhere: srun is given nothing. */
bool step_request_to_files(const Slumber__StepSpec *spec);
/* Those limits that PropagateResourceLimits (no: bits of what it does not) lets through, all where
   the command said itself which: *n and a list of the pointers, which the caller frees. */
Slumber__Rlimit **rlimits_kept(uint32_t no, bool said, Slumber__Rlimit *const *all, size_t *n);
