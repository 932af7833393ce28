/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_request.h - a request for a step: completed by slurm.conf, or refused */
#pragma once

#include "lib/errors.h"
#include "lib/step/tasklist.h"
#include "proto/slumber.pb-c.h"

/* The job's partition, QOS etc.; NULL and "": none. Borrowed. */
struct step_job {
        const char *partition, *qos, *account, *reservation;
};

/* Returns a copy of asked, completed by settings of slurm.conf. list: the node of each task; NULL:
   no list. The caller frees by slumber__step_spec__free_unpacked(). */
Slumber__StepSpec *step_request_fill(const Slumber__StepSettings *settings,
                const Slumber__StepSpec *asked, const struct task_list *list);
/* Checks the request apart from room in the job; fail may have a text. */
enum slumber_error step_request_check(const Slumber__StepSettings *settings,
                const struct step_job *job, const Slumber__StepSpec *spec, struct fail *fail);
/* Returns whether the step waits for its srun's SrunProlog before the launch. */
bool step_request_holds(const Slumber__StepSettings *settings, const Slumber__StepSpec *spec);
/* Returns whether tasks write to files on the nodes, or nowhere, so that srun gets no output. */
bool step_request_to_files(const Slumber__StepSpec *spec);
/* Returns the limits to propagate: all if named on the command line (said), else without the limits
   in no (bits, by PropagateResourceLimits). *n: length of all, then of the returned list of
   pointers; the caller frees the list. */
Slumber__Rlimit **rlimits_kept(uint32_t no, bool said, Slumber__Rlimit *const *all, size_t *n);
