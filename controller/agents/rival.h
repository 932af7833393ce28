/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/rival.h - a second slumberd of a node */
#pragma once

#include "controller/loop/controller.h"

/* Checks a registration for a node that is already connected.  True: the registration waits, and is
   accepted or refused later; boot_time by our clock. */
bool rival_waits(struct controller *ctl, struct peer *p, struct node *n, const Envelope *env,
                usec_t boot_time);
/* n's slumberd has answered the question */
void rivals_answered(struct controller *ctl, const struct node *n, uint64_t question);
/* the connection of n has ended */
void rivals_place_free(struct controller *ctl, const struct node *n);
/* the connection of the rival has ended */
void rival_gone(struct controller *ctl, const struct peer *p);
void rivals_free(struct controller *ctl);
