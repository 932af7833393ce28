/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts of backfill: whether the considered job may start now, on nodes kept neither by the plan
 * nor by a reservation. Tried in order: whole nodes, shared nodes, preemption; then the same with
 * less time (--time-min). */
#include "controller/sched/backfill_private.h"

#include "controller/accounts/bids.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/reservation.h"

/* Nodes on which plan p does not hinder j: nodes claimed by j and so kept from the job of p, even
   if the job is ahead of j in the queue. NULL: none. Borrowed. */
static const struct bitset *plan_is_without(const struct cluster *c, const struct job_plan *p,
                const struct job *j) {
        const struct job *claims = job_leader(job_itself(j));
        struct job room;

        if (!claims->claim.nodes || !p->job)
                return NULL;
        const struct job *of = p->bid->job == p->job ? job_in_bid(p->bid, &room) : p->job;
        return claim_keeps_from(c, claims, of) ? claims->claim.nodes : NULL;
}

static bool is_claimed_from(const struct cluster *c, const struct job_plan *p, const struct job *j,
                size_t at) {
        const struct bitset *claimed = plan_is_without(c, p, j);

        return claimed && bitset_has(claimed, at);
}

/* Returns whether a plan on the node beginning before until hinders j. all: plans of jobs behind j
   count too; numbers: plans that leave part of the node do not count. */
static bool plan_hinders_job(struct cluster *c, struct backfill *b, size_t at, const struct job *j,
                usec_t now, usec_t until, bool all, bool numbers) {
        const struct node_plans *np = &b->of[at];
        const struct part_wish parts = { c, j, numbers, now, until, &b->work };
        bool beside = false;

        for (uint32_t i = 0; i < np->n && np->list[i]->start < until; i++) {
                if (numbers && plan_goes_by_numbers(np->list[i]))
                        continue;
                if (!plan_counts(c, np->list[i], j, all) || is_claimed_from(c, np->list[i], j, at))
                        continue;
                if (!plan_is_apart(b, np->list[i], c->nodes[at], &parts))
                        return true;
                beside = true;
        }
        return beside && !numbers &&
               !plan_memory_suffices(c, b, j, c->nodes[at], now,
                               (struct period){ .from = now, .until = until }, false);
}

/* Removes from usable the nodes with any plan that begins before until. */
static void usable_drop_planned(struct backfill *b, usec_t until, struct bitset *usable) {
        for (size_t w = 0; w < usable->words; w++) {
                size_t n = MIN((size_t)64, usable->bits - 64 * w);
                const usec_t *first = &b->first[64 * w];
                uint64_t later = 0;
                for (size_t i = 0; usable->word[w] && i < n; i++)
                        later |= (uint64_t)(first[i] >= until) << i;
                usable->word[w] &= later;
        }
        spend(b, b->n_nodes / 16);
}

static void take_kept_of(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                usec_t until, bool all, bool numbers, struct bitset *usable) {
        bitset_for_each(i, usable)
                if (b->first[i] < until && plan_hinders_job(c, b, i, j, now, until, all, numbers))
                        bitset_del(usable, i);
        spend(b, bitset_count(usable) / 4);
}

void plans_take(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                usec_t until, bool all, bool numbers, struct bitset *usable) {
        const struct job *itself = job_itself(j);
        const struct job_plan *own = itself->waiting.plan                    ? itself->waiting.plan
                                     : b->opened && b->opened->job == itself ? b->opened
                                                                             : NULL;
        _cleanup_(bitset_freep) struct bitset *own_nodes = NULL;

        if (!all || follows_has_voids(c) || !plans_are_sound(c)) { /* not all plans count */
                take_kept_of(c, b, j, now, until, all, numbers, usable);
                return;
        }
        own_nodes = bitset_new(b->n_nodes);
        for (const struct job_plan *p = own; p; p = p->with == own ? NULL : p->with) {
                plan_nodes(p, b->scratch);
                bitset_or(own_nodes, b->scratch);
        }
        bitset_and(own_nodes, usable);
        usable_drop_planned(b, until, usable);
        take_kept_of(c, b, j, now, until, true, false, own_nodes);
        bitset_or(usable, own_nodes);
}

/* Leaves free power to the first job waiting for max_powered_nodes: only nodes that have power
   remain in usable. */
