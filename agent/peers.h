/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers.h - the slumberds of other nodes, for messages between the step daemons of one step
 *
 * A connection is made when a message needs it, serves all steps, and is closed after a minute
 * without use.  Nothing is kept here: the step daemon that sent a message learns that it may be
 * lost, and sends it again. */
#pragma once

#include "agent/agent.h"

/* Listens at the node's Port=, or at another one if that cannot be had.  After steps_adopt(): where
   steps run, other nodes know the port that the last slumberd had. */
int peers_listen(struct agent *a, struct fail *fail);
uint16_t peers_port(const struct agent *a);
/* A NodeMessage of s's step daemon. */
void peers_send(struct step *s, Envelope *env);
void peers_done(struct agent *a); /* before the steps are freed */
