/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/guests.h - steps here that another node makes, their job's first one (its home)
 *
 * A launch is carried out if what the controller grants that job on this node covers it (grant.h).
 * The controller is asked before the first one, and again after a registration or a freeze; it says
 * no when the job is over.  An end is told the home again and again until it has written it down.
 */
#pragma once

#include "agent/peers/peers.h"
#include "agent/state/agent.h"

void guests_done(struct agent *a);
/* A MakerMessage that has come by p for a step here. */
void guests_take(struct agent *a, struct peer *p, Slumber__MakerMessage *m);
void guests_granted(struct agent *a, const Slumber__Grant *m); /* the controller's answer */
void guests_lost(struct agent *a, const struct peer *p);
/* What was granted holds no more: of all jobs, as the node registers. */
void guests_ask_again(struct agent *a);
/* ... of that job, which is ended or stands still. */
void guests_forget(struct agent *a, uint32_t job);
/* LaunchResult or StepEnded of a step here; false: it is none that another node has made. */
bool guests_tell(struct agent *a, Envelope *env);
/* A launch with that credential is refused. */
void guests_refuse(struct agent *a, const Slumber__CredentialBody *body, Envelope *env);
