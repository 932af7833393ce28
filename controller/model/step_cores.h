/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/step_cores.h - which of its job's cores a step has
 *
 * A step that takes fewer CPUs than its job has on a node (--exact) has cores of its own there; any
 * other has all of its job's. */
#pragma once

#include "controller/model/job.h"

/* Fills s->cores: for cpus[i] CPUs on its i-th node those of the job's cores there that the fewest
   other running steps have, of one socket after the other in turn; block: the lowest.  Cores are
   shared where steps take parts of them. */
void step_cores_deal(const struct job *j, struct step *s, const uint32_t *cpus, bool block);
void step_cores_free(struct step *s);
