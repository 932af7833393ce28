/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/spare_groups.h - control groups of jobs that have no step here just now */
#pragma once

#include "agent/state/agent.h"

int spare_groups_init(struct agent *a);
/* j is about to be forgotten: its group is kept for its next step, or removed. */
void spare_group_put(struct job *j);
/* The caller frees; NULL: there is none. */
struct cg *spare_group_take(struct agent *a, uint32_t job, uint32_t restarts);
void spare_group_end(struct agent *a, uint32_t job, uint32_t restarts); /* the job has ended */
void spare_groups_done(struct agent *a);
