/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PreemptExemptTime and the start of a preemptor.  The plan takes running jobs to run until their
 * limits.  A preemptor starts earlier than that: when its victims have run for PreemptExemptTime
 * and their GraceTime is over.  This file finds that start for display alone: no node is kept for
 * it, and other jobs may run there until then.
 *
 * Preemptors are looked at in the queue's order: nodes on which one is expected to start are not
 * chosen for later ones. */
#include "controller/accounts/bids.h"
#include "controller/preempt/preempt.h"
#include "controller/sched/sched_private.h"

/* The most preemptors whose start is looked for; further preemptors show that of their plans. */
#define AWAITED_MAX 64u
/* The most times, each the end of a PreemptExemptTime, that are tried for one preemptor. */
#define TRIES_MAX 8u

static bool is_awaited(const struct cluster *c, const struct exempt_wait *w, usec_t now) {
        const struct job *k = cluster_job(c, w->job);

        return k && k->state == JOB_PENDING && k->waiting.after_exempt > now;
}

static void forget(struct cluster *c, size_t i) {
        bitset_free(c->exempt_waits[i].nodes);
        c->exempt_waits[i] = c->exempt_waits[--c->n_exempt_waits];
}

/* Drops entries of jobs that wait no more, and the entry of j. */
static void tidy(struct cluster *c, const struct job *j, usec_t now) {
        for (size_t i = 0; i < c->n_exempt_waits;)
                if (c->exempt_waits[i].job == j->id || !is_awaited(c, &c->exempt_waits[i], now))
                        forget(c, i);
                else
                        i++;
}

/* Takes the nodes that earlier jobs in the queue await the exempt victims of out of usable. */
static void leave_to_those_before(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable) {
        const struct bid me = bid_of(j);

        for (size_t i = 0; i < c->n_exempt_waits; i++) {
                const struct exempt_wait *w = &c->exempt_waits[i];
                const struct job *k = is_awaited(c, w, now) ? cluster_job(c, w->job) : NULL;
                if (k && k != job_itself(j) && k->waiting.n_bids &&
                                bid_order(&k->waiting.bids[0], &me) < 0)
                        bitset_minus(usable, w->nodes);
        }
}

usec_t sched_after_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known,
                struct placement *ret) {
        const usec_t now = when.from;
        _cleanup_(bitset_freep) struct bitset *left = bitset_copy(usable);
        usec_t start = USEC_INFINITY;

        leave_to_those_before(c, j, now, left);
        for (unsigned i = 0; i < TRIES_MAX && again != USEC_INFINITY && again > when.from; i++) {
                struct preemption p;
                when.until += again - when.from;
                when.from = again;
                int r = preempt_place(c, j, left, when, false, known, &p);
                again = p.again;
                if (r == 0 || (r == -EINPROGRESS && p.ends)) {
                        start = when.from;
                        for (size_t k = 0; k < p.where.n_victims && p.ends; k++)
                                start = MAX(start,
                                                when.from + sched_grace(c, p.where.victims[k], j));
                        *ret = p.where;
                        p.where = (struct placement){ 0 };
                        again = USEC_INFINITY;
                }
                preemption_done(&p);
        }
        return start;
}

void sched_await_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known) {
        const usec_t now = when.from;
        struct job *itself = job_itself(j);
        struct placement where = { 0 };

        tidy(c, itself, now);
        itself->waiting.after_exempt = 0;
        if (again == USEC_INFINITY || c->n_exempt_waits >= AWAITED_MAX)
                return;
        usec_t start = sched_after_exempt(c, j, usable, when, again, known, &where);
        if (start != USEC_INFINITY) {
                GROW(c->exempt_waits, c->a_exempt_waits, c->n_exempt_waits);
                c->exempt_waits[c->n_exempt_waits++] = (struct exempt_wait){ itself->id,
                        bitset_copy(where.nodes) };
                itself->waiting.after_exempt = start;
        }
        placement_done(&where);
}

usec_t sched_expected_start(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *nodes) {
        const struct job_plan *p = j->waiting.plan;
        const usec_t earlier = j->waiting.after_exempt;

        if (j->state != JOB_PENDING || !p)
                return 0;
        if (earlier <= now || earlier >= p->start + p->boot) {
                for (size_t i = 0; nodes && i < p->n_ranges; i++)
                        bitset_add_range(nodes, p->ranges[i].from, p->ranges[i].n);
                return p->start + p->boot;
        }
        for (size_t i = 0; nodes && i < c->n_exempt_waits; i++)
                if (c->exempt_waits[i].job == j->id && is_awaited(c, &c->exempt_waits[i], now))
                        bitset_or(nodes, c->exempt_waits[i].nodes);
        return earlier;
}
