/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/step_cores.h - which of its job's cores a step has
 *
 * A step that takes fewer CPUs than its job has on a node (--exact) has cores of its own there; any other has all of its job's. */
#pragma once

#include "controller/model/job.h"

/* Fills s->cores by s->nodes and s->taken: of the job's cores on each node those that the fewest other running steps have, of one
   socket after the other in turn; block: the lowest.  Cores are shared where steps take parts of them. */
void step_cores_deal(const struct job *j, struct step *s, bool block);
void step_cores_free(struct step *s);
