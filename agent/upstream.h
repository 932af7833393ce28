/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/upstream.h - the controller: connection, registration, heartbeats */
#pragma once

#include "agent/state/agent.h"

int upstream_init(struct agent *a); /* its timers, once */
void upstream_connect(struct agent *a);
void upstream_reconnect(struct agent *a); /* drops the connection and starts anew at once */
/* What the helpers say or what GPUs there are is known: the node registers if nothing else is
   asked. */
void upstream_prepared(struct agent *a);
/* Sends a heartbeat with all present values; reply_to: id of the controller's question, 0 =
   none. */
void upstream_beat(struct agent *a, uint64_t reply_to);
void upstream_done(struct agent *a);
/* What is for the jobs of this node, in the controller's words; tree: as for launch_step(). false:
   env is something else. */
bool upstream_job_message(struct agent *a, Envelope *env, uint64_t tree);
