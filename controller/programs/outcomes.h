/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/outcomes.h - what programs say while they run */
#pragma once

#include "controller/loop/controller.h"

/* outcomes.c: *ret is a descriptor to hand down as SLUMBER_RESULT_FD to a run of key for nodes,
   then to be closed. limit: how long it is read, a duration. */
int outcomes_open(struct controller *ctl, const char *key, bool resume, const char *nodes,
                usec_t limit, int *ret);
/* The run that was opened last is that of this process; and it has ended. */
void outcomes_of(struct controller *ctl, pid_t pid);
/* true: without a word of any of its nodes */
bool outcomes_ended(struct controller *ctl, pid_t pid);
void outcomes_clock_set(struct controller *ctl, int64_t by);
void outcomes_free(struct controller *ctl);
