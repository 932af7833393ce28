/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/tree_messages.h - what the controller tells many nodes */
#pragma once

#include "agent/state/agent.h"

void tree_begin(struct agent *a);
void tree_done(struct agent *a);
/* p: NULL, from the controller. */
void tree_take(struct agent *a, struct peer *p, Envelope *env);
void tree_answered(struct agent *a, struct peer *p, Slumber__TreeAnswer *m);
void tree_asked(struct agent *a, const Slumber__TreeAnswer *m); /* by the controller */
/* A message of the controller was carried out; orders: tree_keeps_order(). */
void tree_went_on(struct agent *a, bool orders);
