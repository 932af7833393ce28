/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/remote_steps.h - steps on this node, started by the step manager of the job on
 * another node
 *
 * A launch is carried out if the controller's grant for the job on this node covers the launch
 * (grant.h). The controller is asked before the job's first launch, and again after a registration
 * or suspension; the controller refuses when the job is over. The end of a step is reported to the
 * step manager repeatedly until acknowledged. */
#pragma once

#include "agent/peers/peers.h"
#include "agent/state/agent.h"

void remote_steps_done(struct agent *a);
/* Handles a MakerMessage from connection p for a step on this node. */
void remote_step_handle_message(struct agent *a, struct peer *p, Slumber__MakerMessage *m);
/* Handles the controller's answer. */
void remote_steps_handle_grant(struct agent *a, const Slumber__Grant *m);
void remote_steps_peer_lost(struct agent *a, const struct peer *p);
/* Drops the grants of all jobs: the node registers. */
void remote_steps_drop_grants(struct agent *a);
/* Drops the grants of the job, which ends or is suspended. */
void remote_steps_drop_job_grants(struct agent *a, uint32_t job);
/* Sends a LaunchResult or StepEnded to the step manager; false: no step manager has started the
   step. */
bool remote_step_report(struct agent *a, Envelope *env);
/* Sends the refusal of a launch with that credential to its step manager. */
void remote_step_refuse_launch(struct agent *a, const Slumber__CredentialBody *body, Envelope *env);