static void leave_power(const struct attempt *a, struct bitset *usable) {
        if (!a->no_power)
                return;
        _cleanup_(bitset_freep) struct bitset *powered = bitset_copy(a->c->powered);
        bitset_or(powered, a->c->to_resume);
        bitset_and(usable, powered);
}

/* Returns whether reservations keep some of the cores of the place from the job before until. */
static bool cores_are_kept(const struct attempt *a, const struct placement *where, usec_t until) {
        if (!a->c->resvs.cores)
                return false;
        _cleanup_(resv_kept_freep) struct resv_kept *by = resv_kept_new(a->c, a->j, a->now, until,
                        false);
        for (size_t i = 0; i < where->n_alloc; i++) {
                const struct job_node *jn = &where->alloc[i];
                _cleanup_(bitset_freep) struct bitset *kept = bitset_new(jn->node->units);
                resv_kept_block(by, jn->node, kept);
                if (bitset_parts_overlap(kept, 0, where->units, jn->units_at, kept->bits))
                        return true;
        }
        return false;
}

/* Returns whether no limit, plan or reservation hinders j on the place for j's whole time limit. */
static bool could_run(const struct attempt *a, const struct job *j, const struct placement *where) {
        const struct bitset *nodes = where->nodes;
        usec_t until = a->now + j->needs.time_limit + sched_longest_boot(a->c, nodes);

        if (place_limit(a->c, j, where, a->now, NULL) != REASON_NONE)
                return false;
        bitset_for_each(i, nodes)
                if (plan_hinders_job(a->c, a->b, i, a->j, a->now, until, a->shape->whole,
                                    a->numbers))
                        return false;
        const struct period longer = { .from = a->now, .until = until };
        const struct rests rests = plan_rests_of(a->c, a->b, a->j, a->now, longer, false);
        if (a->numbers && !plan_rests_hold(&rests, where))
                return false;
        if (a->c->resvs.n == 0)
                return true;
        _cleanup_(bitset_freep) struct bitset *left = bitset_copy(nodes);
        resv_filter(a->c, a->j, a->now, until, left);
        return bitset_contains(left, nodes) && !cores_are_kept(a, where, until);
}

/* The longest time limit possible on the place for a job with --time-min, up to the requested
   limit, in whole minutes. Plans for licenses are not examined: a job with licenses gets the
   minimum. */
static usec_t attempt_longest_limit(const struct attempt *a, const struct placement *where) {
        const usec_t minute = 60 * USEC_PER_SEC;
        usec_t least = a->limit;
        size_t low = 0, high = (a->full - least) / minute; /* minutes added */

        if (a->j->needs.licenses || a->j->needs.hres)
                return least;
        struct job longer = *a->j;
        longer.needs.time_limit = a->full;
        if (could_run(a, &longer, where))
                return a->full;
        while (low < high) {
                size_t middle = low + (high - low + 1) / 2;
                longer.needs.time_limit = least + middle * minute;
                if (could_run(a, &longer, where))
                        low = middle;
                else
                        high = middle - 1;
        }
        return least + low * minute;
}

static bool license_is_left(const struct job *j, size_t choice, void *user) {
        (void)j;
        return fit_license_now(user, choice);
}

/* Starts the job at the place, as long as limits and switches allow; empties where. */
static bool start_placed(struct attempt *a, struct placement *where) {
        struct job room;
        const struct job *j = a->full ? job_limited(a->j, attempt_longest_limit(a, where), &room)
                                      : a->j;

        where->license = a->license;
        bool stops = where->n_victims > 0;
        bool over = place_heed_license_limits(a->c, j, a->now, license_is_left, a, where) < 0;
        if (over && where->limit_again)
                a->b->again = MIN(a->b->again, where->limit_again);
        bool starts = !over && !sched_waits_for_switches(a->c, j, where, a->now) &&
                      sched_start(a->c, j, where, STARTER_BACKFILL, a->now);

        if (starts) {
                a->b->started++;
                a->c->counts.backfilled++;
                if (sched_has_stale_claims(a->c, a->now))
                        note(a->c, FACT_PLAN_MOVED);
        }
        a->forbidden |= over;
        if (stops) /* victims leave room in the limits for further jobs */
                a->b->forbidden.n = 0;
        placement_done(where);
        return starts;
}

