/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/priority.h - what a waiting job's priority is, and when it is worked out
 * again
 *
 * priority/basic counts down: first come, first served.  priority/multifactor is a sum of weighted
 * factors, each from 0 to 1 (or as large as it is with PriorityFlags=NO_NORMAL_...), less --nice.
 */
#pragma once

#include "controller/model/cluster.h"

/* A job's of now; 0 for what is not known of it. */
void priority_factors(const struct cluster *c, const struct job *j, usec_t now,
                double ret[PRIORITY_FACTOR_MAX]);
/* What j, which has none of its own choice, gets: 1 to UINT32_MAX - 1. */
uint32_t priority_take(struct cluster *c, const struct job *j, usec_t now);
/* The priority with which j, which is not in the queue, would be submitted: the one that j asks
   for, or that of priority_take(), which this does not take.  0: j would be held. */
uint32_t priority_expected(struct cluster *c, const struct job *j, usec_t now);
/* j's, which waits for several partitions, in another one; 0: as in its own. */
uint32_t priority_elsewhere(const struct cluster *c, const struct job *j, struct partition *there);
/* --nice has changed (j->asked.nice is the new one): j's priority follows; it stays where it is in
   the queue. */
void priority_reniced(struct cluster *c, struct job *j, int32_t before, usec_t now);
/* What its factors come to, whether it has chosen one or not. */
uint32_t priority_multifactor(const struct cluster *c, const struct job *j, usec_t now);
/* j's, as the next review will have it. */
uint32_t priority_now(const struct cluster *c, const struct job *j, usec_t now);
/* accrue.c: j, which has come into the queue, grows older from now on if it may: accrue_time. */
void accrue_enter(struct cluster *c, struct job *j, usec_t now);
/* Those that may by now: their time has come, or fewer others grow older (GrpJobsAccrue and such).
   Each turn. */
void accrue_review(struct cluster *c, usec_t now);
/* Arms the next review; also at the start and after a new configuration. */
void priority_rearm(struct cluster *c, usec_t at);
/* What there is of CPUs and memory, for the size of a job: follows nodes and partitions. */
void priority_count_totals(struct cluster *c);
