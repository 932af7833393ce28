/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/upstream.h - the controller: connection, registration, heartbeats */
#pragma once

#include "agent/state/agent.h"

int upstream_init(struct agent *a); /* creates the timers; called once */
void upstream_connect(struct agent *a);
/* Connects to the controller that has become primary, unless that is old news. */
void upstream_follow(struct agent *a, const Slumber__NewPrimary *m);
void upstream_reconnect(struct agent *a); /* drops the connection and connects again at once */
/* Called when the features or GPUs are known: registers the node if nothing else is still being
   determined. */
void upstream_prepared(struct agent *a);
/* Sends a heartbeat with all current values; reply_to: id of the controller's request, 0: none. */
void upstream_beat(struct agent *a, uint64_t reply_to);
void upstream_done(struct agent *a);
/* Handles a message of the controller about jobs; tree: see launch_step(). Returns false for
   unrelated messages. */
bool upstream_job_message(struct agent *a, Envelope *env, uint64_t tree);
