/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/preempt_known.h - what preempt_place() has found out for one job and may use for the next, within a pass
 *
 * Between two preemptors of a pass few things change: a job has started, another is on its way out.  So what each node could
 * give and what stopping a job there would cost is kept by what is asked for, and looked at again where the node or those on it
 * have changed; and so is the order of all that run. */
#pragma once

#include "controller/sched/place/place.h"

struct preempt_price {
        size_t node;
        double jobs, rank, work; /* that stopping costs there; a job's share of each of its nodes */
};

struct preempt_memo {
        struct place_memo place;
        struct preempt_price *price; /* per node, where priced has it */
        struct bitset *priced;
};

struct preempt_known;
struct preempt_known *preempt_known_new(struct cluster *c);
struct preempt_known *preempt_known_free(struct preempt_known *k); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct preempt_known *, preempt_known_free)
struct preempt_one {
        struct job *job;
        size_t node; /* one that it has: at hand, as all are asked for it each time */
};

/* All jobs that hold resources, in preempt_order(); borrowed until the next call. */
const struct preempt_one *preempt_known_order(struct preempt_known *k, size_t *ret_n);
/* Of such jobs, with (ends) or without those gone that are on their way out.  yielding: per node, another value for others there
   that are out of j's way; it must last as long as the memo is used. */
struct preempt_memo *preempt_known_memo(struct preempt_known *k, const struct job *j, bool ends, const uint64_t *yielding);
