/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_parts.h - where the components of a heterogeneous step fit: each on
 * separate nodes, all at once (guide "Heterogeneous job support", "Heterogeneous Steps") */
#pragma once

#include "controller/steps/step_fit.h"

#define STEP_PARTS_MAX 128u /* components of one request */

/* Finds nodes for n components; each ask is a component's, and its apart is set here. fits must be
   zeroed before; the caller calls fit_done() on each whatever the result. SLUMBER_NODES_BUSY: not
   now; other errors: never, because of component *ret_part, or, if *ret_part is n, of all
   components together. */
enum slumber_error fit_parts(struct step_ask *asks, size_t n, const struct job *j, struct fit *fits,
                size_t *ret_part, struct fail *fail);
/* Joins the nodes and tasks of all components into *f, zeroed before and fit_done() after. Tasks
   are numbered by component; f->place has their nodes. */
void fit_join(const struct step_ask *asks, const struct fit *parts, size_t n, struct fit *f);
