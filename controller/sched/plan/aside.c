/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sbatch --test-only asks for the start of a job not in the queue. Plans of jobs that would be
 * behind the job are removed from the profile during the search, and laid again unchanged. Lower
 * bounds of starts (shape.h) learned meanwhile stay true: with more plans no job fits earlier. */
#include "controller/sched/plan/plan.h"

#include "controller/accounts/bids.h"
#include "controller/sched/plan/shape.h"

/* Lifts the plan of a job; the plans of all components of a heterogeneous job. */
static void aside_add(struct aside *to, struct backfill *b, struct job_plan *first) {
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
                aside_add(&aside, b, p);
        }
        if (aside.n > 0)
                shapes_freed(b->shapes, first);
        return aside;
}

void plans_put_back(struct backfill *b, struct aside *of) {
        while (of->n > 0)
                plan_lay_again(b, of->of[--of->n]);
        free(of->of);
        *of = (struct aside){ 0 };
}
