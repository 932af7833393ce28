/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PreemptExemptTime and the start of a preemptor. The plan assumes running jobs to run until their
 * limits, but a preemptor starts earlier: when its victims have run for PreemptExemptTime and their
 * GraceTime is over. This file finds the earlier start, for display only: no node is kept for the
 * preemptor, and further jobs may run on the nodes until then.
 *
 * Preemptors are considered in queue order: nodes of an expected start are not chosen for later
 * preemptors. */
#include "controller/accounts/bids.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/sched/sched_private.h"

/* Maximum number of preemptors, or components of preemptors, searched for between two changes, with
   or without success; further preemptors show the planned start. */
#define AWAITED_MAX 64u
/* The most ends of a PreemptExemptTime tried for one preemptor. */
#define TRIES_MAX 8u

uint64_t sched_exempt_moment(const struct cluster *c) {
        return c->moment + c->exempt_changes;
}

static const struct job *waiting_job(const struct cluster *c, const struct exempt_wait *w) {
        const struct job *k = cluster_job(c, w->job);

        return k && k->state == JOB_PENDING ? k : NULL;
}

static bool exempt_start_is_awaited(const struct cluster *c, const struct exempt_wait *w,
                usec_t now) {
        return w->start != USEC_INFINITY && w->start > now && waiting_job(c, w);
}

/* A search with a start is kept until the start; a search without is kept until something
   changes. */
static bool exempt_wait_is_kept(const struct cluster *c, const struct exempt_wait *w, usec_t now) {
        return waiting_job(c, w) &&
               (w->start == USEC_INFINITY ? w->moment == sched_exempt_moment(c) : w->start > now);
}

static void exempt_wait_drop(struct cluster *c, size_t i) {
        exempt_wait_done(&c->exempt_waits[i]);
        c->exempt_waits[i] = c->exempt_waits[--c->n_exempt_waits];
}

static void forget_old(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_exempt_waits;)
                if (exempt_wait_is_kept(c, &c->exempt_waits[i], now))
                        i++;
                else
                        exempt_wait_drop(c, i);
}

/* Sets the displayed start of the job and its components: the earliest start found in any of the
   job's partitions. */
static void show_earliest(struct cluster *c, struct job *leader, usec_t now) {
        usec_t start = USEC_INFINITY;

        for (size_t i = 0; i < c->n_exempt_waits; i++)
                if (c->exempt_waits[i].job == leader->id &&
                                exempt_start_is_awaited(c, &c->exempt_waits[i], now))
                        start = MIN(start, c->exempt_waits[i].start);
        start = start == USEC_INFINITY ? 0 : start;
        leader->waiting.after_exempt = start;
        for (uint32_t i = 0; leader->het && i < leader->het->n; i++)
                if (leader->het->of[i])
                        leader->het->of[i]->waiting.after_exempt = start;
}

static struct job *leader_of(const struct job *j) {
        return (struct job *)(uintptr_t)job_leader(job_itself(j));
}

void sched_forget_exempt(struct cluster *c, const struct job *j, usec_t now) {
        struct job *leader = leader_of(j);

        for (size_t i = 0; i < c->n_exempt_waits;)
                if (c->exempt_waits[i].job == leader->id)
                        exempt_wait_drop(c, i);
                else
                        i++;
        show_earliest(c, leader, now);
}

/* Removes from usable the nodes on which jobs ahead of j in the queue are expected to start when
   their victims' PreemptExemptTime is over. j: for a heterogeneous job the leader. */