/* Notes that a limit forbids every place (r -EDQUOT). A job waiting for max_powered_nodes keeps its
   place in the plan, and free power is left to the job; a job in need of more than
   max_powered_nodes allows is forbidden. */
static void note_forbidden(struct attempt *a, int r, const struct placement *where) {
        if (r != -EDQUOT)
                return;
        if (where->awaits_power) {
                a->b->no_power = true;
                return;
        }
        a->forbidden = true;
        if (where->limit_again)
                a->b->again = MIN(a->b->again, where->limit_again);
}

static bool start_there(struct attempt *a, struct bitset *usable) {
        struct placement where = { 0 };
        uint64_t looked = a->c->slices.looked;

        leave_power(a, usable);
        a->when.room = a->room;
        int r = place(a->c, a->j, usable, a->when, PLACE_FREE, &where);

        spend(a->b, LOOK_COST * (a->c->slices.looked - looked));
        note_forbidden(a, r, &where);
        return r >= 0 && start_placed(a, &where);
}

/* Removes from usable all nodes kept for jobs ahead. all: also nodes kept for any further job;
   numbers: a node partly kept remains, and a->when has the remaining amounts. Returns usable. */
static struct bitset *not_kept(struct attempt *a, bool all, bool numbers, struct bitset *usable) {
        usec_t until = a->now + a->limit;

        bitset_and(usable, a->shape->nodes);
        if (!bitset_contains(a->c->power[NODE_ON], usable))
                until += a->b->boot_max;
        claims_take(a->c, a->j, usable);
        a->when = sched_heed_reservations(a->c, a->j, a->now, usable);
        plans_take(a->c, a->b, a->j, a->now, until, all, numbers, usable);
        if (numbers) {
                const struct period when = { .from = a->now, .until = until };
                a->when.rests = plan_rests_of(a->c, a->b, a->j, a->now, when, false);
        }
        return usable;
}

/* Starts the job on nodes that are free or partly used. */
static bool start_in_part(struct attempt *a) {
        struct backfill *b = a->b;

        if (shape_is_refused(a->shape, REFUSED_IN_PART, a->j, a->limit, b->moment) ||
                        (a->unlifted && a->numbers && !fit_numbers_may_start(a)))
                return false;
        struct bitset *usable = bitset_copy(a->c->unused);
        bitset_or(usable, b->in_part);
        bitset_and(usable, a->c->schedulable);
        if (!a->c->power_save)
                bitset_minus(usable, a->c->power[NODE_POWERED_DOWN]);
        if (a->numbers)
                fit_numbers_now(a, usable);
        (void)not_kept(a, a->shape->whole, a->numbers, usable);
        bool started = bitset_count(usable) >= MAX(1u, a->j->asked.min_nodes) &&
                       start_there(a, usable);
        bitset_free(usable);
        /* the refusal may be temporary: a wait for fewer switches, or for hierarchical resources */
        if (!started && !a->forbidden && !a->j->asked.switches && !a->room)
                shape_refuse(a->shape, REFUSED_IN_PART, a->j, a->limit, b->moment);
        return started;
}

static bool start_whole(struct attempt *a) {
        /* the first suitable nodes, else the planned nodes */
        if (fit_place(a, a->now) < 0 && fit_own(a) < 0)
                return false;
        struct bitset *usable = bitset_copy(a->b->fit);
        bitset_and(usable, a->c->schedulable);
        /* a REPLACE reservation: its present nodes */
        a->when = sched_heed_reservations(a->c, a->j, a->now, usable);
        claims_take(a->c, a->j, usable);
        bool started = start_there(a, usable);
        bitset_free(usable);
        return started;
}

/* Searches the start of a preemptor after the PreemptExemptTime of its victims (exempt.c). */
static void expect_by_force(struct attempt *a) {
        struct cluster *c = a->c;
        const uint64_t looked = c->slices.looked, moment = sched_exempt_moment(c);

        if (c->exempt_until <= a->now || job_itself(a->j)->waiting.after_exempt > a->now ||
                        shape_is_refused(a->shape, REFUSED_AFTER_EXEMPT, a->j, a->limit, moment) ||
                        !sched_may_await_exempt(c, a->j, a->now))
                return;
        struct bitset *usable = not_kept(a, false, false, sched_usable(c));
        leave_power(a, usable);
        a->when.room = a->room;
        sched_await_exempt(c, a->j, usable, a->when, c->exempt_until, a->b->known);
        spend(a->b, LOOK_COST * (c->slices.looked - looked));
        bitset_free(usable);
        if (job_itself(a->j)->waiting.after_exempt <= a->now && !a->j->asked.switches && !a->room)
                shape_refuse(a->shape, REFUSED_AFTER_EXEMPT, a->j, a->limit, moment);
}

