/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lifted plans: a job has started in the way of the plan, or a job ahead has made room. The jobs
 * of lifted plans find new places at their turns. Until then no job behind the first of these
 * jobs starts, as the start might take the first job's next place. */
#include "controller/sched/plan/plan.h"

#include "controller/accounts/bids.h"

void lifted_add(struct backfill *b, struct job_plan *p) {
        if (!p->job || p->lifted)
                return;
        p->lifted = true;
        GROW(b->lifted, b->a_lifted, b->n_lifted);
        b->lifted[b->n_lifted++] = p;
}

void lifted_remove(struct backfill *b, struct job_plan *p) {
        for (size_t i = b->n_lifted; p->lifted && i-- > 0;)
                if (b->lifted[i] == p) {
                        b->lifted[i] = b->lifted[--b->n_lifted];
                        p->lifted = false;
                }
}

const struct bid *lifted_first(const struct backfill *b) {
        const struct bid *first = NULL;

        for (size_t i = 0; i < b->n_lifted; i++)
                if (b->lifted[i]->job && (!first || bid_order(b->lifted[i]->bid, first) < 0))
                        first = b->lifted[i]->bid;
        return first;
}
