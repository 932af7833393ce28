/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimated start of a job (sbatch --test-only). These starts are tried in order, the first
 * possible start counts:
 *
 * 1. now, on free nodes
 * 2. now, by preemption, or by ending jobs that hold licenses the job lacks (reclaim_licenses)
 * 3. where jobs or reservations are planned for: the start in the plan, not before the limits
 *    have room beside running jobs
 * 4. else after the first of the running jobs have ended, by their time limits; the more
 *    jobs are gone, the more is free, so the number is found by bisection
 *
 * Limits of QOS and associations, and max_powered_nodes, count as far as running jobs use them up;
 * the usage of pending jobs is unknown. A limit exceeded even with no job running is -EDQUOT. */
#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/job_defaults.h"
#include "controller/accounts/limit_check.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/job_events.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/backfill.h"
#include "controller/sched/sched_private.h"

/* Assumed run time of a job without a time limit: a year, as in Slurm. */
#define UNLIMITED (365ull * 24 * 3600 * USEC_PER_SEC)

struct estimate {
        usec_t start;
        const struct partition *partition;
        struct placement where;
};

static int ending_compare(const void *a, const void *b) {
        const struct ending *x = a, *y = b;

        if (x->at != y->at)
                return x->at < y->at ? -1 : 1;
        return x->job->id < y->job->id ? -1 : x->job->id > y->job->id;
}

static usec_t expected_end(const struct job *j, usec_t now) {
        usec_t ran = job_run_time(j, now);

        if (job_is_finished(j) || j->completing)
                return now;
        if (j->needs.time_limit == NO_LIMIT)
                return now + UNLIMITED;
        return now + (j->needs.time_limit > ran ? j->needs.time_limit - ran : 0);
}

struct ending *estimate_endings(const struct cluster *c, usec_t now) {
        struct ending *all = xnew(struct ending, c->n_active + 1);

        for (size_t i = 0; i < c->n_active; i++)
                all[i] = (struct ending){ c->active[i], expected_end(c->active[i], now) };
        list_sort(all, c->n_active, sizeof all[0], ending_compare);
        return all;
}

static int estimate_try_after(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct ending *all, size_t n, struct placement *ret) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(c->n_active);

        for (size_t i = 0; i < n; i++)
                bitset_add(gone, all[i].job->listed.queue_at);
        if (!licenses_free_without(c, j, when.from, NULL, gone))
                return -EBUSY;
        _cleanup_(bitset_freep) struct bitset *powered = powered_without(c, gone);
        _cleanup_(limits_without_freep) struct limits_without *limits = limits_without_new(c, j,
                        gone);
        const struct supposed then = { .gone = gone, .limits = limits, .powered = powered };
        if (limits_wait_reason(c, j, NULL, limits, when.from, NULL) != REASON_NONE)
                return -EDQUOT;
        _cleanup_(hres_room_freep) struct hres_room *room = licenses_room(c, j, when.from, false,
                        NULL, gone);
        when.room = room;
        return place_then(c, j, usable, when, &then, ret);
}

usec_t estimate_until_power(const struct cluster *c, const struct placement *where) {
        size_t powered = powered_count(c);
        usec_t longest = 0;

        if (!sched_too_many_powered(c, where, &powered))
                return 0;
        for (size_t i = 0; i < c->n_nodes; i++) {
                const struct node *n = c->nodes[i];
                if (!node_lacks_power(n) && !bitset_has(where->nodes, i) &&
                                n->suspend_time != NO_LIMIT)
                        longest = MAX(longest, n->suspend_time + n->suspend_timeout);
        }
        return longest;
}

/* Finds the smallest number of job ends after which j has a place. */
static int after_others(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, struct estimate *ret) {
        const usec_t now = when.from;
        _cleanup_free_ struct ending *all = estimate_endings(c, now);
        size_t low = 0, high = c->n_active; /* low ends are not enough, high ends are */
        int r = estimate_try_after(c, j, usable, when, all, 0, &ret->where);

        if (r >= 0)
                high = 0;
        else
                r = estimate_try_after(c, j, usable, when, all, high, &ret->where);
        if (r < 0)
                return r == -EDQUOT && ret->where.limit == REASON_MAX_POWERED_NODES ? -EBUSY : r;
        while (high - low > 1) {
                size_t middle = low + (high - low) / 2;
                struct placement where = { 0 };

                if (estimate_try_after(c, j, usable, when, all, middle, &where) < 0) {
                        low = middle;
                        continue;
                }
                placement_done(&ret->where);
                ret->where = where;
                high = middle;
        }
        ret->start = (high ? all[high - 1].at : now) + estimate_until_power(c, &ret->where);
        return 0;
}

