/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_gres.h - a step's part of its job's generic resources */
#pragma once

#include "controller/model/job.h"
#include "lib/errors.h"
#include "proto/slumber.pb-c.h"

struct gres_wants;

/* Parses the step's request for generic resources. *ret: the caller frees by gres_wants_free();
 * NULL: no request. SLUMBER_BAD_GRES: the job has too few. */
enum slumber_error step_gres_wants(const struct job *j, const Slumber__StepSpec *spec,
                struct gres_wants **ret, struct fail *fail);
/* Returns the number of tasks the resources at a position of j->placed.alloc suffice for; ever: as
   if no step ran. */
uint32_t step_gres_room(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, size_t at, bool ever);
/* Chooses wanted of the n positions in at[] with enough resources in total, consecutive positions
   if possible. ret: indexes into at[], ascending. Returns false if impossible. */
bool step_gres_choose(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, const size_t *at, size_t n, size_t wanted, bool ever,
                size_t *ret);
/* Gives s, starting with count[] tasks at these positions, the requested resources. Called once for
   each component of a heterogeneous step: s->gres_kind is the last component's. */
void step_gres_take(struct job *j, struct step *s, const Slumber__StepSpec *spec, const size_t *at,
                const uint32_t *count, size_t n);
