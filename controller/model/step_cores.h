/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/step_cores.h - the cores of a step among the job's cores
 *
 * A step using fewer CPUs than its job has on a node (--exact) gets cores of its own there; all
 * further steps use all cores of the job. */
#pragma once

#include "controller/model/job.h"

/* Fills s->cores: on the i-th node, for cpus[i] CPUs, the job's cores used by the fewest running
   steps, taken from the sockets in turn; block: the lowest cores.  Steps using parts of cores share
   cores. */
void step_cores_deal(const struct job *j, struct step *s, const uint32_t *cpus, bool block);
void step_cores_free(struct step *s);
