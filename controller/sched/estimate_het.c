/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimated start of a heterogeneous job, all components at once, in the order of estimate.c:
 * now on free nodes, now by preemption, as planned, or after the first running jobs have ended. */
#include "controller/accounts/bids.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/license.h"
#include "controller/sched/backfill.h"
#include "controller/sched/sched_private.h"

/* Determines the nodes of each component. kept: without nodes kept for further jobs, and with the
   present free layers of hierarchical resources; else all nodes, and layers are determined later,
   without the jobs supposed to be gone. */
static void het_way_set_nodes(struct cluster *c, struct het_way *w, bool kept, usec_t now) {
        for (size_t i = 0; i < w->n; i++) {
                struct together *o = &w->of[i];
                bitset_free(o->usable);
                o->room = hres_room_free(o->room);
                o->usable = sched_usable(c);
                if (kept) {
                        backfill_keep(c, o->j, false, now, o->usable);
                        claims_take(c, o->j, o->usable);
                }
                o->when = sched_heed_reservations(c, o->j, now, o->usable);
                if (kept)
                        o->room = licenses_room(c, o->j, now, false, NULL, NULL);
                o->when.room = o->room;
        }
}

static void het_way_forget_places(struct het_way *w) {
        for (size_t i = 0; i < w->n; i++)
                placement_done(&w->of[i].where);
}

static bool is_listed(const struct het_estimate *e, const struct job *victim) {
        for (size_t i = 0; i < e->n_victims; i++)
                if (e->victims[i] == victim)
                        return true;
        return false;
}

/* Sets *ret to the start and the nodes, CPUs and victims of all components. */
static void het_estimate_set(const struct cluster *c, struct het_way *w, usec_t start,
                struct het_estimate *ret) {
        size_t allocated = 0;

        het_estimate_done(ret);
        ret->start = start;
        ret->nodes = bitset_new(c->n_nodes);
        for (size_t i = 0; i < w->n; i++) {
                const struct placement *where = &w->of[i].where;
                bitset_or(ret->nodes, where->nodes);
                ret->num_cpus += where->num_cpus;
                for (size_t k = 0; k < where->n_victims; k++) {
                        if (is_listed(ret, where->victims[k]))
                                continue;
                        GROW(ret->victims, allocated, ret->n_victims);
                        ret->victims[ret->n_victims++] = where->victims[k];
                }
        }
}

static bool may_be_tried(struct cluster *c, const struct het_way *w, usec_t now) {
        for (size_t i = 0; i < w->n; i++)
                if (!backfill_has_licenses(c, w->of[i].j, now))
                        return false;
        return het_way_limit(c, w, now, NULL) == REASON_NONE;
}

/* The start by preemption: at the end of the longest GraceTime. */
static int het_estimate_by_force(struct cluster *c, struct het_way *w, usec_t now,
                struct het_estimate *ret) {
        _cleanup_(preempt_known_freep) struct preempt_known *known = preempt_known_new(c);
        struct preemption *p = xnew0(struct preemption, w->n);
        bool ends;
        int r = sched_preempt_together(c, w->of, w->n, known, p, &ends);
        usec_t start = sched_preempted_start(c, w->of, w->n, p, ends);

        if (r == -EINPROGRESS && ends)
                r = 0;
        for (size_t i = 0; i < w->n && r == 0; i++) {
                w->of[i].where = p[i].where;
                p[i].where = (struct placement){ 0 };
        }
        preemptions_done(p, w->n);
        free(p);
        if (r == 0)
                het_estimate_set(c, w, start, ret);
        return r;
}

static int way_now(struct cluster *c, struct het_way *w, usec_t now, struct het_estimate *ret) {
        size_t why;

        het_way_set_nodes(c, w, true, now);
        if (!may_be_tried(c, w, now))
                return -EBUSY;
        int r = place_together(c, w->of, w->n, PLACE_FREE, NULL, &why);
        if (r >= 0)
                het_estimate_set(c, w, now, ret);
        else
                r = het_estimate_by_force(c, w, now, ret);
        het_way_forget_places(w);
        return r;
}

/* The start when victims may be preempted that PreemptExemptTime protects now. */
static int way_after_exempt(struct cluster *c, struct het_way *w, usec_t now,
                struct het_estimate *ret) {
        _cleanup_(preempt_known_freep) struct preempt_known *known = preempt_known_new(c);
        bool ends;

        het_way_set_nodes(c, w, true, now);
        if (!may_be_tried(c, w, now))
                return -EBUSY;
        struct preemption *p = xnew0(struct preemption, w->n);
        struct placement *where = xnew0(struct placement, w->n);
        usec_t start = USEC_INFINITY;
        if (sched_preempt_together(c, w->of, w->n, known, p, &ends) == -EBUSY)
                start = sched_after_exempt_together(c, w->of, w->n, sched_preempt_again(p, w->n),
                                known, where);
        if (start != USEC_INFINITY) {
                for (size_t i = 0; i < w->n; i++)
                        w->of[i].where = where[i];
                het_estimate_set(c, w, start, ret);
                het_way_forget_places(w);
        }
        preemptions_done(p, w->n);
        free(p);
        free(where);
        return start != USEC_INFINITY ? 0 : -EBUSY;
}

/* ---- after others ---- */