/* The start in the plan, behind jobs ahead in the queue, but not before limits have room beside
   running jobs. */
static int in_plan_and_limits(struct cluster *c, const struct job *j, usec_t now,
                struct estimate *ret) {
        struct estimate e = { .start = now, .partition = j->partition };
        int r = backfill_fit(c, j, now, &ret->start, &ret->where);

        if (r < 0 || (!(c->config->enforce & ENFORCE_LIMITS) &&
                                     c->config->max_powered_nodes == UINT32_MAX))
                return r;
        _cleanup_(bitset_freep) struct bitset *usable = sched_usable(c);
        const struct period when = sched_heed_reservations(c, j, now, usable);
        int limits = after_others(c, j, usable, when, &e);
        if (limits >= 0 && e.start > ret->start) {
                struct estimate other = *ret;
                *ret = e;
                e = other;
        }
        placement_done(&e.where);
        return limits == -EDQUOT ? limits : r;
}

struct moment {
        const struct cluster *c;
        usec_t now;
};

static struct hres_room *room_without(const void *user, const struct job *j,
                const struct bitset *gone) {
        const struct moment *m = user;

        return licenses_room(m->c, j, m->now, false, NULL, gone);
}

/* The start by preemption; ending victims have their GraceTime first. If the result is -EBUSY,
   *later is the start after the PreemptExemptTime of possible victims, if any. */
static int estimate_by_force(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, struct estimate *ret, struct estimate *later) {
        _cleanup_(preempt_known_freep) struct preempt_known *known = preempt_known_new(c);
        const struct moment moment = { c, when.from };
        struct preemption p;

        if (c->config->preempt.reclaim_licenses)
                preempt_known_count_layers(known, room_without, &moment);
        int r = preempt_place(c, j, usable, when, false, known, &p);

        if (r == 0 || (r == -EINPROGRESS && p.ends)) {
                r = 0;
                ret->where = p.where;
                p.where = (struct placement){ 0 };
                for (size_t i = 0; i < ret->where.n_victims && p.ends; i++)
                        ret->start = MAX(ret->start,
                                        when.from + sched_grace(c, ret->where.victims[i], j));
        }
        if (r == -EBUSY)
                later->start = sched_after_exempt(c, j, usable, when, p.again, known,
                                &later->where);
        preemption_done(&p);
        return r;
}

static bool names_any(const struct countlist *list, const struct countlist *of) {
        for (size_t i = 0; list && i < list->n; i++)
                for (size_t k = 0; of && k < of->n; k++)
                        if (streq(list->list[i].name, of->list[k].name))
                                return true;
        return false;
}

/* Returns whether jobs ahead of j wait for licenses requested by j, so the licenses left to j are
   unknown. */
static bool licenses_are_awaited(const struct cluster *c, const struct job *j) {
        const struct bid me = bid_of(j);

        for (size_t i = 0; i < c->n_queue && bid_order(c->queue[i], &me) < 0; i++) {
                const struct job *k = c->queue[i]->job;
                bool soon = k->reason == REASON_LICENSES || k->reason == REASON_PRIORITY ||
                            k->reason == REASON_RESOURCES;
                if (soon && (names_any(k->needs.licenses, j->needs.licenses) ||
                                            names_any(k->needs.hres, j->needs.hres)))
                        return true;
        }
        return false;
}

/* The start if jobs holding licenses that j lacks are ended
   (PreemptParameters=reclaim_licenses). */
static int by_reclaim(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, struct estimate *ret, struct estimate *later) {
        struct job **victims;
        usec_t again;
        size_t choice;

        if (!c->config->preempt.reclaim_licenses || !preempt_is_possible(c, j) ||
                        licenses_are_awaited(c, j))
                return -EBUSY;
        if (j->needs.hres && licenses_free_but_layers(c, j, when.from, NULL, &choice))
                return estimate_by_force(c, j, usable, when, ret, later);
        size_t n = sched_reclaim_victims(c, j, usable, when, NULL, &victims, &again);
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(c->n_active);
        for (size_t i = 0; i < n; i++)
                bitset_add(gone, victims[i]->listed.queue_at);
        _cleanup_(hres_room_freep) struct hres_room *room = licenses_room(c, j, when.from, false,
                        NULL, gone);
        when.room = room;
        int r = n ? place_after(c, j, usable, when, gone, &ret->where) : -EBUSY;
        if (r < 0) {
                free(victims);
                return r;
        }
        free(ret->where.victims);
        ret->where.victims = victims;
        ret->where.n_victims = n;
        for (size_t i = 0; i < n; i++)
                ret->start = MAX(ret->start, when.from + preempt_grace(c, j, victims[i]));
        return 0;
}

