/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/job.h - the jobs of the node: freezing, signals, the end */
#pragma once

#include "agent/state/agent.h"

/* ---- job.c ---- */
int job_get(struct agent *a, uint32_t id, uint32_t restarts, uid_t uid, struct job **ret,
                struct fail *fail);
void job_put(struct job *j); /* frees j if no step, hook or end of j is pending */
void job_freeze(struct agent *a, const Slumber__FreezeJob *m);
/* Returns true if the node reports the job as frozen at registration; a freeze requested by the
   controller stays in force. */
bool job_is_frozen(struct job *j);
/* Cancels a freeze under way. At registration the controller learns that the job runs, and may not
   want the freeze any more. */
void job_take_back(struct job *j);
/* Sends SIGCONT to jobs that got SIGTSTP from an earlier slumberd and were not frozen: the
   controller repeats the freeze. */
void jobs_forget_grace(struct agent *a);
void job_terminate(struct agent *a, const Slumber__TerminateJob *m);
void job_gone_acknowledged(struct agent *a, const Slumber__JobGoneAck *m);
/* Handles MakerBegin: starts the step manager of a job on this node. */
void job_makes_steps(struct agent *a, Slumber__MakerBegin *m);
/* Handles MakerMade: this node has made steps of the job. If the job has no step manager here, the
   steps are lost. */
void job_made_steps(struct agent *a, const Slumber__MakerMade *m);
void job_signal(struct agent *a, const Slumber__SignalJob *m);
/* Called when a step has ended or lost its daemon: a terminating job may be over. */
void job_step_ended(struct job *j);
struct job *job_forget(struct job *j); /* forgets j; leaves its processes alone */
/* Called when the epilog has ended and no process of j is left. */
void job_epilog_over(struct job *j);
/* Called after a restart of slumberd, with the state of j's hooks. Neither epilog_runs nor over:
   the controller ends the job again. */
void job_hooks_adopted(struct job *j, bool epilog_runs, bool over);

/* ---- jobs.c ---- */
void jobs_begin(struct agent *a); /* sets a->orders */
/* Adopts the jobs and steps of an earlier slumberd, and kills processes of unknown jobs. */
int jobs_adopt(struct agent *a, struct fail *fail);

/* ---- unkillable.c ---- */
void unkillable_run(const struct job *j);
