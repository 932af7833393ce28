/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/listen.h - deadlines that expired while agents could not be heard
 *
 * After a start, and after the controller stood still (SIGSTOP, a paused virtual machine), agents
 * may report events from before deadlines that have expired since: the end of a job, the boot of a
 * node, a completed freeze.  Expired deadlines then wait until each agent has answered a question
 * (FX_PROBE), sent behind all earlier reports, for at most LISTEN_TIME.
 *
 * Deadlines also wait while the state cannot be written: no order leaves in that time, so no answer
 * to an order is late.
 *
 * A job with a step whose srun is disconnected is judged no earlier than LISTEN_TIME after the
 * start, as the end of the step is reported only to a connected srun.  A job that waited for the
 * report of a step's end gets that time added to its limit.  A job whose agent is disconnected or
 * has not answered is judged by its time limit and GraceTime only after SlurmdTimeout. */
#pragma once

#include "controller/model/cluster.h"

/* The longest pause of an agent between attempts to connect. */
#define LISTEN_TIME (15 * USEC_PER_SEC)

/* Makes deadlines until now wait.  stood: how long the controller could not listen.  If the
   controller stands still again while deadlines wait, the wait is extended by stood (at most
   LISTEN_TIME), so that a controller stopped repeatedly still judges deadlines. */
void listen_begin(struct cluster *c, usec_t stood, usec_t now);
/* Makes deadlines wait, as no order has left since the given time.  listen_release() delays the
   deadlines by the time without orders. */
void listen_hold(struct cluster *c, usec_t since);
void listen_release(struct cluster *c, usec_t now); /* no-op without listen_hold() */
/* Sends a question to n's agent if the agent is awaited or jobs run on n. */
void listen_ask(struct cluster *c, struct node *n, usec_t now);
/* Notes that n's agent has answered the last question. */
void listen_heard(struct cluster *c, struct node *n);
/* Returns true if d, which has expired, must wait; d is then kept here. */
bool listen_keeps(struct cluster *c, const struct deadline *d);
/* Puts kept deadlines back into the heap when all agents have answered or LISTEN_TIME is over. */
void listen_review(struct cluster *c, usec_t now);
/* Called when j's limit or grace_end is over.  Returns true if an agent may know of an earlier end;
   j is then checked again at j->running.heard_by, or when the agents have answered. */
bool listen_for_job(const struct cluster *c, struct job *j, usec_t now);
