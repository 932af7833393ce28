/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_parts.h - where the components of a heterogeneous step fit: each on nodes
 * of its own, all of them at once (guide "Heterogeneous job support", "Heterogeneous Steps") */
#pragma once

#include "controller/steps/step_fit.h"

#define STEP_PARTS_MAX 128u /* components of one request */

/* Fills the n fits, zeroed before and fit_done() after, whatever comes back; each ask is one
   component's, and its apart is set here.  SLUMBER_NODES_BUSY: not now; other errors: never, of the
   component *ret_part, or, where that is n, of all together. */
enum slumber_error fit_parts(struct step_ask *asks, size_t n, const struct job *j, struct fit *fits,
                size_t *ret_part, struct fail *fail);
/* The nodes and tasks of all of them as one: *f, zeroed before and fit_done() after.  Tasks are
   numbered by component; their places are in f->place. */
void fit_join(const struct step_ask *asks, const struct fit *parts, size_t n, struct fit *f);
