/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/tree_messages.h - messages of the controller to many nodes */
#pragma once

#include "agent/state/agent.h"

void tree_begin(struct agent *a);
void tree_done(struct agent *a);
/* Handles a TreeMessage. p: the sending node; NULL: the controller. */
void tree_take(struct agent *a, struct peer *p, Envelope *env);
void tree_answered(struct agent *a, struct peer *p, Slumber__TreeAnswer *m);
/* handles the controller's request for the answer */
void tree_asked(struct agent *a, const Slumber__TreeAnswer *m);
/* Called after a message of the controller was handled; orders: the result of
   tree_keeps_order(). */
void tree_went_on(struct agent *a, bool orders);
