/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/node_messages.h - messages between the step daemons of a step */
#pragma once

#include "agent/state/agent.h"

void node_message_send(struct step *s, Envelope *env); /* env comes from s's step daemon */
/* s was started by an earlier slumberd. If that slumberd listened at another port, the neighbours
   of the node in the step's tree are told where this slumberd listens. */
void node_adopted(struct step *s, const Slumber__StepdHello *hello);
void nodes_beat(struct agent *a); /* repeats node_adopted()'s message after a lost connection */
void node_message_take(struct agent *a, struct peer *p, Envelope *env);
/* Takes the controller's answer to a question where the nodes of a step listen. */
void node_addresses_take(struct agent *a, const Slumber__StepAddresses *m);
/* The connection p, by which s has reached other nodes, has ended. quiet: no message was under
   way. */
void node_message_lost(struct step *s, const struct peer *p, bool quiet);
void node_message_slow(struct step *s, const struct peer *p); /* p does not answer yet */
