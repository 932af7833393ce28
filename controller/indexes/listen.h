/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/listen.h - what fell due while the agents could not be heard
 *
 * After a start, and after the controller stood still (SIGSTOP, a paused virtual machine), agents
 * have things to say that happened before deadlines which have passed since: a job has ended, a
 * node has booted, a freeze is done.  Deadlines that had passed by then wait until each agent has
 * answered a question (FX_PROBE), which it does behind all that it had to say, at most LISTEN_TIME.
 *
 * The same where the state could not be written for a while: no order has left then, and no answer
 * to one is late.
 *
 * A job with a step of a disconnected srun is judged LISTEN_TIME after the start at the earliest:
 * the step's end waits for its srun.  A job that waited for the end of a step which could not be
 * told has the time that this took added to its limit. A job with a disconnected agent, or one that
 * has not answered, is judged by its time limit and GraceTime later still: SlurmdTimeout is the
 * limit. */
#pragma once

#include "controller/model/cluster.h"

/* The longest pause of an agent between two attempts to connect. */
#define LISTEN_TIME (15 * USEC_PER_SEC)

/* From now on: deadlines until now wait.  stood: for how long the controller could not listen.  If
   it stands still again while deadlines wait, they do so for as long again as it stood (LISTEN_TIME
   at most), so that a controller that stumbles along judges them, too. */
void listen_begin(struct cluster *c, usec_t stood, usec_t now);
/* No order has left since, until listen_release(): deadlines wait, and are as much later then as no
   order has left. */
void listen_hold(struct cluster *c, usec_t since);
void listen_release(struct cluster *c, usec_t now); /* nothing, where there was no listen_hold() */
/* n's agent is asked, if jobs run there, or it is waited for. */
void listen_ask(struct cluster *c, struct node *n, usec_t now);
/* n's agent has answered the last question. */
void listen_heard(struct cluster *c, struct node *n);
/* d is due and waits: it is kept here. */
bool listen_keeps(struct cluster *c, const struct deadline *d);
/* Puts back into the heap what was kept, when all have been heard or LISTEN_TIME is over. */
void listen_review(struct cluster *c, usec_t now);
/* j's limit or grace_end is over; true: its agents may know that it has ended before.  Asked again
   at j->running.heard_by, or when they have spoken. */
bool listen_for_job(const struct cluster *c, struct job *j, usec_t now);
