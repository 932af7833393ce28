/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/spare_groups.h - cgroups of jobs between two steps */
#pragma once

#include "agent/state/agent.h"

int spare_groups_init(struct agent *a);
/* Called before j is forgotten: keeps j's cgroup for the job's next step, or removes the cgroup. */
void spare_group_put(struct job *j);
/* Returns the kept cgroup of the job; the caller frees. NULL: none is kept. */
struct cg *spare_group_take(struct agent *a, uint32_t job, uint32_t restarts);
void spare_group_end(struct agent *a, uint32_t job, uint32_t restarts); /* the job has ended */
void spare_groups_done(struct agent *a);
