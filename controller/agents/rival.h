/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/rival.h - a second agent of one node */
#pragma once

#include "controller/loop/controller.h"

/* rival.c: a registration for a node that is connected already.  true: it waits, and is taken or
   refused later; boot_time in our time. */
bool rival_waits(struct controller *ctl, struct peer *p, struct node *n, const Envelope *env,
                usec_t boot_time);
/* n's agent has */
void rivals_answered(struct controller *ctl, const struct node *n, uint64_t question);
void rivals_place_free(struct controller *ctl, const struct node *n); /* its connection has ended */
void rival_gone(struct controller *ctl, const struct peer *p); /* its own connection has ended */
void rivals_free(struct controller *ctl);
