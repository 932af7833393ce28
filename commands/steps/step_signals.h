/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/step_signals.h - signals that a client has sent to the nodes of its step, until
 * each node has said that it has had them: what was under way when a connection broke is sent again
 *
 * Pure.  Nodes are meant by their places in the step; a place that the step does not have is
 * ignored. */
#pragma once

#include "lib/base.h"

/* Signals that are kept; of more the oldest are forgotten. */
#define STEP_SIGNALS_MAX 32

struct step_signals;

struct step_signals *step_signals_new(size_t n_nodes);
void step_signals_free(struct step_signals *s);                     /* takes NULL */
uint32_t step_signals_add(struct step_signals *s, uint32_t signal); /* its number, from 1 on */
void step_signals_taken(struct step_signals *s, size_t node, uint32_t number);
/* The next one behind *number that the node has not taken, in their order; false: there is none. */
bool step_signals_next(const struct step_signals *s, size_t node, uint32_t *number,
                uint32_t *ret_signal);
