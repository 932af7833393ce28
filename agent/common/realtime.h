/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/realtime.h - slumberd and the step daemons come before jobs on the CPU */
#pragma once

#include <sys/types.h>

/* Gives a thread (0: the calling one) real-time priority 1 (SCHED_RR), or nice -10 where that is
   not permitted, so that it answers while a thousand processes of a job are thawed or want the CPU.
   Processes that the thread forks do not inherit the priority.  Negative errno: neither is
   permitted. */
int realtime_take(pid_t thread);
/* Restores the normal priority of the thread. */
void realtime_give(pid_t thread);
