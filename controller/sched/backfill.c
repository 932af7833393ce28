/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conservative backfill. Each pending job has a place in the plan, a number of nodes from a start
 * until an end, chosen in queue order, so that no job is planned in the way of a job ahead. A job
 * able to start now without delaying a planned job starts. Plans persist. When resources become
 * free, each job in queue order is taken out of the plan and put back at its earliest fit, perhaps
 * on different nodes at the same time (a sweep). When a job joins the queue, only jobs behind it
 * are planned anew. With bf_easy only the first waiting job of each partition has a place.
 *
 * plan_take_up()   takes up the changes since the last call (follows.h)
 * backfill_step()  considers the next job of the sweep, or the next job without a place:
 *                  backfill_consider_bid()
 *
 * A plan keeps one of three:
 *     whole nodes
 *     parts of nodes divided by reservations of cores (parts.h)
 *     CPUs, memory and gres of each node, for jobs that share nodes (takes.h)
 *
 * A job that shares nodes respects only the plans of jobs ahead; a plan of a job behind in conflict
 * with the job is made anew. A job with nodes of its own respects all plans, so no planned start is
 * delayed. Jobs behind make room (make_way(), fit_before_others()) for a job that has lost its place
 * (a running job stays longer on the nodes, or the nodes were not free at the planned start), and
 * for a job that never had a place: these jobs lose their places and get new places in their turn.
 *
 * Invariants: in queue[] the first planned.sound jobs are planned in order; plans at index sound
 * and behind are void, and from planned.end on no job has a plan. The profile says what is free
 * from when until when, beside running jobs (until their limits) and plans. */
#include "controller/sched/backfill_private.h"

#include "controller/accounts/limit_check.h"
#include "controller/indexes/array.h"
#include "controller/indexes/powered.h"
#include "controller/model/het.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

/* Cost of considering a job, in addition to its nodes. */
#define JOB_COST 100u
/* Maximum acceptable delay of a job on its former nodes, after losing its place there, before plans
   on further nodes are lifted for the job. */
#define BEARABLE (30 * USEC_PER_SEC)
/* The pause after a sweep of several turns, for each of the turns, so that about a fifth of the
   time is spent on sweeps; bf_interval is the maximum of the pause. */
#define PAUSE (10 * USEC_PER_MSEC)

/* Finds a place with the full time limit, or with --time-min if the start is earlier by that;
   a->limit is set to the limit used. */
static int fit_or_shorter(struct attempt *a, usec_t latest) {
        int r = fit_place(a, latest);

        if (!may_be_shorter(a) || (r >= 0 && a->start <= a->from))
                return r;
        const struct attempt full = *a;
        _cleanup_(bitset_freep) struct bitset *chosen = bitset_copy(a->b->chosen);
        a->limit = a->j->asked.time_min;
        if (fit_place(a, r < 0 ? latest : a->start) >= 0 &&
                        (r < 0 || a->start + a->boot < full.start + full.boot))
                return 0;
        *a = full;
        bitset_assign(a->b->chosen, chosen);
        return r;
}

/* ---- one job ---- */

enum user_kind { /* the kinds of users counted by bf_max_job_* */
        OF_USER,
        OF_USER_PART, /* a user in a partition */
        OF_ASSOC,
};

static uint64_t user_key(const struct job *j, enum user_kind kind) {
        const uint64_t owner = kind == OF_ASSOC && j->accounting.assoc ? j->accounting.assoc->id
                                                                       : j->uid;

        return (uint64_t)kind << 62 |
               (uint64_t)(kind == OF_USER_PART ? j->partition->index : 0) << 32 | owner;
}

static struct per_user *user_counter_of(struct backfill *b, uint64_t key) {
        size_t at = FIRST_NOT(b->n_users, i, b->users[i].key < key);

        if (at < b->n_users && b->users[at].key == key)
                return &b->users[at];
        GROW(b->users, b->a_users, b->n_users);
        memmove(&b->users[at + 1], &b->users[at], (b->n_users - at) * sizeof b->users[0]);
        b->n_users++;
        b->users[at] = (struct per_user){ .key = key };
        return &b->users[at];
}

