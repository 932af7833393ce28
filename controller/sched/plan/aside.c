/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans that are put aside while it is asked when a job would start that is not in the queue: those
 * of the jobs that would be behind it there.  What is found out meanwhile about what does not fit
 * stays true when they are back. */
#include "controller/sched/plan/plan.h"

#include "controller/accounts/bids.h"
#include "controller/sched/plan/shape.h"

/* Of a heterogeneous job those of all components. */
static void put_aside(struct backfill *b, struct job_plan *first, struct aside *to) {
        struct job_plan *p = first;

        do {
                if (p->laid) {
                        plan_lift(b, p);
                        GROW(to->of, to->allocated, to->n);
                        to->of[to->n++] = p;
                }
                p = p->with;
        } while (p && p != first);
}

struct aside plans_put_aside(struct cluster *c, struct backfill *b, const struct job *j,
                usec_t until) {
        const struct bid me = bid_of(j);
        size_t at = FIRST_NOT(c->n_queue, i, bid_order(c->queue[i], &me) < 0);
        struct aside aside = { 0 };
        usec_t first = USEC_INFINITY;

        for (; at < MIN(c->planned.end, c->n_queue); at++) {
                struct job_plan *p = bid_plan(c->queue[at]);
                if (!p || p->start >= until)
                        continue;
                first = MIN(first, p->start);
                put_aside(b, p, &aside);
        }
        if (aside.n > 0)
                shapes_freed(b->shapes, first);
        return aside;
}

void plans_put_back(struct backfill *b, struct aside *of) {
        while (of->n > 0)
                plan_lay(b, of->of[--of->n]);
        free(of->of);
        *of = (struct aside){ 0 };
}
