/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/preempt_known.h - cache of preempt_place() from job to job, within a pass
 *
 * Little changes between two preemptors of a pass: a job has started, a job has begun to end.  So
 * the capacity of each node and the cost of preempting the node's jobs are cached by kind of
 * request and computed again where the node or the node's jobs have changed.  The order of all
 * running jobs is kept, too. */
#pragma once

#include "controller/sched/place/place.h"

struct preempt_price {
        size_t node;
        /* Harm of preempting the node's jobs; each job counts with 1/nodes. */
        double jobs, rank, work;
};

struct preempt_memo {
        struct place_memo place;
        struct preempt_price *price; /* indexed by node; valid where priced has the node */
        struct bitset *priced;
};

struct preempt_known;
struct preempt_known *preempt_known_new(struct cluster *c);
struct preempt_known *preempt_known_free(struct preempt_known *k); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct preempt_known *, preempt_known_free)
struct preempt_one {
        struct job *job;
        size_t node; /* any node of the job, for a quick first check */
};

/* Returns all jobs that hold resources, in preempt_order(); borrowed until the next call. */
const struct preempt_one *preempt_known_order(struct preempt_known *k, size_t *ret_n);
/* PreemptParameters=reclaim_licenses: returns the hierarchical resources that would be free for j
   if the jobs at these indexes of c->active were gone; the caller frees. */
typedef struct hres_room *preempt_room_fn(const void *user, const struct job *j,
                const struct bitset *gone);
/* Counts the layers held by victims from now on, by calling room; k borrows user. */
void preempt_known_count_layers(struct preempt_known *k, preempt_room_fn *room, const void *user);
/* Returns the room for j; NULL if layers held by victims do not count or j asks for no layer.  The
   caller frees. */
struct hres_room *preempt_known_room(const struct preempt_known *k, const struct job *j,
                const struct bitset *gone);
/* Returns the memo for requests like j's.  ends: ending jobs count as gone.  yielding: by node, a
   hash of the jobs that make room for j; borrowed while the memo is used. */
struct preempt_memo *preempt_known_memo(struct preempt_known *k, const struct job *j, bool ends,
                const uint64_t *yielding);
