/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/node_messages.h - what step daemons say to each other */
#pragma once

#include "agent/state/agent.h"

void node_message_send(struct step *s, Envelope *env); /* of s's step daemon */
/* s is of an earlier slumberd: its neighbours hear from here if they know that at another port. */
void node_adopted(struct step *s, const Slumber__StepdHello *hello);
void nodes_beat(struct agent *a); /* ... again, where their connection has gone */
void node_message_take(struct agent *a, struct peer *p, Envelope *env);
/* The controller's answer where the nodes of a step listen. */
void node_addresses_take(struct agent *a, const Slumber__StepAddresses *m);
/* p, by which s has reached other nodes, is gone; quiet: as nothing was under way. */
void node_message_lost(struct step *s, const struct peer *p, bool quiet);
void node_message_slow(struct step *s, const struct peer *p); /* it gives no answer yet */
