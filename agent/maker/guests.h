/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/guests.h - steps on this node which the step manager of their job, on another node,
 * has started
 *
 * A launch is carried out if the controller's grant for the job on this node covers the launch
 * (grant.h). The controller is asked before the job's first launch, and again after a registration
 * or suspension; the controller refuses when the job is over. The end of a step is reported to the
 * step manager repeatedly until acknowledged. */
#pragma once

#include "agent/peers/peers.h"
#include "agent/state/agent.h"

void guests_done(struct agent *a);
/* Handles a MakerMessage from connection p for a step on this node. */
void guests_take(struct agent *a, struct peer *p, Slumber__MakerMessage *m);
void guests_granted(struct agent *a, const Slumber__Grant *m); /* the controller's answer */
void guests_lost(struct agent *a, const struct peer *p);
/* Drops the grants of all jobs: the node registers. */
void guests_ask_again(struct agent *a);
/* Drops the grants of the job, which ends or is suspended. */
void guests_forget(struct agent *a, uint32_t job);
/* Sends a LaunchResult or StepEnded to the step manager; false: no step manager has started the
   step. */
bool guests_tell(struct agent *a, Envelope *env);
/* Sends the refusal of a launch with that credential to its step manager. */
void guests_refuse(struct agent *a, const Slumber__CredentialBody *body, Envelope *env);
