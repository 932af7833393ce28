/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/step_streams.h - the streams of steps here */
#pragma once

#include "agent/state/agent.h"

void step_streams_begin(struct step *s, const Slumber__CredentialBody *body, bool adopted);
/* Where its other nodes are (LaunchStep, StepdHello): of a step with more than tree_width. */
void step_streams_nodes(struct step *s, char *const *addresses, size_t n, uint32_t tree_width);
void step_streams_done(struct step *s);
void step_streams_send(struct step *s, Envelope *env);    /* a StepIo of its daemon */
void step_streams_deliver(struct step *s, Envelope *env); /* one of srun's */
/* ... that has come from another slumberd, for this node or one below it. */
void step_streams_take(struct agent *a, struct peer *p, Envelope *env);
/* One of a node below; false: the step is not here. */
bool step_streams_pass(struct agent *a, struct peer *p, Envelope *env);
void step_streams_up(struct step *s, const struct peer *p);
void step_streams_slow(struct step *s, const struct peer *p);
void step_streams_lost(struct step *s, const struct peer *p, bool quiet);
