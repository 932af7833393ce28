/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/step_signals.h - signals from a client to the nodes of a step, kept until each
 * node has confirmed the signal: signals lost with a connection are sent again
 *
 * Pure. Nodes are given by index in the step; an index outside the step is ignored. */
#pragma once

#include "lib/base.h"

/* maximum number of signals kept; the oldest are dropped */
#define STEP_SIGNALS_MAX 32

struct step_signals;

struct step_signals *step_signals_new(size_t n_nodes);
void step_signals_free(struct step_signals *s); /* s may be NULL */
/* Returns the signal's number, from 1 on */
uint32_t step_signals_add(struct step_signals *s, uint32_t signal);
void step_signals_taken(struct step_signals *s, size_t node, uint32_t number);
/* Sets *number to the next number after *number not confirmed by the node; false: none. */
bool step_signals_next(const struct step_signals *s, size_t node, uint32_t *number,
                uint32_t *ret_signal);