/* Starts the job by preemption (preemption guide): whole nodes are claimed for the preemptor. Nodes
   planned for jobs behind are used rather than preempting a running job. */
static bool start_by_force(struct attempt *a) {
        struct backfill *b = a->b;
        struct placement where = { 0 };
        uint64_t looked = a->c->slices.looked;

        if (!preempt_is_possible(a->c, a->j))
                return false;
        if (shape_is_refused(a->shape, REFUSED_BY_FORCE, a->j, a->limit, b->moment)) {
                expect_by_force(a);
                return false;
        }
        struct bitset *usable = not_kept(a, false, false, sched_usable(a->c));
        leave_power(a, usable);
        a->when.room = a->room;
        int r = bitset_count(usable) < MAX(1u, a->j->asked.min_nodes)
                                ? -EBUSY
                                : sched_force(a->c, a->j, usable, a->when, b->known, &where);
        spend(b, LOOK_COST * (a->c->slices.looked - looked));
        bitset_free(usable);
        note_forbidden(a, r, &where);
        bool started = r >= 0 && start_placed(a, &where);
        if (!started && !a->forbidden && r != -EINPROGRESS && !a->j->asked.switches && !a->room)
                shape_refuse(a->shape, REFUSED_BY_FORCE, a->j, a->limit, b->moment);
        return started;
}

static bool too_many_started(const struct attempt *a) {
        uint32_t most = a->c->config->bf.max_job_start;

        return most && a->b->started >= most;
}

/* Returns whether the job may start on partly used nodes; a job of whole nodes only if the nodes
   are time-shared. */
static bool may_start_in_part(const struct attempt *a) {
        return !a->shape->whole || alloc_rows(a->j) > 1;
}

/* Returns whether the request equals the last request of this turn forbidden by a limit. */
static bool attempt_was_forbidden(struct attempt *a) {
        struct backfill *b = a->b;

        if (b->forbidden.n == 0)
                return false;
        request_with_limits(&b->asked_for, a->c, a->j);
        return request_same(&b->forbidden, &b->asked_for);
}

static bool start_in_room(struct attempt *a, bool whole) {
        a->forbidden = attempt_was_forbidden(a);
        if (a->forbidden)
                return false;
        bool started = (whole && start_whole(a)) || (may_start_in_part(a) && start_in_part(a)) ||
                       start_by_force(a);
        if (!started && a->forbidden)
                request_with_limits(&a->b->forbidden, a->c, a->j);
        return started;
}

bool start_anywhere(struct attempt *a, bool whole) {
        a->forbidden = false;
        if (a->from > a->now || too_many_started(a))
                return false;
        bool started = fit_licenses_now(a) && start_in_room(a, whole);
        a->room = hres_room_free(a->room);
        a->when.room = NULL;
        a->when.rests.of = NULL;
        return started;
}

bool start_now(struct attempt *a) {
        return start_anywhere(a, a->shape->whole);
}

bool start_shorter(struct attempt *a) {
        const struct job *j = a->j;
        const usec_t limit = a->limit;
        struct job room;

        if (!may_be_shorter(a))
                return false;
        a->full = limit;
        a->limit = j->asked.time_min;
        a->j = job_limited(j, a->limit, &room);
        bool started = start_now(a);
        a->j = j;
        a->limit = limit;
        a->full = 0;
        return started;
}

/* ---- heterogeneous jobs ---- */

/* Fills tog for each component and returns whether each has its licenses and enough nodes that are
   not kept; force: not kept for jobs ahead. */
