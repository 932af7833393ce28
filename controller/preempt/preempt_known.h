/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/preempt_known.h - what preempt_place() has found out for one job and can use
 * for the next, within a pass
 *
 * Little changes between two preemptors of a pass: a job has started, another is ending.  So the
 * capacity of each node and the cost of preempting its jobs are cached by the kind of request, and
 * computed again where the node or its jobs have changed.  The order of all running jobs is kept,
 * too. */
#pragma once

#include "controller/sched/place/place.h"

struct preempt_price {
        size_t node;
        /* Harm of preempting the node's jobs; each job counts with 1/nodes. */
        double jobs, rank, work;
};

struct preempt_memo {
        struct place_memo place;
        struct preempt_price *price; /* by node; valid where priced has it */
        struct bitset *priced;
};

struct preempt_known;
struct preempt_known *preempt_known_new(struct cluster *c);
struct preempt_known *preempt_known_free(struct preempt_known *k); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct preempt_known *, preempt_known_free)
struct preempt_one {
        struct job *job;
        size_t node; /* one of its nodes, for a quick first check */
};

/* All jobs that hold resources, in preempt_order(); borrowed until the next call. */
const struct preempt_one *preempt_known_order(struct preempt_known *k, size_t *ret_n);
/* PreemptParameters=reclaim_licenses: what would be free for j of its hierarchical resources, were
   the jobs at these places of c->active gone; the caller frees. */
typedef struct hres_room *preempt_room_fn(const void *user, const struct job *j,
                const struct bitset *gone);
/* From now on what victims hold of layers is asked for there; k borrows user. */
void preempt_known_count_layers(struct preempt_known *k, preempt_room_fn *room, const void *user);
/* NULL: layers that victims hold do not count, or j asks for none. */
struct hres_room *preempt_known_room(const struct preempt_known *k, const struct job *j,
                const struct bitset *gone);
/* The memo for requests like j's; ends: ending jobs count as gone.  yielding: by node, a hash of
   the jobs there that are out of j's way; borrowed as long as the memo is used. */
struct preempt_memo *preempt_known_memo(struct preempt_known *k, const struct job *j, bool ends,
                const uint64_t *yielding);