static bool estimate_is_better(int r, const struct estimate *e, int than,
                const struct estimate *other) {
        return r >= 0 && (than < 0 || e->start < other->start);
}

/* Keeps the better of two estimates in *ret and frees the other.  r and there are the results of
 *ret and e; returns the result of the estimate that is kept. */
static int estimate_keep_better(struct estimate *ret, int r, struct estimate *e, int there) {
        bool better = estimate_is_better(there, e, r, ret);

        if (better) {
                struct estimate other = *ret;
                *ret = *e;
                *e = other;
        }
        placement_done(&e->where);
        return better || r < 0 ? there : r;
}

/* Estimates the start in the partition and reservation of j. */
static int estimate_there(struct cluster *c, const struct job *j, usec_t now,
                struct estimate *ret) {
        _cleanup_(bitset_freep) struct bitset *usable = sched_usable(c);
        int r;

        *ret = (struct estimate){ .start = now, .partition = j->partition };
        struct estimate later = { .start = USEC_INFINITY, .partition = j->partition };
        const struct rests rests = backfill_leaves(c, j, now, usable);
        if (!rests.of)
                backfill_keep(c, j, false, now, usable);
        bool licenses = backfill_has_licenses(c, j, now);
        claims_take(c, j, usable);
        struct period when = sched_heed_reservations(c, j, now, usable);
        _cleanup_(hres_room_freep) struct hres_room *room = licenses_room(c, j, now, false, NULL,
                        NULL);
        when.room = room;
        when.rests = rests;
        bool may = limits_wait_reason(c, j, NULL, NULL, now, NULL) == REASON_NONE;
        r = may && licenses ? place(c, j, usable, when, PLACE_FREE, &ret->where) : -EBUSY;
        when.rests.of = NULL;
        if (r < 0 && rests.of) /* preemption does not use planned nodes either */
                backfill_keep(c, j, false, now, usable);
        if (r < 0 && may)
                r = licenses ? estimate_by_force(c, j, usable, when, ret, &later)
                             : by_reclaim(c, j, usable, when, ret, &later);
        if (r < 0 && c->config->bf.on && (c->n_queue || c->resvs.n))
                r = in_plan_and_limits(c, j, now, ret);
        else if (r < 0)
                r = after_others(c, j, usable, when, ret);
        if (later.start != USEC_INFINITY)
                r = estimate_keep_better(ret, r, &later, 0);
        ret->start = MAX(ret->start, job_begin(j));
        return r;
}

/* The earliest start in any reservation usable by the job, or outside of all reservations. */
static int estimate_each(struct cluster *c, const struct job *j, usec_t now, struct estimate *ret) {
        struct resv *of[RESV_CHOICES_MAX];
        size_t n = c->resvs.n ? resv_choices(c, j, true, now, of) : (of[0] = NULL, 1);
        struct job room;
        int r = -ENOENT;

        *ret = (struct estimate){ .partition = j->partition };
        for (size_t i = 0; i < n; i++) {
                struct estimate e;
                int there = estimate_there(c, job_in_resv(j, of[i], &room), now, &e);
                r = estimate_keep_better(ret, r, &e, there);
        }
        return r;
}

/* The earliest start in any of the job's partitions. */
static int estimate_all(struct cluster *c, const struct job *j, usec_t now, struct estimate *ret) {
        const char *rest = strempty(j->asked.partition);
        int r = -ENOENT;

        if (!strchr(rest, ','))
                return estimate_each(c, j, now, ret);
        *ret = (struct estimate){ .partition = j->partition };
        for (char *name; (name = partition_next(&rest)); free(name)) {
                struct estimate e = { 0 };
                struct job room;
                const struct job *as = job_in_new_partition(c, j, cluster_partition(c, name),
                                &room);
                room.priority = priority_expected(c, &room, now);
                int there = partition_wait_reason(c, as) == REASON_NONE
                                            ? estimate_each(c, as, now, &e)
                                            : -ENOENT;
                r = estimate_keep_better(ret, r, &e, there);
        }
        return r;
}

int job_estimate(struct cluster *c, const struct job *j, usec_t now, struct estimate **ret) {
        _cleanup_(estimate_freep) struct estimate *e = xnew0(struct estimate, 1);
        int r = estimate_all(c, j, now, e);

        if (r >= 0)
                *ret = TAKE(e);
        return r;
}

struct estimate *estimate_free(struct estimate *e) {
        if (e)
                placement_done(&e->where);
        free(e);
        return NULL;
}

usec_t estimate_start(const struct estimate *e) {
        return e->start;
}

const struct placement *estimate_where(const struct estimate *e) {
        return &e->where;
}

const struct partition *estimate_partition(const struct estimate *e) {
        return e->partition;
}
