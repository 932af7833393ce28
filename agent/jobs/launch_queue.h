/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/launch_queue.h - batch scripts waiting for a step daemon */
#pragma once

#include "agent/state/agent.h"

int launches_init(struct agent *a);
void launches_done(struct agent *a); /* frees the waiting launches without starting any */
/* Returns true if a newly arrived launch must wait for earlier launches or for a step daemon. */
bool launch_must_wait(const struct agent *a);
/* Takes ownership of l, the launch of j's script; j has no other waiting launch.  launch_start()
   starts it later. */
void launch_enqueue(struct job *j, struct launch *l);
bool launches_wait(const struct agent *a);
/* Starts the waiting launches for which a step daemon is available.  May free jobs. */
void launches_go_on(struct agent *a);
/* Start j's waiting launch (launches_now(): all launches) without waiting further, as the caller
   needs the step.  Returns j, or NULL if j is NULL or was freed. */
struct job *launch_now(struct job *j);
void launches_now(struct agent *a);
/* Drops j's waiting launch; why as in launch_refuse(). */
void launch_dequeue(struct job *j, const char *why);