static void leave_to_those_before(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable) {
        const struct bid me = bid_of(j);

        for (size_t i = 0; i < c->n_exempt_waits; i++) {
                const struct exempt_wait *w = &c->exempt_waits[i];
                const struct job *leader = exempt_start_is_awaited(c, w, now) ? waiting_job(c, w)
                                                                              : NULL;
                if (!leader || leader == job_itself(j) || !leader->waiting.n_bids ||
                                bid_order(&leader->waiting.bids[0], &me) >= 0)
                        continue;
                for (size_t k = 0; k < w->n; k++)
                        bitset_minus(usable, w->of[k].nodes);
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

/* ---- searches that are remembered ---- */

/* Returns whether w is a search for these components in the same partitions and reservations. */
static bool is_search_of(const struct exempt_wait *w, const struct together *of, size_t n) {
        bool same = w->n == n;

        for (size_t i = 0; i < n && same; i++)
                same = w->of[i].job == job_itself(of[i].j)->id &&
                       w->of[i].partition == of[i].j->partition &&
                       w->of[i].resv == of[i].j->placed.resv;
        return same;
}

/* Index of the search for these components in c->exempt_waits; n_exempt_waits: no such search. */
static size_t find_search(const struct cluster *c, const struct together *of, size_t n) {
        size_t i = 0;

        while (i < c->n_exempt_waits && !is_search_of(&c->exempt_waits[i], of, n))
                i++;
        return i;
}

/* A search for these components, without a result yet. */
static struct exempt_wait search_of(const struct cluster *c, const struct together *of, size_t n,
                usec_t again) {
        struct exempt_wait w = { .job = leader_of(of->j)->id,
                .moment = sched_exempt_moment(c),
                .seen = of->when.from,
                .again = again,
                .start = USEC_INFINITY,
                .n = n,
                .of = xnew0(struct exempt_place, n) };

        for (size_t i = 0; i < n; i++) {
                w.of[i] = (struct exempt_place){ .job = job_itself(of[i].j)->id,
                        .partition = of[i].j->partition,
                        .resv = of[i].j->placed.resv,
                        .usable = bitset_copy(of[i].usable) };
                leave_to_those_before(c, of->j, of->when.from, w.of[i].usable);
        }
        return w;
}

/* Returns whether both searches have the same inputs, and so the same result. */
static bool is_same_search(const struct exempt_wait *a, const struct exempt_wait *b) {
        bool same = a->moment == b->moment && a->again == b->again;

        for (size_t i = 0; i < a->n && same; i++)
                same = bitset_equal(a->of[i].usable, b->of[i].usable);
        return same;
}

/* Number of preemptors or components for which a search may still be made before the next
   change. */
static size_t searches_left(const struct cluster *c) {
        size_t made = 0;

        for (size_t i = 0; i < c->n_exempt_waits; i++)
                made += c->exempt_waits[i].n;
        return AWAITED_MAX - MIN(made, (size_t)AWAITED_MAX);
}

static void exempt_search(struct cluster *c, struct exempt_wait *w, const struct together *of,
                size_t n, struct preempt_known *known) {
        struct placement *where = xnew0(struct placement, n);

        w->start = job_is_het(of->j) ? sched_after_exempt_together(c, of, n, w->again, known, where)
                                     : sched_after_exempt(c, of->j, of->usable, of->when, w->again,
                                                       known, where);
        for (size_t i = 0; i < n; i++) {
                if (w->start != USEC_INFINITY)
                        w->of[i].nodes = bitset_copy(where[i].nodes);
                placement_done(&where[i]);
        }
        free(where);
}

/* Forgets earlier searches for the job, except searches (in different partitions) made at this
   instant or since the last change. */
static void forget_earlier(struct cluster *c, const struct job *leader, usec_t now) {
        for (size_t i = 0; i < c->n_exempt_waits;) {
                const struct exempt_wait *w = &c->exempt_waits[i];
                if (w->job == leader->id && w->seen != now && w->moment != sched_exempt_moment(c))
                        exempt_wait_drop(c, i);
                else
                        i++;
        }
}

void sched_await_exempt_together(struct cluster *c, const struct together *of, size_t n,
                usec_t again, struct preempt_known *known) {
        const usec_t now = of->when.from;
        struct job *leader = leader_of(of->j);

        forget_old(c, now);
        forget_earlier(c, leader, now);
        struct exempt_wait w = search_of(c, of, n, again);
        const size_t at = find_search(c, of, n);
        if (at < c->n_exempt_waits && is_same_search(&c->exempt_waits[at], &w)) {
                c->exempt_waits[at].seen = now;
                exempt_wait_done(&w);
                return;
        }
        if (at < c->n_exempt_waits)
                exempt_wait_drop(c, at);
        if (again != USEC_INFINITY && n <= searches_left(c)) {
                exempt_search(c, &w, of, n, known);
                GROW(c->exempt_waits, c->a_exempt_waits, c->n_exempt_waits);
                c->exempt_waits[c->n_exempt_waits++] = w;
        } else {
                exempt_wait_done(&w);
        }
        show_earliest(c, leader, now);
}

void sched_await_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known) {
        _cleanup_(bitset_freep) struct bitset *own = bitset_copy(usable);
        const struct together of = { .j = j, .usable = own, .when = when };

        sched_await_exempt_together(c, &of, 1, again, known);
}

bool sched_may_await_exempt(struct cluster *c, const struct job *j, usec_t now) {
        const struct together of = { .j = j };

        forget_old(c, now);
        if (find_search(c, &of, 1) < c->n_exempt_waits)
                return false;
        return searches_left(c) > 0;
}

/* Adds the nodes on which search w expects j to start; false: w does not concern j. */
static bool add_nodes(const struct exempt_wait *w, const struct job *j, struct bitset *nodes) {
        for (size_t i = 0; i < w->n; i++)
                if (w->of[i].job == j->id) {
                        bitset_or(nodes, w->of[i].nodes);
                        return true;
                }
        return false;
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
        for (size_t i = 0; nodes && i < c->n_exempt_waits; i++) {
                const struct exempt_wait *w = &c->exempt_waits[i];
                if (w->start == earlier && exempt_start_is_awaited(c, w, now) &&
                                add_nodes(w, j, nodes))
                        break;
        }
        return earlier;
}
