/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/bids.h - entries in the queue of a job pending in several partitions (-p a,b)
 *
 * A job is queued once for each partition, at the position given by the partition's tier and the
 * job's priority there.  The scheduler considers the bids in queue order and starts the job in the
 * first possible partition; then all bids are removed.  JobSpec.partition keeps the list for a
 * requeue.  While the job is pending, j->partition is the first partition of the list.  Questions
 * about a different partition are asked of a const value of the job (job_in_bid()), and the job
 * itself stays unchanged. */
#pragma once

#include "controller/model/cluster.h"

/* Scheduling order; 0: equal. */
int bid_order(const struct bid *a, const struct bid *b);
/* The bid of j under consideration; for a component the leader's bid, in whose turn all are
   placed. */
struct bid bid_of(const struct job *j);
/* Make the bids from the list, sorted in queue order, and remove them. j->partition becomes the
   first configured partition.  Part of the insertion into the queue. */
void bids_make(const struct cluster *c, struct job *j);
void bids_drop(struct job *j);
/* Updates the bids' priorities of a job in several partitions, after a change of the job's priority
   or defaults.  Returns true if a priority changed; the caller then sorts the queue. */
bool bids_prioritize(const struct cluster *c, struct job *j);
/* Values of a job in a different place, for questions; the job itself stays unchanged.  Returns j
   if nothing differs, else *room, which borrows all pointers of j and is valid until j changes.
   Decisions are written to job_itself(), where their results (claim, plan, reason...) are read
   too. */
/* The job in the partition of b, with the defaults there. */
const struct job *job_in_bid(struct bid *b, struct job *room);
/* The job in a partition in which it is or was pending. */
const struct job *job_in_partition(const struct job *j, struct partition *p, struct job *room);
/* The job in reservation r, or without reservation (NULL).  j may be a value already. */
const struct job *job_in_resv(const struct job *j, struct resv *r, struct job *room);
/* The job with the given time limit instead of the requested (--time-min). */
const struct job *job_limited(const struct job *j, usec_t limit, struct job *room);
/* Turns the starting job j into the value as, which may be a value of the rest of j's array. */
void job_becomes(struct job *j, const struct job *as);
/* The job of a value; not to be called once the job has started. */
static inline struct job *job_itself(const struct job *as) {
        return as->waiting.n_bids ? as->waiting.bids[0].job : (struct job *)(uintptr_t)as;
}
/* The job's plan if planned for bid b; else NULL. */
static inline struct job_plan *bid_plan(const struct bid *b) {
        return b->job->waiting.plan && b->job->waiting.plan->bid == b ? b->job->waiting.plan : NULL;
}
/* The reason displayed for a job in several partitions; why is the reason of the present bid. */
enum job_reason bids_reason(const struct job *j, enum job_reason why);
/* True if the job is in the partition, or pending there among others. */
bool job_bids_for(const struct job *j, const char *partition);
/* True for any of the partitions, which must be sorted by sort_names(EXACT_CASE). */
bool job_bids_for_one_of(const struct job *j, char *const *partitions, size_t n);
/* Returns the next name of a comma list; *rest starts as the list.  NULL: end.  The caller frees
   the name. */
char *partition_next(const char **rest);
