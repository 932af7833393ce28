/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PreemptExemptTime and the start of a preemptor.  The plan takes running jobs to run until their
 * limits.  A preemptor starts earlier than that: when its victims have run for PreemptExemptTime
 * and their GraceTime is over.  This file finds that start for display alone: no node is kept for
 * it, and other jobs may run there until then.
 *
 * Preemptors are looked at in the queue's order: nodes on which one is expected to start are not
 * chosen for later ones. */
#include "controller/accounts/bids.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/sched/sched_private.h"

/* The most preemptors, or components of preemptors, whose start is looked for; further preemptors
   show that of their plans. */
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

void sched_forget_exempt(struct cluster *c, const struct job *j, usec_t now) {
        struct job *itself = job_itself(j);

        for (size_t i = 0; i < c->n_exempt_waits;) {
                const struct exempt_wait *w = &c->exempt_waits[i];
                const struct job *k = cluster_job(c, w->job);
                if ((k && job_is_with(k, itself)) || !is_awaited(c, w, now))
                        forget(c, i);
                else
                        i++;
        }
        itself->waiting.after_exempt = 0;
        for (uint32_t i = 0; itself->het && i < itself->het->n; i++)
                if (itself->het->of[i])
                        itself->het->of[i]->waiting.after_exempt = 0;
}

/* Takes the nodes that earlier jobs in the queue await the exempt victims of out of usable.  j: of
   a heterogeneous job the leader. */
static void leave_to_those_before(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable) {
        const struct bid me = bid_of(j);

        for (size_t i = 0; i < c->n_exempt_waits; i++) {
                const struct exempt_wait *w = &c->exempt_waits[i];
                const struct job *k = is_awaited(c, w, now) ? cluster_job(c, w->job) : NULL;
                const struct job *leader = k ? job_leader(k) : NULL;
                if (leader && leader != job_itself(j) && leader->waiting.n_bids &&
                                bid_order(&leader->waiting.bids[0], &me) < 0)
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

usec_t sched_after_exempt_together(struct cluster *c, const struct together *of, size_t n,
                usec_t again, struct preempt_known *known, struct placement *ret) {
        struct together *then = xnew0(struct together, n);
        struct preemption *p = xnew0(struct preemption, n);
        usec_t now = of->when.from, start = USEC_INFINITY;

        for (size_t i = 0; i < n; i++) {
                then[i] = of[i];
                then[i].usable = bitset_copy(of[i].usable);
                leave_to_those_before(c, of->j, now, then[i].usable);
        }
        for (unsigned i = 0; i < TRIES_MAX && again != USEC_INFINITY && again > now; i++) {
                bool ends;
                for (size_t k = 0; k < n; k++) {
                        then[k].when.until += again - now;
                        then[k].when.from = again;
                }
                now = again;
                int r = sched_preempt_together(c, then, n, known, p, &ends);
                again = sched_preempt_again(p, n);
                if (r == 0 || (r == -EINPROGRESS && ends)) {
                        start = sched_preempted_start(c, then, n, p, ends);
                        again = USEC_INFINITY;
                }
                for (size_t k = 0; k < n && start != USEC_INFINITY; k++) {
                        ret[k] = p[k].where;
                        p[k].where = (struct placement){ 0 };
                }
                preemptions_done(p, n);
        }
        for (size_t i = 0; i < n; i++)
                bitset_free(then[i].usable);
        free(then);
        free(p);
        return start;
}

/* A start of j was found at this instant, in another of the partitions that it names. */
static bool is_found_now(const struct cluster *c, const struct job *j, usec_t now) {
        for (size_t i = 0; i < c->n_exempt_waits; i++)
                if (c->exempt_waits[i].job == j->id && c->exempt_waits[i].seen == now)
                        return true;
        return false;
}

/* Whether another start of j is to be looked for.  A start that was found at an earlier instant is
   forgotten. */
static bool may_await(struct cluster *c, const struct job *j, size_t n, usec_t again, usec_t now) {
        if (!is_found_now(c, j, now))
                sched_forget_exempt(c, j, now);
        return again != USEC_INFINITY && c->n_exempt_waits + n <= AWAITED_MAX;
}

/* No other start that was found for j at this instant is as early. */
static bool is_earliest(const struct job *j, usec_t start) {
        return start != USEC_INFINITY &&
               (!j->waiting.after_exempt || start < j->waiting.after_exempt);
}

static void await(struct cluster *c, struct job *j, const struct bitset *nodes, usec_t start,
                usec_t now) {
        GROW(c->exempt_waits, c->a_exempt_waits, c->n_exempt_waits);
        c->exempt_waits[c->n_exempt_waits++] = (struct exempt_wait){ .job = j->id,
                .seen = now,
                .nodes = bitset_copy(nodes) };
        j->waiting.after_exempt = start;
}

void sched_await_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known) {
        const usec_t now = when.from;
        struct job *itself = job_itself(j);
        struct placement where = { 0 };

        if (!may_await(c, itself, 1, again, now))
                return;
        usec_t start = sched_after_exempt(c, j, usable, when, again, known, &where);
        if (is_earliest(itself, start)) {
                sched_forget_exempt(c, itself, now);
                await(c, itself, where.nodes, start, now);
        }
        placement_done(&where);
}

void sched_await_exempt_together(struct cluster *c, const struct together *of, size_t n,
                usec_t again, struct preempt_known *known) {
        const usec_t now = of->when.from;
        struct job *leader = job_itself(of->j);

        if (!may_await(c, leader, n, again, now))
                return;
        struct placement *where = xnew0(struct placement, n);
        usec_t start = sched_after_exempt_together(c, of, n, again, known, where);
        if (is_earliest(leader, start)) {
                sched_forget_exempt(c, leader, now);
                for (size_t i = 0; i < n; i++)
                        await(c, job_itself(of[i].j), where[i].nodes, start, now);
        }
        for (size_t i = 0; i < n; i++)
                placement_done(&where[i]);
        free(where);
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
