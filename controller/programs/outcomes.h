/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/outcomes.h - results that programs report while running */
#pragma once

#include "controller/loop/controller.h"

/* Opens a pipe for the results of a run of key for nodes.  *ret is the descriptor to pass on as
   SLUMBER_RESULT_FD, then to be closed.  limit: maximum reading time, a duration. */
int outcomes_open(struct controller *ctl, const char *key, bool resume, const char *nodes,
                usec_t limit, int *ret);
/* The last opened run is the process pid. */
void outcomes_of(struct controller *ctl, pid_t pid);
/* The process pid has ended.  Returns whether no result for any node was reported. */
bool outcomes_ended(struct controller *ctl, pid_t pid);
void outcomes_clock_set(struct controller *ctl, int64_t by);
void outcomes_free(struct controller *ctl);