/* Counts j for bf_max_job_user, bf_max_job_user_part and bf_max_job_assoc; true: a maximum is
   reached. */
static bool too_many_of_user(const struct cluster *c, struct backfill *b, const struct job *j) {
        const struct {
                enum user_kind kind;
                uint32_t most;
        } rules[] = {
                { OF_USER, c->config->bf.max_job_user },
                { OF_USER_PART, c->config->bf.max_job_user_part },
                { OF_ASSOC, j->accounting.assoc ? c->config->bf.max_job_assoc : 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(rules); i++)
                if (rules[i].most && user_counter_of(b, user_key(j, rules[i].kind))->tested >=
                                                     rules[i].most)
                        return true;
        for (size_t i = 0; i < ELEMENTSOF(rules); i++)
                if (rules[i].most)
                        user_counter_of(b, user_key(j, rules[i].kind))->tested++;
        return false;
}

static bool all_tested(const struct cluster *c, const struct backfill *b) {
        return c->config->bf.max_job_test && b->tested >= c->config->bf.max_job_test;
}

bool plan_tests_enough(struct cluster *c, struct backfill *b, const struct job *j) {
        const struct config *config = c->config;
        struct per_partition *part = &b->parts[j->partition->index];

        if (all_tested(c, b) ||
                        (config->bf.max_job_part && part->tested >= config->bf.max_job_part))
                return true;
        if (too_many_of_user(c, b, j))
                return true;
        b->tested++;
        part->tested++;
        return false;
}

bool plan_may_reserve(const struct cluster *c, const struct backfill *b, const struct job *j,
                usec_t now) {
        const struct config *config = c->config;

        return !(config->bf.easy && b->parts[j->partition->index].reserved) &&
               j->priority >= MAX(config->bf.min_prio_reserve, limits_plan_priority(c, j)) &&
               now >= j->waiting.eligible_time + config->bf.min_age_reserve;
}

static usec_t round_up(const struct cluster *c, usec_t t) {
        usec_t step = c->config->bf.resolution;

        return step ? DIV_ROUND_UP(t, step) * step : t;
}

/* The end of the job at a->start: by its limit, or with its reservation. */
static usec_t exact_end(const struct attempt *a) {
        return MAX(a->start + 1, resv_until(a->j, a->start, a->start + a->boot + a->limit));
}

/* Returns the end of the plan, rounded up to bf_resolution if the planned part of the nodes
   (b->wanted, or where if not NULL) is free for so long. */
static usec_t plan_end(struct attempt *a, const struct placement *where) {
        struct backfill *b = a->b;
        usec_t end = exact_end(a);
        usec_t rounded = round_up(a->c, end), at;
        const struct profile_wish wish = { .nodes = b->wanted,
                .count = (uint32_t)bitset_count(b->wanted),
                .duration = rounded - a->start,
                .from = a->start,
                .latest = a->start };

        if (where)
                return rounded > end && fit_lasts(a, where, end, rounded) ? rounded : end;
        if (rounded == end || profile_fit(b->profile, &wish, &at, b->free) >= 0)
                return rounded;
        return end;
}

struct job_plan *plan_reserve(struct attempt *a) {
        struct backfill *b = a->b;
        struct placement where = { 0 };
        const bool numbers = a->numbers;

        if (numbers && fit_take(a, exact_end(a), &where) < 0)
                return NULL;
        _cleanup_(countlist_freep) struct countlist *held = fit_held(a);
        if (numbers)
                parts_placed(b->node_parts, &where, b->wanted);
        else
                fit_wanted(a);
        usec_t until = plan_end(a, numbers ? &where : NULL);
        struct job_plan *p = plan_new(a->c, b, a->j, b->chosen, b->wanted, held,
                        numbers ? &where : NULL, a->start, a->boot, until);
        placement_done(&where);
        a->job->waiting.plan = p;
        plan_lay(b, p);
        return p;
}

static void attempt_reserve(struct attempt *a) {
        struct backfill *b = a->b;
        const struct job *j = a->j;
        struct job_plan *p = plan_reserve(a);

        if (!p)
                return;
        b->parts[j->partition->index].reserved = p;
        /* max_powered_nodes forbade the start: the pass lets the job have nodes of other jobs */
        if (a->start <= a->now)
                note(a->c, FACT_PLAN_MOVED);
}

/* ---- jobs that have lost their places ---- */

bool plan_lift_behind(const struct attempt *a, usec_t until) {
        const struct plan_marks *r = &a->c->planned;
        bool any = false;

        for (size_t i = r->cursor + 1; i < MIN(r->end, a->c->n_queue); i++) {
                struct job_plan *p = bid_plan(a->c->queue[i]);
                spend(a->b, 1);
                if (!p || p->job == a->job || !p->laid || p->start >= until)
                        continue;
                plan_displace(a->b, p, false);
                any = true;
        }
        return any;
}

/* plan_lift_behind() for plans on these nodes alone. */
static bool lift_behind_on(const struct attempt *a, const struct bitset *nodes, usec_t until) {
        bool any = false;

        bitset_for_each(i, nodes) {
                const struct node_plans *np = &a->b->of[i];
                for (uint32_t k = 0; k < np->n && np->list[k]->start < until;) {
                        if (plan_counts(a->c, np->list[k], a->j, false)) {
                                k++;
                                continue;
                        }
                        plan_displace(a->b, np->list[k], true);
                        any = true;
                }
        }
        return any;
}

static usec_t plan_over(const struct attempt *a) {
        return a->start + a->boot + a->limit;
}

/* Drops the plan of a job that has lost its place (a running job stays longer on the nodes, or the
   nodes were not free at the planned start); on the lost nodes, plans of jobs behind are lifted. */
static void make_way(struct attempt *a) {
        _cleanup_(bitset_freep) struct bitset *parts = bitset_new(parts_bits(a->b->node_parts));
        struct job_plan *p = a->job->waiting.plan;
        usec_t until = a->now;
        const bool late = p->laid || p->late || !a->c->config->bf.parts;

        a->makes_room = true;
        if (!late) { /* lifted for a job ahead: the former place does not matter */
                plan_drop(a->b, p);
                return;
        }
        plan_parts(p, parts);
        bitset_for_each(i, parts)
                if (a->b->busy[i] != USEC_INFINITY)
                        until = MAX(until, a->b->busy[i]);
        until += plan_limit(a->j) + p->boot;
        a->owed = p->start;
        a->lost = bitset_new(a->b->n_nodes);
        plan_nodes(p, a->lost);
        plan_drop(a->b, p);
        (void)lift_behind_on(a, a->lost, until);
}

/* Finds a place for a job without plan, before jobs behind: first on its lost nodes, whose plans of
   jobs behind are lifted; if the wait there is long (BEARABLE), on any nodes. A job that never had
   a place also precedes jobs behind it with plans. */
static int fit_before_others(struct attempt *a, usec_t latest) {
        const usec_t limit = a->limit;
        int r = fit_or_shorter(a, latest);

        while (a->lost && (r < 0 || a->start + a->boot > a->owed) &&
                        lift_behind_on(a, a->lost, r < 0 ? USEC_INFINITY : plan_over(a))) {
                a->limit = limit;
                r = fit_or_shorter(a, latest);
        }
        if (a->lost && r >= 0 && a->start + a->boot <= a->owed + BEARABLE)
                return r;
        if ((a->makes_room || r >= 0) &&
                        plan_lift_behind(a, r < 0 ? USEC_INFINITY : plan_over(a))) {
                a->limit = limit;
                r = fit_or_shorter(a, latest);
        }
        return r;
}

/* Finds and plans a place for a job without plan; true: the place is available now, as plans behind
   have been lifted, and the job has started. */
static bool attempt_find_place(struct attempt *a, usec_t latest) {
        if (fit_before_others(a, latest) < 0)
                return false;
        if (a->start <= a->now && a->from <= a->now) {
                if (start_now(a) || start_shorter(a))
                        return true;
                if (a->forbidden || fit_or_shorter(a, latest) < 0)
                        return false;
        }
        attempt_reserve(a);
        return false;
}

/* Returns whether the place found is the place of the opened plan old: same nodes and time. */
static bool attempt_is_unmoved(const struct attempt *a, const struct job_plan *old) {
        if (a->start != old->start || a->boot != old->boot)
                return false;
        plan_nodes(old, a->b->scratch);
        return bitset_equal(a->b->scratch, a->b->chosen);
}

/* Replaces the opened plan old by the earliest fit, on the preferred nodes there. The job keeps old
   if the search, which assumes the longest boot time of all nodes, finds no place as early. */
static void place_again(struct attempt *a, struct job_plan *old, usec_t latest) {
        /* the plan is in another of the job's partitions */
        bool foreign = old->bid != a->j->waiting.current;
        usec_t limit = a->limit;
        int r = foreign && !plan_may_reserve(a->c, a->b, a->j, a->now)
                                ? -ENOENT
                                : fit_or_shorter(a, MIN(latest, old->start));

        if (r < 0 || a->start + a->boot > old->start + old->boot || attempt_is_unmoved(a, old) ||
                        (foreign && a->start + a->boot == old->start + old->boot)) {
                a->limit = limit;
                plan_shut(a->b, old);
                a->job->waiting.plan = old;
                a->b->parts[old->bid->partition->index].reserved = old;
                return;
        }
        plan_lift_opened(a->b, old);
        attempt_reserve(a);
        plan_left(a->b, old);
        plan_release(a->b, old);
}

/* Tries to start the job, else to improve its plan, which is opened so as not to be in the way;
   true: started. */
static bool attempt_start_or_plan(struct attempt *a) {
        struct backfill *b = a->b;
        const struct config *config = a->c->config;
        usec_t latest = config->bf.window ? a->now + config->bf.window : USEC_INFINITY;
        struct job_plan *old = TAKE(a->job->waiting.plan);

        b->cycle.tried++;
        if (old) {
                a->own = old->start;
                a->old = old->bid == a->j->waiting.current ? old : NULL;
                plan_open(b, old);
        }
        bool started = start_now(a) || start_shorter(a);
        if (started || a->forbidden) { /* a job blocked by a limit must not delay further jobs */
                if (old) {
                        plan_lift_opened(b, old);
                        plan_left(b, old);
                        plan_release(b, old);
                }
                return started;
        }
        if (old)
                place_again(a, old, latest);
        else if (a->count <= powered_most(a->c, b->sleepless) &&
                        plan_may_reserve(a->c, b, a->j, a->now))
                return attempt_find_place(a, latest);
        return false;
}

/* Tries to start a job whose plan cannot improve, on shared nodes or by preemption. The job's own
   plan is not in the way there. */
static bool start_unlifted(struct attempt *a) {
        struct job_plan *p = a->job->waiting.plan;

        a->unlifted = true;
        bool started = start_anywhere(a, false);

        if (started)
                p->used = true; /* the planned rest is free for the next jobs */
        else if (a->forbidden)
                plan_drop(a->b, p);
        return started;
}

/* Returns the named reservation with the earliest place; without any place the job's present
   reservation. */
static struct resv *best_reservation(const struct attempt *blank, usec_t latest) {
        struct resv *of[RESV_CHOICES_MAX], *best = blank->j->placed.resv;
        size_t n = resv_choices(blank->c, blank->j, true, blank->now, of);
        usec_t start = USEC_INFINITY;
        struct job room;

        for (size_t i = 0; i < n; i++) {
                struct attempt a = *blank;
                a.j = job_in_resv(blank->j, of[i], &room);
                fit_shape(&a);
                if (a.count != UINT32_MAX && fit_place(&a, latest) >= 0 &&
                                a.start + a.boot < start) {
                        start = a.start + a.boot;
                        best = of[i];
                }
        }
        return best;
}

/* Considers the job in the reservation of the value a->j. */
static bool consider_there(struct attempt *a) {
        const struct job *j = a->j;
        const struct job_plan *own = bid_plan(j->waiting.current);

        fit_shape(a);
        if (a->count == UINT32_MAX)
                return false;
        /* At the planned start the job is tried in any case: below. */
        if (own && own->start > a->now && !j->asked.time_min && !fit_may_improve(a, own) &&
                        !fit_may_shift(a, own))
                return start_unlifted(a);
        return attempt_start_or_plan(a);
}

/* Considers a job without --reservation in each MAGNETIC reservation and outside of all; the
   earliest place is planned. */
static bool consider_each(const struct attempt *blank) {
        struct resv *of[RESV_CHOICES_MAX];
        size_t n = resv_choices(blank->c, blank->j, true, blank->now, of);
        bool started = false, had = blank->job->waiting.plan;
        struct job room;

        for (size_t i = 0; !started && i < n; i++) {
                struct attempt a = *blank;
                a.j = job_in_resv(blank->j, of[i], &room);
                a.fresh = !had && blank->job->waiting.plan;
                started = consider_there(&a);
        }
        return started;
}

/* Considers j in one of its partitions; true: j has started and left the queue. */
static bool backfill_consider_job(struct cluster *c, struct backfill *b, const struct job *j,
                usec_t now) {
        struct job *itself = job_itself(j), room;
        struct attempt a = { .c = c,
                .b = b,
                .j = j,
                .job = itself,
                .now = now,
                .from = MAX(now, job_begin(j)),
                .own = USEC_INFINITY,
                .chosen_at = USEC_INFINITY,
                .limit = plan_limit(j),
                .no_power = b->no_power };

        spend(b, JOB_COST);
        if (job_is_het(j))
                return plan_het(c, b, j, now);
        bool waits = !j->waiting.current->counted || sched_awaits_victims(j) ||
                     partition_wait_reason(c, j) != REASON_NONE || resv_excludes_job(c, j) ||
                     (j->array && array_is_full(j->array)) ||
                     limits_wait_reason(c, j, NULL, NULL, now, &b->again) != REASON_NONE ||
                     plan_tests_enough(c, b, j);
        bool own = bid_plan(j->waiting.current);
        if (own && waits)
                plan_drop(b, itself->waiting.plan);
        if (waits)
                return false;
        if (itself->waiting.plan &&
                        (!itself->waiting.plan->laid || (own && itself->waiting.plan->start < now)))
                make_way(&a);
        itself->waiting.last_sched_eval = now;
        if (!itself->waiting.plan && resv_is_list(j)) {
                itself->placed.resv = best_reservation(&a,
                                c->config->bf.window ? now + c->config->bf.window : USEC_INFINITY);
                a.j = job_in_resv(j, itself->placed.resv, &room);
        }
        bool started = c->resvs.magnetic && !j->asked.reservation ? consider_each(&a)
                                                                  : consider_there(&a);
        if (!started && !own && bid_plan(j->waiting.current))
                limits_note_plan(c, j);
        bitset_free(a.lost);
        return started;
}

static bool backfill_consider_bid(struct cluster *c, struct backfill *b, struct bid *bid,
                usec_t now) {
        struct job room;

        if (b->het.bid != bid || b->het.job != bid->job->id)
                b->het.job = 0;
        b->cycle.depth += !b->het.job;
        return backfill_consider_job(c, b, job_in_bid(bid, &room), now);
}

/* ---- sweeps ---- */

static void begin_sweep(struct cluster *c, struct backfill *b) {
        b->sweeping = true;
        b->freed = false;
        b->turns = 0;
        b->reach = b->next_reach;
        b->next_reach = 0;
        freed_assign(&b->freed_nodes, &b->next_freed_nodes);
        freed_clear(&b->next_freed_nodes);
        b->no_power = false;
        b->tested = b->started = 0;
        b->n_users = 0;
        memset(b->parts, 0, c->n_partitions * sizeof b->parts[0]);
        c->planned.cursor = 0;
        fit_note_boots(c, b);
        if (c->config->bf.easy) /* the place may belong to a different job now */
                c->planned.sound = 0;
}

/* Ends the sweep. A moved plan may free room for a job ahead in the queue, perhaps now: a pass
   follows. */
static void end_sweep(struct cluster *c, struct backfill *b, usec_t now) {
        const struct config *config = c->config;

        if (b->moved)
                note(c, FACT_PLAN_MOVED);
        b->moved = false;
        b->sweeping = false;
        b->warm_due |= b->sleepless != NULL; /* other plans may hold power now */
        b->swept = now;
        b->rest = b->turns > 0 && !config->bf.at_once ? MIN(b->turns * PAUSE, config->bf.interval)
                                                      : 0;
}

bool plan_works(const struct backfill *b) {
        return b->work + profile_steps(b->profile) - b->steps < BUDGET;
}

/* Drops the void plans behind a new job, last first; false: the turn's budget is used up. */
static bool drop_void(struct cluster *c, struct backfill *b) {
        struct plan_marks *r = &c->planned;

        while ((r->end = cluster_queue_before_apart(c, r->end)) > r->sound) {
                if (!plan_works(b))
                        return false;
                struct job_plan *p = bid_plan(c->queue[--r->end]);
                if (p)
                        plan_drop(b, p);
                spend(b, 1);
        }
        return true;
}

/* Considers the next job; false: no more work now. */
static bool backfill_step(struct cluster *c, struct backfill *b, usec_t now) {
        struct plan_marks *r = &c->planned;

        if (!b->sweeping && b->freed && now >= b->swept + b->rest) {
                plan_find_overdue(c, b, now);
                plan_take_up(c, b, now);
                begin_sweep(c, b);
        }
        if (r->sound == 0 && r->end > 1000) /* quicker than dropping plan after plan */
                plan_rebuild(c, b, now);
        if (!drop_void(c, b))
                return true;
        size_t at = b->sweeping ? r->cursor : r->sound;
        if (b->sweeping && at >= r->sound)
                at = r->sound; /* no job from here on has a place: as without a sweep */
        /* a sweep is due: until then no job starts behind a job with a lifted plan */
        if (!b->sweeping && b->freed && b->n_lifted)
                return false;
        if (at >= c->n_queue) {
                if (b->sweeping)
                        end_sweep(c, b, now);
                return b->freed && now >= b->swept + b->rest;
        }
        bool tested = all_tested(c, b) && !b->het.job && r->end <= at;
        size_t next = tested ? c->n_queue : cluster_queue_after_apart(c, at);
        if (next > at) { /* jobs that are apart, or beyond bf_max_job_test, get no place */
                r->cursor = next;
                r->sound = MAX(r->sound, next);
                return true;
        }
        r->cursor = at;
        if (backfill_consider_bid(c, b, c->queue[at], now))
                return true; /* plan_marks are updated already */
        r->cursor = at + 1;
        r->sound = MAX(r->sound, at + 1);
        r->end = MAX(r->end, at + 1);
        return true;
}

/* ---- what is shown ---- */

/* Returns whether the plan is complete: until then nodes may lack their plans for a moment. */
static bool is_whole(const struct cluster *c, const struct backfill *b) {
        return !b->sweeping && c->planned.sound >= c->n_queue && c->planned.end <= c->planned.sound;
}

/* Updates the PLANNED state of nodes once the plan is complete. */
static void show_planned(struct cluster *c, struct backfill *b) {
        if (!is_whole(c, b))
                return;
        bitset_for_each(i, b->shifted)
                c->nodes[i]->planned = b->of[i].n > 0;
        bitset_clear(b->shifted);
}

/* Frees the plan after backfill was switched off. */
static void put_away(struct cluster *c) {
        plan_keeper_free(c->backfill);
        c->backfill = NULL;
        warm_end(c);
        for (size_t i = 0; i < c->n_nodes; i++)
                c->nodes[i]->planned = false;
}

static void backfill_arm(struct cluster *c, struct backfill *b, usec_t at) {
        if (b->armed == at)
                return;
        b->armed = at;
        cluster_arm(c, at, DEADLINE_TURN, 0);
}

/* Arms the next turn: for a planned start, or the end of a pause. */
static void come_back(struct cluster *c, struct backfill *b, usec_t now) {
        usec_t at = USEC_INFINITY, starts = USEC_INFINITY;

        if (b->freed)
                at = b->swept + b->rest;
        /* the first jobs of the queue usually start first */
        for (size_t i = 0; i < c->n_queue && i < c->planned.end && i < 100; i++)
                if (c->queue[i]->job->waiting.plan && c->queue[i]->job->waiting.plan->start > now)
                        starts = MIN(starts, c->queue[i]->job->waiting.plan->start);
        b->next_start = starts;
        at = MIN(at, starts);
        if (at != USEC_INFINITY)
                backfill_arm(c, b, at);
}

static bool is_idle(const struct cluster *c, const struct backfill *b) {
        return !b->freed && is_whole(c, b);
}

/* Counts a cycle for sdiag when the plan is complete again. */
static void end_cycle(struct cluster *c, struct backfill *b, usec_t now) {
        struct plan_counts *all = &c->counts.plan;

        if (b->cycle.depth == 0)
                return;
        b->cycle.queue = c->n_queue;
        b->cycle.table = profile_slices(b->profile);
        all->cycles++;
        all->when = now;
        all->sum.depth += b->cycle.depth;
        all->sum.tried += b->cycle.tried;
        all->sum.queue += b->cycle.queue;
        all->sum.table += b->cycle.table;
        all->last = b->cycle;
        b->cycle = (struct plan_cycle){ 0 };
}

struct backfill *plan_keeper(struct cluster *c, usec_t now) {
        if (c->backfill && !follows(c, FOLLOW_PLAN_ANEW))
                return c->backfill;
        plan_keeper_free(c->backfill);
        c->backfill = plan_keeper_new(c);
        c->backfill_free = plan_keeper_free;
        plan_rebuild(c, c->backfill, now);
        return c->backfill;
}

void backfill_run(struct cluster *c, usec_t now) {
        if (!c->config->bf.on && c->backfill)
                put_away(c);
        if (!c->config->bf.on ||
                        (c->n_queue == 0 && !c->backfill && !(c->resvs.n && c->config->bf.warm_up)))
                return;
        struct backfill *b = plan_keeper(c, now);
        b->work = 0;
        b->again = USEC_INFINITY;
        b->forbidden.n = 0;
        b->known = preempt_known_new(c);
        b->sleepless = powered_for_good(c);
        b->steps = profile_steps(b->profile);
        b->turns++;
        /* the time of the next turn has come: the end of a pause, or a planned start (below) */
        if (b->armed && now >= b->armed) {
                b->armed = 0;
                b->freed = true;
                if (now >= b->next_start) /* the pass tries the job even if the sweep must wait */
                        note(c, FACT_PLAN_MOVED);
                b->next_start = USEC_INFINITY;
        }
        plan_take_up(c, b, now);
        if (c->n_queue == 0)
                b->freed = b->sweeping = false;
        while (plan_works(b) && backfill_step(c, b, now))
                plan_take_up(c, b, now);
        if (!plan_works(b) && !is_idle(c, b))
                cluster_arm(c, now, DEADLINE_TURN, 0);
        else
                come_back(c, b, now);
        sched_come_back(c, b->again, now);
        if (sched_drops_plans(c, now))
                note(c, FACT_PLAN_MOVED);
        if (is_whole(c, b))
                end_cycle(c, b, now);
        warm_keep(c, b, is_whole(c, b), now);
        show_planned(c, b);
        b->known = preempt_known_free(b->known);
        b->sleepless = bitset_free(b->sleepless);
}

void backfill_keep(struct cluster *c, const struct job *j, bool force, usec_t now,
                struct bitset *usable) {
        struct backfill *b = c->backfill;
        usec_t until = now + plan_limit(j);

        if (!b || follows(c, FOLLOW_PLAN_ANEW) || !c->config->bf.on)
                return;
        if (!bitset_contains(c->power[NODE_ON], usable))
                until += b->boot_max;
        plans_take(c, b, j, now, until, !force && place_wants_whole(c, j), false, usable);
}

struct rests backfill_leaves(struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable) {
        struct period when = { .from = now, .until = now + plan_limit(j) };
        struct backfill *b = c->backfill;

        if (!b || follows(c, FOLLOW_PLAN_ANEW) || !c->config->bf.on)
                return (struct rests){ 0 };
        if (!plan_by_numbers(c, shape_of(b->shapes, c, j), j))
                return (struct rests){ 0 };
        if (!bitset_contains(c->power[NODE_ON], usable))
                when.until += b->boot_max;
        plans_take(c, b, j, now, when.until, false, true, usable);
        return plan_rests_of(c, b, j, now, when, false);
}

bool backfill_awaits(struct cluster *c, const struct job *j) {
        const struct backfill *b = c->backfill;
        const struct bid *first = b && c->config->bf.on && !follows(c, FOLLOW_PLAN_ANEW)
                                                  ? lifted_first(b)
                                                  : NULL;
        const struct bid me = bid_of(j);

        return first && first->job != job_leader(job_itself(j)) && bid_order(first, &me) < 0;
}

bool backfill_may_lift(const struct cluster *c, const struct job *j, const struct bitset *nodes,
                usec_t now) {
        const struct backfill *b = c->backfill;

        if (!b || !c->config->bf.parts || follows(c, FOLLOW_PLAN_ANEW))
                return false;
        const usec_t until = now + plan_limit(j) + b->boot_max;
        bitset_for_each(i, nodes)
                if (b->first[i] < until)
                        return true;
        return false;
}

void backfill_lift(struct cluster *c, usec_t now) {
        plan_take_up(c, c->backfill, now);
}

bool backfill_has_licenses(struct cluster *c, const struct job *j, usec_t now) {
        size_t unused;

        if ((!j->needs.licenses && !j->needs.hres) || !c->config->bf.on || c->n_queue == 0)
                return licenses_free(c, j, now, false, NULL, &unused);
        struct backfill *b = plan_keeper(c, now);
        plan_take_up(c, b, now);
        struct attempt a = { .c = c,
                .b = b,
                .j = j,
                .now = now,
                .limit = plan_limit(j),
                .count = MAX(1u, j->asked.min_nodes) };
        bool has = fit_licenses_now(&a);
        hres_room_free(a.room);
        return has;
}

/* Places the job on the chosen nodes, as if no job were running there. */
static int place_asked(const struct attempt *a, struct placement *ret) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(a->c->n_active);
        struct period when = { .from = a->when.from, .until = a->when.until };

        bitset_fill(gone);
        if (a->numbers)
                when.rests = plan_rests_of(a->c, a->b, a->j, a->now, when, true);
        return place_after(a->c, a->j, a->b->chosen, when, gone, ret);
}

