/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/bids.h - a job that waits for several partitions (-p a,b)
 *
 * It stands in the queue once for each of them, at the place that the partition's tier and its
 * priority there give it.  The scheduler looks at one after the other, and where it can start first
 * it does; then all are gone.  JobSpec.partition keeps the list, so that it is there again when the
 * job is requeued.  While it waits its partition is the first of the list; what it would be in
 * another one is asked of a value (job_in_bid()), and the job itself stays as it is. */
#pragma once

#include "controller/model/cluster.h"

/* Scheduling order; 0: the same. */
int bid_order(const struct bid *a, const struct bid *b);
/* j as it is being looked at; of a component its leader's: all are placed in that one's turn. */
struct bid bid_of(const struct job *j);
/* Made of its list, in the queue's order, and undone; its partition becomes the first that there
   is. Part of the insertion. */
void bids_make(const struct cluster *c, struct job *j);
void bids_drop(struct job *j);
/* Priorities where there are several partitions, after the job's own, or what it is to have there,
   has changed; true: one of them has changed.  The order of the queue is the caller's. */
bool bids_prioritize(const struct cluster *c, struct job *j);
/* A job as it would be elsewhere, for questions: the job itself stays as it is.  The answer is j
   where nothing would be other than it is; else it is *room, which borrows all that j points to and
   holds until j changes.  What is decided is written to job_itself(), and what such a decision
   changes (claim, plan, reason ...) is read from there. */
/* In the partition of that bid, with what it has there by default. */
const struct job *job_in_bid(struct bid *b, struct job *room);
/* In a partition that it waits for, or has waited for. */
const struct job *job_in_partition(const struct job *j, struct partition *p, struct job *room);
/* In that reservation, or (NULL) in none.  Which of its values j is does not matter. */
const struct job *job_in_resv(const struct job *j, struct resv *r, struct job *room);
/* With that time limit instead of what it asks for (--time-min). */
const struct job *job_limited(const struct job *j, usec_t limit, struct job *room);
/* j, which starts, becomes what such a value of it, or of the rest of its array, is. */
void job_becomes(struct job *j, const struct job *as);
/* The job that such a value is of; not once that has started. */
static inline struct job *job_itself(const struct job *as) {
        return as->waiting.n_bids ? as->waiting.bids[0].job : (struct job *)(uintptr_t)as;
}
/* Its plan, if it is planned there. */
static inline struct job_plan *bid_plan(const struct bid *b) {
        return b->job->waiting.plan && b->job->waiting.plan->bid == b ? b->job->waiting.plan : NULL;
}
/* Of why it waits in several partitions: what is said of it.  why: of the one that is looked at. */
enum job_reason bids_reason(const struct job *j, enum job_reason why);
/* It runs there or, pending, waits for it too. */
bool job_bids_for(const struct job *j, const char *partition);
/* For one of these; partitions: sort_names(EXACT_CASE). */
bool job_bids_for_one_of(const struct job *j, char *const *partitions, size_t n);
/* The names in a list with commas, in turn: *rest begins as the list; NULL: no more. The caller
   frees. */
char *partition_next(const char **rest);
