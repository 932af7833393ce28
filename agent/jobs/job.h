/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/job.h - jobs of this node: freezing, signals, the end */
#pragma once

#include "agent/state/agent.h"

/* ---- job.c ---- */
int job_get(struct agent *a, uint32_t id, uint32_t restarts, uid_t uid, struct job **ret,
                struct fail *fail);
void job_put(struct job *j); /* frees j if nothing of it is left */
void job_freeze(struct agent *a, const Slumber__FreezeJob *m);
/* As the controller is to be told when the node registers: a freeze that it asked for holds. */
bool job_is_frozen(struct job *j);
/* Cancels a freeze under way: the controller, which will learn that the job runs, may not want it
   any more. */
void job_take_back(struct job *j);
/* Sends SIGCONT to jobs that an earlier slumberd sent SIGTSTP and did not freeze: the controller
   repeats its requests. */
void jobs_forget_grace(struct agent *a);
void job_terminate(struct agent *a, const Slumber__TerminateJob *m);
void job_gone_acknowledged(struct agent *a, const Slumber__JobGoneAck *m);
/* This node makes the steps of a job that has none here; once. */
void job_makes_steps(struct agent *a, Slumber__MakerBegin *m);
/* It has made steps of the job: where it does not know which, they are lost. */
void job_made_steps(struct agent *a, const Slumber__MakerMade *m);
void job_signal(struct agent *a, const Slumber__SignalJob *m);
/* A step has ended or lost its daemon: a terminating job may be over. */
void job_step_ended(struct job *j);
struct job *job_forget(struct job *j); /* forgets j; leaves its processes alone */
/* No process is left of j and its epilog has ended. */
void job_epilog_over(struct job *j);
/* After a restart: its epilog runs, or is over; or neither, it is to be ended again. */
void job_hooks_adopted(struct job *j, bool epilog_runs, bool over);

/* ---- jobs.c ---- */
void jobs_begin(struct agent *a); /* sets a->orders */
/* Adopts the jobs and steps of an earlier slumberd, and ends processes that belong to none. */
int jobs_adopt(struct agent *a, struct fail *fail);

/* ---- unkillable.c ---- */
void unkillable_run(const struct job *j);