static int het_way_try_after(struct cluster *c, struct het_way *w, const struct ending *all,
                size_t n) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(c->n_active);
        size_t why;

        het_way_forget_places(w);
        for (size_t i = 0; i < n; i++)
                bitset_add(gone, all[i].job->listed.queue_at);
        for (size_t i = 0; i < w->n; i++)
                if (!licenses_free_without(c, w->of[i].j, w->of[i].when.from, NULL, gone))
                        return -EBUSY;
        int r = place_together(c, w->of, w->n, PLACE_FREE, gone, &why);
        return r == -EDQUOT && w->of[why].where.limit == REASON_MAX_POWERED_NODES ? -EBUSY : r;
}

/* Finds the smallest number of job ends after which all components have a place. */
static int way_later(struct cluster *c, struct het_way *w, usec_t now, struct het_estimate *ret) {
        _cleanup_free_ struct ending *all = estimate_endings(c, now);
        size_t low = 0, high = c->n_active;

        het_way_set_nodes(c, w, false, now);
        if (het_way_try_after(c, w, all, 0) >= 0)
                high = 0;
        int r = high ? het_way_try_after(c, w, all, high) : 0;
        while (r >= 0 && high - low > 1) {
                size_t middle = low + (high - low) / 2;
                if (het_way_try_after(c, w, all, middle) < 0)
                        low = middle;
                else
                        high = middle;
        }
        if (r >= 0)
                r = het_way_try_after(c, w, all, high);
        if (r >= 0) {
                het_estimate_set(c, w, high ? all[high - 1].at : now, ret);
                const struct placement where = { .nodes = ret->nodes };
                ret->start += estimate_until_power(c, &where);
        }
        het_way_forget_places(w);
        return r;
}

/* ---- of all ways, in all partitions of the first one ---- */

/* Keeps the earlier of two estimates in *ret and frees the other. r and there are the results of
   *ret and e; returns the result of the kept estimate. */
static int het_estimate_keep_better(struct het_estimate *ret, int r, struct het_estimate *e,
                int there) {
        bool better = there >= 0 && (r < 0 || e->start < ret->start);

        if (better) {
                struct het_estimate other = *ret;
                *ret = *e;
                *e = other;
        }
        het_estimate_done(e);
        return better || r < 0 ? there : r;
}

static int best_way(struct cluster *c, const struct job *j, usec_t now,
                int (*of_way)(struct cluster *c, struct het_way *w, usec_t now,
                                struct het_estimate *ret),
                struct het_estimate *ret) {
        int r = -ENOENT;

        for (size_t i = 0, n = het_ways(c, j, HET_LATER, now); i < n; i++) {
                _cleanup_(het_way_done) struct het_way w = het_way(c, j, i, HET_LATER, now);
                struct het_estimate e = { 0 };
                int there = of_way(c, &w, now, &e);
                r = het_estimate_keep_better(ret, r, &e, there);
        }
        return r;
}

/* The start in the plan, but not before running jobs leave room in the limits. */
static int in_plan(struct cluster *c, const struct job *j, usec_t now, struct het_estimate *ret) {
        struct het_estimate e = { 0 };
        int r;

        ret->nodes = bitset_new(c->n_nodes);
        r = backfill_fit_together(c, j, now, &ret->start, ret->nodes, &ret->num_cpus);
        if (r < 0 || (!(c->config->enforce & ENFORCE_LIMITS) &&
                                     c->config->max_powered_nodes == UINT32_MAX))
                return r;
        int limits = best_way(c, j, now, way_later, &e);
        if (limits >= 0 && e.start > ret->start) {
                struct het_estimate other = *ret;
                *ret = e;
                e = other;
        }
        het_estimate_done(&e);
        return limits == -EDQUOT ? limits : r;
}

static int in_bid(struct cluster *c, const struct job *j, usec_t now, struct het_estimate *ret) {
        int r = best_way(c, j, now, way_now, ret);
        struct het_estimate later = { 0 };

        if (r >= 0)
                return r;
        int there = best_way(c, j, now, way_after_exempt, &later);
        if (c->config->bf.on && (c->n_queue || c->resvs.n))
                r = in_plan(c, j, now, ret);
        else
                r = best_way(c, j, now, way_later, ret);
        return there >= 0 ? het_estimate_keep_better(ret, r, &later, there) : r;
}

int het_estimate(struct cluster *c, const struct job *leader, usec_t now,
                struct het_estimate *ret) {
        const struct het *h = leader->het;
        int r = -ENOENT;

        *ret = (struct het_estimate){ 0 };
        for (size_t k = 0; k < leader->waiting.n_bids; k++) {
                struct het_estimate e = { 0 };
                struct job room;
                const struct job *as = job_in_bid(&leader->waiting.bids[k], &room);
                int there = partition_wait_reason(c, as) == REASON_NONE ? in_bid(c, as, now, &e)
                                                                        : -ENOENT;
                r = het_estimate_keep_better(ret, r, &e, there);
        }
        for (uint32_t i = 0; i < h->n && r >= 0; i++)
                ret->start = MAX(ret->start, job_begin(h->of[i]));
        return r;
}

void het_estimate_done(struct het_estimate *e) {
        bitset_free(e->nodes);
        free(e->victims);
        *e = (struct het_estimate){ 0 };
}
