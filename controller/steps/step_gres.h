/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_gres.h - a step's part of its job's generic resources */
#pragma once

#include "controller/model/job.h"
#include "lib/errors.h"
#include "proto/slumber.pb-c.h"

struct gres_wants;

/* What a step asks for of its job's generic resources; SLUMBER_BAD_GRES: the job does not have it.
 *ret NULL: nothing. */
enum slumber_error step_gres_wants(const struct job *j, const Slumber__StepSpec *spec,
                struct gres_wants **ret, struct fail *fail);
/* Tasks for which there is enough at a place of j->placed.alloc; ever: were there no other step. */
uint32_t step_gres_room(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, size_t at, bool ever);
/* Where in at[], n places, as many as are wanted have together what it wants of all its nodes (such
   as stand one after the other, if there are): ret, in their order.  false: nowhere. */
bool step_gres_choose(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, const size_t *at, size_t n, size_t wanted, bool ever,
                size_t *ret);
/* s, which starts with count[] tasks at these places, gets its own.  Of a heterogeneous step, once
   for each of its components: s->gres_kind is the last one's. */
void step_gres_take(struct job *j, struct step *s, const Slumber__StepSpec *spec, const size_t *at,
                const uint32_t *count, size_t n);
