/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/step_streams.h - the streams of steps on this node */
#pragma once

#include "agent/state/agent.h"

void step_streams_begin(struct step *s, const Slumber__CredentialBody *body, bool adopted);
/* Sets where the other nodes of a step listen (LaunchStep, StepdHello); needed if the step has more
   nodes than tree_width. */
void step_streams_nodes(struct step *s, char *const *addresses, size_t n, uint32_t tree_width);
void step_streams_done(struct step *s);
void step_streams_send(struct step *s, Envelope *env);    /* env: a StepIo of s's step daemon */
void step_streams_deliver(struct step *s, Envelope *env); /* env: a StepIo of srun */
/* Takes a StepIo of another slumberd, for this node or a node below. */
void step_streams_take(struct agent *a, struct peer *p, Envelope *env);
/* Passes on a StepIo of a node below; false: the step is not on this node. */
bool step_streams_pass(struct agent *a, struct peer *p, Envelope *env);
void step_streams_up(struct step *s, const struct peer *p);
void step_streams_slow(struct step *s, const struct peer *p);
void step_streams_lost(struct step *s, const struct peer *p, bool quiet);