static int fit_asked(struct attempt *a) {
        a->limit = plan_limit(a->j);
        fit_shape(a);
        return a->count == UINT32_MAX ? -ENOENT : fit_place(a, USEC_INFINITY);
}

int backfill_fit(struct cluster *c, const struct job *j, usec_t now, usec_t *ret_start,
                struct placement *ret) {
        struct backfill *b = plan_keeper(c, now);
        const struct attempt asked = { .c = c,
                .b = b,
                .j = j,
                .now = now,
                .from = MAX(now, job_begin(j)),
                .own = USEC_INFINITY,
                .chosen_at = USEC_INFINITY };
        struct attempt a = asked;
        struct aside behind = { 0 };

        plan_take_up(c, b, now);
        b->sleepless = powered_for_good(c);
        int r = fit_asked(&a);
        if (r < 0 || a.start > a.from)
                behind = plans_put_aside(c, b, j, r < 0 ? USEC_INFINITY : plan_over(&a));
        if (behind.n > 0) {
                a = asked;
                r = fit_asked(&a);
        }
        b->sleepless = bitset_free(b->sleepless);
        *ret_start = a.start + a.boot;
        r = r < 0 ? -ENOENT : place_asked(&a, ret);
        plans_put_back(b, &behind);
        return r;
}

size_t backfill_bytes(const struct cluster *c) {
        const struct backfill *b = c->backfill;
        size_t bytes = b ? sizeof *b + profile_bytes(b->profile) : 0;

        for (size_t i = 0; b && i < b->n_nodes; i++)
                bytes += sizeof b->of[i] + b->of[i].allocated * sizeof b->of[i].list[0] +
                         track_bytes(&b->tracks[i]);
        return bytes + (b ? bounds_bytes(b->bounds) : 0);
}