static bool could_start(struct attempt *of, size_t n, bool force, struct together *tog) {
        for (size_t i = 0; i < n; i++) {
                struct attempt *a = &of[i];
                fit_shape(a); /* shapes are valid until the next fit_shape() */
                bool may = a->from <= a->now && !too_many_started(a) && fit_licenses_now(a);
                tog[i].room = TAKE(a->room);
                if (!may)
                        return false;
                tog[i].j = a->j;
                tog[i].usable = not_kept(a, a->shape->whole && !force, a->numbers && !force,
                                sched_usable(a->c));
                leave_power(a, tog[i].usable);
                tog[i].when = a->when;
                tog[i].when.room = tog[i].room;
                if (bitset_count(tog[i].usable) < MAX(1u, a->j->asked.min_nodes))
                        return false;
        }
        return true;
}

/* Checks licenses and switches after the placement. -EDQUOT: a limit forbids every license of a
   list with "|"; -EBUSY: a component waits for fewer switches. */
static int attempts_check_placed(struct attempt *of, size_t n, struct together *tog) {
        for (size_t i = 0; i < n; i++) {
                tog[i].where.license = of[i].license;
                if (place_heed_license_limits(of[i].c, of[i].j, of[i].now, license_is_left, &of[i],
                                    &tog[i].where) < 0)
                        return -EDQUOT;
                if (sched_waits_for_switches(of[i].c, of[i].j, &tog[i].where, of[i].now))
                        return -EBUSY;
        }
        return 0;
}

/* Extends the time limits of components with --time-min, if limits allow all of the extensions.
   rooms: n values, used by tog. */
static void attempts_extend_limits(struct attempt *of, size_t n, struct together *tog,
                struct job *rooms) {
        for (size_t i = 0; i < n; i++) {
                struct attempt *a = &of[i];
                if (!a->full)
                        continue;
                fit_shape(a);
                tog[i].j = job_limited(a->j, attempt_longest_limit(a, &tog[i].where), &rooms[i]);
        }
        if (place_together_limit(of->c, tog, n, of->now) == REASON_NONE)
                return;
        for (size_t i = 0; i < n; i++)
                tog[i].j = of[i].j;
}

static void start_all(struct attempt *of, size_t n, struct together *tog) {
        struct cluster *c = of->c;
        _cleanup_free_ struct job *rooms = xnew0(struct job, n);

        attempts_extend_limits(of, n, tog, rooms);
        sched_start_together(c, tog, n, STARTER_BACKFILL, of->now);
        of->b->started++;
        c->counts.backfilled++;
        if (sched_has_stale_claims(c, of->now))
                note(c, FACT_PLAN_MOVED);
}

/* Starts all components on free nodes, as start_together(). */
static int start_found(struct attempt *of, size_t n, struct together *tog) {
        struct cluster *c = of->c;
        uint64_t looked = c->slices.looked;
        size_t why = 0;
        int r = place_together(c, tog, n, PLACE_FREE, NULL, &why);

        spend(of->b, LOOK_COST * (c->slices.looked - looked));
        note_forbidden(&of[why], r, &tog[why].where);
        if (r == -EDQUOT && tog[why].where.awaits_power)
                return 0;
        if (r >= 0)
                r = attempts_check_placed(of, n, tog);
        if (r < 0)
                return r == -EDQUOT ? r : 0;
        start_all(of, n, tog);
        return 1;
}

/* Starts all components by preemption, as start_by_force(); 1: started. */
static int force_found(struct attempt *of, size_t n, struct together *tog) {
        struct cluster *c = of->c;
        uint64_t looked = c->slices.looked;
        int r = sched_force_together(c, tog, n, of->b->known);

        spend(of->b, LOOK_COST * (c->slices.looked - looked));
        if (r < 0 || attempts_check_placed(of, n, tog) < 0)
                return 0;
        start_all(of, n, tog);
        of->b->forbidden.n = 0; /* victims leave room in the limits for further jobs */
        return 1;
}

static bool may_stop_others(const struct attempt *of, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (preempt_is_possible(of[i].c, of[i].j))
                        return true;
        return false;
}

int start_together(struct attempt *of, size_t n) {
        struct together *tog = xnew0(struct together, n);
        int r = could_start(of, n, false, tog) ? start_found(of, n, tog) : 0;

        together_free(tog, n);
        if (r > 0 || !may_stop_others(of, n))
                return r;
        tog = xnew0(struct together, n);
        int forced = could_start(of, n, true, tog) ? force_found(of, n, tog) : 0;
        together_free(tog, n);
        return forced > 0 ? forced : r;
}
