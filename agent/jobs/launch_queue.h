/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/launch_queue.h - batch scripts that wait for a step daemon */
#pragma once

#include "agent/state/agent.h"

int launches_init(struct agent *a);
void launches_done(struct agent *a); /* those that wait are forgotten */
/* A launch that comes now is to wait behind others, or for a step daemon. */
bool launch_must_wait(const struct agent *a);
/* Takes l, the launch of j's script, which has none that waits.  It begins by launch_start(). */
void launch_enqueue(struct job *j, struct launch *l);
bool launches_wait(const struct agent *a);
/* Those begin for which there is a step daemon by now.  May free jobs. */
void launches_go_on(struct agent *a);
/* What comes next needs the step of j, or all of them: what waits begins now.  Returns j; NULL: j
   is NULL, or nothing is left of it. */
struct job *launch_now(struct job *j);
void launches_now(struct agent *a);
/* The launch of j that waits does not begin: why as in launch_refuse(). */
void launch_dequeue(struct job *j, const char *why);
