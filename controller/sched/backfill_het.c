/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a heterogeneous job: the earliest start at which all components fit, on distinct
 * nodes (guide "Heterogeneous job support"; a single search in place of Slurm's two alternating
 * modes).
 *
 * Search: from a given time, each component is searched beside the earlier components, which are
 * laid in the profile meanwhile. If a component fits only later, all are searched again from that
 * later time. So the time only grows, to times at which something ends, and after some rounds all
 * fit. If each component fits alone, but not beside the choices of the others, all are placed
 * together (place_together()).
 *
 * Each component has a plan; start and boot time are the same in all (the longest boot), so that
 * the job begins on all nodes at once. The plans form a ring (job_plan.with), and are laid and
 * lifted together. */
#include "controller/sched/backfill_private.h"

#include "controller/accounts/limit_check.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/het_wait.h"
#include "controller/jobs/job_events.h"
#include "controller/reservations/reservation.h"

#define ROUNDS_MAX 64

struct joint {
        struct backfill *b;
        struct het_way way;
        struct attempt *of; /* n entries */
        usec_t *limit;      /* time limit of each component */
        usec_t *extra;      /* for each component, the longest boot minus the component's boot */
        struct bitset **chosen, **parts;
        uint32_t *order; /* components, fewest possible nodes first */
        size_t *nodes;   /* number of possible nodes of each component */
        /* values of components with a shorter time limit (--time-min); NULL: full limits */
        struct job *shorter;
        /* the components have equal sets of possible nodes, and only the number matters */
        bool same;
        /* Nodes of components already placed in this round, if some component is placed by numbers,
           so that the profile does not keep the components apart; else NULL. */
        struct bitset *taken;
        usec_t start, boot;
};

static int joint_compare_nodes(const void *a, const void *b, void *user) {
        const size_t *nodes = user;
        uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

        return nodes[x] != nodes[y] ? (nodes[x] < nodes[y] ? -1 : 1) : x < y ? -1 : x > y;
}

static void joint_release(struct joint *t) {
        for (size_t i = 0; t->of && i < t->way.n; i++) {
                bitset_free(t->chosen[i]);
                bitset_free(t->parts[i]);
        }
        bitset_free(t->taken);
        free(t->of);
        free(t->limit);
        free(t->extra);
        free(t->chosen);
        free(t->parts);
        free(t->order);
        free(t->nodes);
        free(t->shorter);
        het_way_done(&t->way);
}

/* Looks up the shape of component i; a shape is valid until the next look-up. */
static void take_shape(struct joint *t, size_t i) {
        fit_shape(&t->of[i]);
}

static bool have_same_nodes(struct joint *t) {
        _cleanup_(bitset_freep) struct bitset *of = NULL;

        for (size_t i = 0; i < t->way.n; i++) {
                const struct attempt *a = &t->of[i];
                take_shape(t, i);
                of = of ? of : bitset_copy(a->shape->nodes);
                if (a->c->resvs.n || a->numbers || a->shape->tasks || a->shape->gres ||
                                a->j->needs.req_nodes || a->j->asked.switches ||
                                place_is_particular(a->c, a->j) ||
                                place_heeds_switches(a->c, a->j) ||
                                !bitset_equal(of, a->shape->nodes))
                        return false;
        }
        return true;
}

/* Reduces the time limit of each component with --time-min to the minimum. */
static void ask_for_less(struct joint *t) {
        t->shorter = xnew0(struct job, t->way.n);
        for (size_t i = 0; i < t->way.n; i++) {
                struct together *o = &t->way.of[i];
                usec_t least = o->j->asked.time_min;
                if (least && least < plan_limit(o->j)) {
                        t->of[i].full = plan_limit(o->j);
                        o->j = job_limited(o->j, least, &t->shorter[i]);
                }
        }
}

static bool may_ask_for_less(const struct job *j) {
        for (uint32_t i = 0; i < j->het->n; i++)
                if (j->het->of[i]->asked.time_min)
                        return true;
        return false;
}

/* Start of the job's plan, lifted during the search; USEC_INFINITY: no plan. */
static usec_t own_start(const struct job *j) {
        const struct job_plan *p = job_itself(j)->waiting.plan;

        return p ? p->start : USEC_INFINITY;
}

static struct joint joint_new(struct cluster *c, struct backfill *b, const struct job *j,
                size_t which, bool shorter, enum het_when when, usec_t now) {
        struct joint t = { .b = b, .way = het_way(c, j, which, when, now) };
        size_t n = t.way.n;

        t.of = xnew0(struct attempt, n);
        t.limit = xnew0(usec_t, n);
        t.extra = xnew0(usec_t, n);
        t.chosen = xnew0(struct bitset *, n);
        t.parts = xnew0(struct bitset *, n);
        t.order = xnew0(uint32_t, n);
        t.nodes = xnew0(size_t, n);
        if (shorter)
                ask_for_less(&t);
        for (uint32_t i = 0; i < n; i++) {
                const struct job *m = t.way.of[i].j;
                t.limit[i] = plan_limit(m);
                t.of[i] = (struct attempt){ .c = c,
                        .b = b,
                        .j = m,
                        .job = job_itself(m),
                        .now = now,
                        .from = MAX(now, job_begin(m)),
                        .own = own_start(m),
                        .chosen_at = USEC_INFINITY,
                        .limit = t.limit[i],
                        .full = t.of[i].full,
                        .no_power = b->no_power };
                take_shape(&t, i);
                t.nodes[i] = bitset_count(t.of[i].shape->nodes);
                t.chosen[i] = bitset_new(b->n_nodes);
                t.parts[i] = bitset_new(parts_bits(b->node_parts));
                t.order[i] = i;
                if (t.of[i].numbers && !t.taken)
                        t.taken = bitset_new(b->n_nodes);
        }
        qsort_r(t.order, n, sizeof t.order[0], joint_compare_nodes, t.nodes);
        t.same = have_same_nodes(&t);
        return t;
}

/* Returns whether the components can never be placed, whatever jobs end. */
static bool is_hopeless(const struct joint *t) {
        uint64_t nodes = 0;

        for (size_t i = 0; i < t->way.n; i++) {
                if (t->of[i].count == UINT32_MAX)
                        return true;
                nodes += t->of[i].count;
        }
        return nodes > powered_most(t->of->c, t->of->b->sleepless);
}

/* ---- one round ---- */

/* The end of component i: by its limit, or with its reservation. */
static usec_t component_end(const struct joint *t, size_t i) {
        const struct attempt *a = &t->of[i];
        usec_t lasts = t->limit[i] + t->extra[i] + a->boot;
        usec_t until = usec_after(a->start, lasts);

        return MAX(a->start + 1, resv_until(a->j, a->start, until));
}

/* Returns whether nodes are taken by components in this round (see taken). */
static bool has_taken(const struct joint *t) {
        return t->taken && !bitset_empty(t->taken);
}

static void joint_unlay(struct joint *t, size_t laid) {
        while (!t->taken && laid-- > 0) {
                size_t i = t->order[laid];
                profile_give(t->b->profile, t->parts[i], t->of[i].start, component_end(t, i));
        }
}

/* Searches a place for component i; beside: not on nodes taken in this round. */
static int look_for(struct joint *t, size_t i, usec_t from, usec_t latest, bool beside) {
        struct attempt *a = &t->of[i];

        take_shape(t, i);
        a->from = MAX(from, job_begin(a->j));
        a->limit = t->limit[i] + t->extra[i];
        _cleanup_(bitset_freep) struct bitset *left = NULL;
        if (beside && has_taken(t)) {
                left = bitset_copy(a->shape->nodes);
                bitset_minus(left, t->taken);
                a->only = left;
        }
        int r = a->from <= latest ? fit_place(a, latest) : -ENOENT;
        a->limit = t->limit[i];
        a->only = NULL;
        return r;
}

/* Lowers *ret to the earliest time worth a further try for component i, which fits beside the
   earlier components only at *ret (USEC_INFINITY: never); the earlier components might choose
   different nodes later. The time is the start without the other components, or when something
   becomes free. */
static int joint_look_later(struct joint *t, size_t i, usec_t from, usec_t latest, usec_t *ret) {
        int r = look_for(t, i, from, latest, false);

        if (r < 0)
                return r;
        *ret = MIN(*ret, t->of[i].start > from ? t->of[i].start
                                               : fit_next_free(t->of, t->way.n, from));
        return *ret <= latest && *ret != USEC_INFINITY ? 0 : -ENOENT;
}

/* Takes the nodes found for component i, so that no other component gets the nodes in this
   round. */
static void lay_one(struct joint *t, size_t i) {
        struct attempt *a = &t->of[i];

        fit_wanted(a);
        bitset_assign(t->chosen[i], t->b->chosen);
        bitset_assign(t->parts[i], t->b->wanted);
        if (t->taken)
                bitset_or(t->taken, t->chosen[i]);
        else
                profile_take(t->b->profile, t->parts[i], a->start, component_end(t, i));
}

/* Places all components in order. *ret: from if all fit at from; else the earliest start of the
   component that does not. */
static int lay_all(struct joint *t, usec_t from, usec_t latest, usec_t *ret) {
        size_t laid = 0;
        int r = 0;

        *ret = from;
        if (t->taken)
                bitset_clear(t->taken);
        while (laid < t->way.n && r >= 0 && *ret == from) {
                size_t i = t->order[laid];
                struct attempt *a = &t->of[i];
                a->beside = laid > 0;
                r = look_for(t, i, from, latest, true);
                a->beside = false;
                *ret = r < 0 ? USEC_INFINITY : a->start;
                if (*ret > from && has_taken(t))
                        r = joint_look_later(t, i, from, latest, ret);
                if (r < 0 || *ret > from)
                        break;
                lay_one(t, i);
                laid++;
        }
        joint_unlay(t, laid);
        return r;
}

/* Returns whether all components fit together at the time, on nodes different from the choice of
   each alone. */
static bool fit_together(struct joint *t, usec_t at) {
        struct cluster *c = t->of->c;
        struct together *tog = xnew0(struct together, t->way.n);
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(c->n_active);
        bool all = true;
        size_t why;

        if (t->taken)
                bitset_clear(t->taken);
        for (size_t i = 0; i < t->way.n && all; i++) {
                all = look_for(t, i, at, at, false) >= 0;
                tog[i] = (struct together){ .j = t->of[i].j,
                        .usable = bitset_copy(t->b->fit),
                        .when = { .from = at, .until = at + t->limit[i] },
                        .room = fit_room(&t->of[i], at, NULL) };
                tog[i].when.room = tog[i].room;
                if (t->of[i].numbers)
                        tog[i].when.rests = plan_rests_of(c, t->b, t->of[i].j, t->of[i].now,
                                        tog[i].when, true);
        }
        bitset_fill(gone);
        uint64_t looked = c->slices.looked;
        all = all && place_together(c, tog, t->way.n, PLACE_FREE, gone, &why) >= 0;
        spend(t->b, c->n_nodes + LOOK_COST * (c->slices.looked - looked));
        for (size_t i = 0; i < t->way.n && all; i++) {
                bitset_assign(t->chosen[i], tog[i].where.nodes);
                t->of[i].start = at;
                t->of[i].boot = t->of[i].warm ? 0 : fit_boot(&t->of[i], t->chosen[i], at);
        }
        together_free(tog, t->way.n);
        return all;
}

/* Determines the longest boot time; true: the time kept for a component was too short, and a new
   round is needed. */
static bool joint_align_boots(struct joint *t) {
        bool again = false;

        t->boot = 0;
        for (size_t i = 0; i < t->way.n; i++)
                t->boot = MAX(t->boot, t->of[i].boot);
        for (size_t i = 0; i < t->way.n; i++) {
                if (t->of[i].boot + t->extra[i] >= t->boot)
                        continue;
                t->extra[i] = t->boot - t->of[i].boot;
                again = true;
        }
        return again;
}

/* If all components have the same possible nodes, returns the first time with enough nodes free at
   once for the shortest time limit; else from. USEC_INFINITY: none up to latest. */
static usec_t joint_earliest_start(struct joint *t, usec_t from, usec_t latest) {
        struct backfill *b = t->b;
        struct profile_wish w = { .duration = USEC_INFINITY, .from = from, .latest = latest };
        usec_t at;

        if (!t->same)
                return from;
        for (size_t i = 0; i < t->way.n; i++) {
                w.count += t->of[i].count;
                w.duration = MIN(w.duration, t->limit[i]);
        }
        take_shape(t, 0);
        const struct part_wish parts = fit_parts_of(t->of, from, from + w.duration);
        parts_wanted(b->node_parts, &parts, t->of->shape->nodes, b->wanted);
        w.nodes = b->wanted;
        return profile_fit(b->profile, &w, &at, b->free) >= 0 ? at : USEC_INFINITY;
}

/* Tries to place all components at the time from. 0: placed; -EBUSY: not before *next; -ENOENT:
   never. */
static int fit_at(struct joint *t, usec_t from, usec_t latest, usec_t *next) {
        *next = from;
        for (int i = 0; i < ROUNDS_MAX; i++) { /* the time kept for boots only grows */
                int r = lay_all(t, from, latest, next);
                bool all = (r >= 0 && *next == from) || (!t->same && fit_together(t, from));
                if (all && !joint_align_boots(t)) {
                        t->start = from;
                        return 0;
                }
                if (!all)
                        return r < 0 ? -ENOENT : -EBUSY;
        }
        return -ENOENT;
}

/* Returns the next time to be tried. After some rounds the time is at least a quarter further away
   than the last time, as many small releases may follow one another. */
static usec_t look_far(struct joint *t, usec_t from, usec_t next) {
        usec_t far = t->taken ? fit_next_free(t->of, t->way.n, from + (from - t->of->now) / 4)
                              : USEC_INFINITY;

        return far == USEC_INFINITY ? next : MAX(next, far);
}

/* Finds the earliest start of all components up to latest. 0: the start is t->start; -ENOENT: none;
   -EAGAIN: the turn's budget is used up, and the next turn continues from *s. */
static int joint_fit(struct joint *t, usec_t latest, struct het_times *s) {
        if (is_hopeless(t))
                return -ENOENT;
        for (size_t i = 0; i < t->way.n; i++)
                s->from = MAX(s->from, t->of[i].from);
        for (bool first = true; s->round <= ROUNDS_MAX && s->from <= latest; first = false) {
                usec_t next;
                if (!first && !plan_works(t->b))
                        return -EAGAIN;
                if (s->round == ROUNDS_MAX)
                        s->from = MAX(s->from, profile_last(t->b->profile));
                s->from = joint_earliest_start(t, s->from, latest);
                if (s->from > latest || s->from == USEC_INFINITY)
                        return -ENOENT;
                int r = fit_at(t, s->from, latest, &next);
                if (r != -EBUSY)
                        return r;
                s->from = s->round++ < ROUNDS_MAX / 4 ? next : look_far(t, s->from, next);
        }
        return -ENOENT;
}

/* ---- the plans ---- */

static void ring_lift(struct backfill *b, struct job_plan *of) {
        struct job_plan *p = of;

        do {
                plan_lift(b, p);
                p = p->with;
        } while (p && p != of);
}

static void ring_lay(struct backfill *b, struct job_plan *of) {
        struct job_plan *p = of;

        do {
                plan_lay(b, p);
                p = p->with;
        } while (p && p != of);
}

/* The latest end of the plans of a ring. */
static usec_t ring_until(const struct job_plan *of) {
        usec_t until = of->until;

        for (const struct job_plan *p = of->with; p && p != of; p = p->with)
                until = MAX(until, p->until);
        return until;
}

static struct job_plan *reserve_one(struct joint *t, size_t i, struct bid *at) {
        struct attempt *a = &t->of[i];

        a->start = t->start;
        a->boot = t->boot;
        bitset_assign(t->b->chosen, t->chosen[i]);
        take_shape(t, i);
        struct job_plan *p = plan_reserve(a);
        if (p)
                p->bid = at;
        return p;
}

static void reserve_all(struct joint *t) {
        const struct job *j = t->of->j;
        struct job_plan *first = NULL, *last = NULL;

        for (size_t i = 0; i < t->way.n; i++) {
                struct job_plan *p = reserve_one(t, i, j->waiting.current);
                if (!p && first) { /* every component gets a plan, or no component does */
                        last->with = first;
                        plan_drop(t->b, first);
                }
                if (!p)
                        return;
                if (last)
                        last->with = p;
                else
                        first = p;
                last = p;
        }
        limits_note_plan(t->of->c, j);
        if (last)
                last->with = first;
        t->b->parts[j->partition->index].reserved = first;
        if (t->start <= t->of->now)
                note(t->of->c, FACT_PLAN_MOVED);
}

/* ---- the search for a place, in all ways ---- */

struct hunt {
        struct cluster *c;
        struct backfill *b;
        const struct job *j;
        usec_t now, latest;
        /* HET_AHEAD: ways forbidden by limits are skipped if there are several ways */
        enum het_when when;
        struct het_search *s;
        struct joint best; /* the place found by s, if found in this turn */
};

static int fit_way(struct hunt *h, struct joint *t, bool only) {
        const struct het_search *s = h->s;
        usec_t latest = s->found ? MIN(h->latest, s->over) : h->latest;

        if (!only && h->when == HET_AHEAD &&
                        het_way_limit(h->c, &t->way, h->now, &h->b->again) != REASON_NONE)
                return -EDQUOT;
        return joint_fit(t, latest, &h->s->times);
}

/* Continues the search in the present way. false: all ways have been tried. */
static bool fit_next(struct hunt *h) {
        struct het_search *s = h->s;
        size_t n = het_ways(h->c, h->j, h->when, h->now);

        if (s->way >= n)
                return false;
        struct joint t = joint_new(h->c, h->b, h->j, s->way, s->shorter, h->when, h->now);
        int r = fit_way(h, &t, n == 1);
        bool better = r >= 0 && (!s->found || t.start + t.boot < s->over);
        if (better) {
                s->found = true;
                s->best = s->way;
                s->best_shorter = s->shorter;
                s->start = t.start;
                s->over = t.start + t.boot;
                joint_release(&h->best);
                h->best = t;
        } else {
                joint_release(&t);
        }
        if (r != -EAGAIN) {
                s->way++;
                s->times = (struct het_times){ 0 };
        }
        return true;
}

/* Searches all ways, then also with shorter time limits if the start may be earlier. true: the best
   way is known; false: the next turn continues. */
static bool fit_ways(struct hunt *h) {
        struct het_search *s = h->s;

        do {
                if (fit_next(h))
                        continue;
                if (s->shorter || !may_ask_for_less(h->j) || (s->found && s->start <= h->now))
                        return true;
                s->shorter = true;
                s->way = 0;
        } while (plan_works(h->b));
        return false;
}

/* Makes best the place found, searching it again if found in an earlier turn. -ENOENT: no place was
   found; -EAGAIN: the place no longer exists. */
static int take_best(struct hunt *h) {
        struct het_search *s = h->s;

        if (!s->found || h->best.of)
                return s->found ? 0 : -ENOENT;
        struct het_times then = { .from = s->start };
        if (s->best >= het_ways(h->c, h->j, h->when, h->now))
                return -EAGAIN;
        h->best = joint_new(h->c, h->b, h->j, s->best, s->best_shorter, h->when, h->now);
        return joint_fit(&h->best, MAX(s->start, h->now), &then) < 0 ? -EAGAIN : 0;
}

/* ---- its turn ---- */

/* Returns whether the job must not be tried now; -EAGAIN: unknown until the next turn. goes_on: the
   job is counted for bf_max_job_* already. */
static int het_must_wait(struct cluster *c, struct backfill *b, const struct job *j, bool goes_on,
                usec_t now) {
        if (!j->waiting.current->counted || het_awaits(c, j->het) != REASON_NONE ||
                        het_begins_later(j->het, now) || sched_awaits_victims(j) ||
                        het_limit(c, j, now, &b->again) != REASON_NONE ||
                        het_is_hindered(c, j, now, &b->again))
                return true;
        if (!goes_on && plan_tests_enough(c, b, j))
                return true;
        uint64_t looked = c->slices.looked;
        int never = het_could_never_run(c, j, now);
        spend(b, LOOK_COST * (c->slices.looked - looked));
        return never;
}

/* Returns whether the job may get a plan; bf_min_age_reserve counts from the time the last
   component became eligible. */
static bool may_reserve(const struct hunt *h) {
        bool old_enough = true;

        for (uint32_t i = 0; i < h->j->het->n; i++)
                old_enough &= h->now >= h->j->het->of[i]->waiting.eligible_time +
                                                        h->c->config->bf.min_age_reserve;
        return old_enough && plan_may_reserve(h->c, h->b, h->j, h->now);
}

/* Tries to start in the next way. 1: started; 0: not; -ENOENT: all ways have been tried. */
static int hunt_start_next(struct hunt *h) {
        struct het_search *s = h->s;

        if (s->way >= het_ways(h->c, h->j, HET_NOW, h->now))
                return -ENOENT;
        struct joint t = joint_new(h->c, h->b, h->j, s->way++, s->shorter, HET_NOW, h->now);
        int r = is_hopeless(&t) ? 0 : start_together(t.of, t.way.n);
        s->allowed |= r >= 0;
        joint_release(&t);
        return r > 0;
}

/* Tries to start in all ways, then with shorter limits. 1: started; 0: not; -EDQUOT: a limit
   forbids every way; -EAGAIN: the turn's budget is used up. */
static int hunt_start(struct hunt *h) {
        struct het_search *s = h->s;

        do {
                int r = hunt_start_next(h);
                if (r > 0)
                        return r;
                if (r == 0)
                        continue;
                if (!s->allowed)
                        return -EDQUOT;
                if (s->shorter || !may_ask_for_less(h->j)) {
                        h->j->waiting.current->refused_at = s->moment;
                        return 0;
                }
                s->shorter = true;
                s->allowed = false;
                s->way = 0;
        } while (plan_works(h->b));
        return -EAGAIN;
}

/* Quick check whether a better place may exist for all components: a component placed by numbers
   could use something freed, or all remaining components have room earlier, or a remaining
   component has room on different nodes at the same time. */
static bool may_improve(struct cluster *c, struct backfill *b, const struct job *j, usec_t now) {
        if (may_ask_for_less(j))
                return true;
        for (uint32_t i = 0; i < j->het->n; i++)
                if (j->het->of[i]->waiting.n_bids > 1)
                        return true;
        struct joint t = joint_new(c, b, j, 0, false, HET_AHEAD, now);
        bool some = false, counted = true;
        size_t whole = 0, earlier = 0;
        for (size_t i = 0; i < t.way.n && counted; i++) {
                const struct attempt *a = &t.of[i];
                const struct job_plan *p = a->job->waiting.plan;
                take_shape(&t, i);
                counted = p && a->count != UINT32_MAX;
                if (!counted)
                        break;
                const bool improves = fit_may_improve(a, p);
                some |= a->numbers ? improves : fit_may_shift(a, p);
                whole += !a->numbers;
                earlier += !a->numbers && improves;
        }
        joint_release(&t);
        return counted && (some || (whole && earlier == whole));
}

static usec_t joint_latest_end(const struct joint *t) {
        usec_t until = 0;

        for (size_t i = 0; i < t->way.n; i++)
                until = MAX(until, t->start + t->boot + t->limit[i]);
        return until;
}

static void begin_stage(struct het_search *s, enum het_stage stage) {
        *s = (struct het_search){ .job = s->job,
                .bid = s->bid,
                .moment = s->moment,
                .stage = stage };
}

/* Lifts plans of jobs behind for a job without a plan. true: plans were lifted, and the search must
   be repeated. */
static bool hunt_lift_behind(struct hunt *h) {
        const struct attempt a = { .c = h->c,
                .b = h->b,
                .j = h->j,
                .job = job_itself(h->j),
                .now = h->now };

        if (h->s->stage == HET_BEFORE_OTHERS || !plan_lift_behind(&a, joint_latest_end(&h->best)))
                return false;
        begin_stage(h->s, HET_BEFORE_OTHERS);
        joint_release(&h->best);
        h->best = (struct joint){ 0 };
        return true;
}

/* Returns whether each component has the nodes of its former plan. */
static bool joint_is_unmoved(const struct joint *t, const struct job_plan *old) {
        const struct job_plan *p = old;
        bool same = true;

        for (size_t i = 0; i < t->way.n && same; i++) {
                plan_nodes(p, t->b->scratch);
                same = bitset_equal(t->b->scratch, t->chosen[i]);
                p = p->with ? p->with : old;
        }
        return same;
}

/* Returns whether the place found is no better: neither earlier nor on different nodes. */
static bool hunt_is_no_better(const struct hunt *h, const struct job_plan *old) {
        const usec_t before = old->start + old->boot;

        return h->s->over > before || (h->s->over == before && joint_is_unmoved(&h->best, old));
}

/* Finds a place and plans it; old is the job's lifted plan, NULL: none. false: the next turn
   continues. */
static bool hunt_find_place(struct hunt *h, struct job_plan *old) {
        int r = -ENOENT;

        if (old)
                h->latest = MIN(h->latest, old->start);
        do {
                if (!fit_ways(h))
                        return false;
                r = take_best(h);
                if (r == -EAGAIN && !h->s->anew) { /* changed since the place was found */
                        begin_stage(h->s, h->s->stage);
                        h->s->anew = true;
                        return false;
                }
        } while (r >= 0 && !old && hunt_lift_behind(h));
        if (old && (r < 0 || hunt_is_no_better(h, old))) {
                ring_lay(h->b, old);
                return true;
        }
        if (r < 0)
                return true;
        if (old) {
                plan_freed(h->b, old->start, ring_until(old));
                plan_drop(h->b, old);
        }
        reserve_all(&h->best);
        return true;
}

/* Tries to start the job, then to find a place, from the beginning or from where the last turn of
   the controller stopped. 1: started; -EAGAIN: the next turn continues. */
static int take_turn(struct hunt *h, struct job_plan *old, bool moves) {
        struct het_search *s = h->s;
        const usec_t from = old ? old->start : 0, until = old ? ring_until(old) : 0;
        int r = s->stage == HET_STARTS ? hunt_start(h) : 0;

        if (r == -EAGAIN)
                return r;
        if (r != 0 && old) /* old is lifted, and not laid again */
                plan_freed(h->b, from, until);
        if (r > 0) /* the plan is void now, and dropped with the other changes */
                return r;
        if (r < 0) {
                if (old)
                        plan_drop(h->b, old);
                return 0;
        }
        if (s->stage == HET_STARTS && !moves) {
                if (old)
                        ring_lay(h->b, old);
                return 0;
        }
        if (!old && !may_reserve(h))
                return 0;
        if (s->stage == HET_STARTS)
                begin_stage(s, HET_FITS);
        return hunt_find_place(h, old) ? 0 : -EAGAIN;
}

/* Begins the turn of a job; false: no work for the job now. */
static bool begin_turn(struct backfill *b, const struct job *j, const struct job_plan *old,
                bool moves, usec_t now) {
        bool tries = j->waiting.current->refused_at != b->moment || (old && old->start <= now);

        b->het.moment = b->moment;
        b->het.stage = tries ? HET_STARTS : HET_FITS;
        b->cycle.tried += tries || moves;
        return tries || moves;
}

bool plan_het(struct cluster *c, struct backfill *b, const struct job *j, usec_t now) {
        struct job *itself = job_itself(j);
        struct job_plan *old = itself->waiting.plan;
        bool mine = old && old->bid == j->waiting.current, counted = b->het.job;
        int waiting = het_must_wait(c, b, j, counted, now);

        if (!counted)
                b->het = (struct het_search){ .job = j->id, .bid = j->waiting.current };
        if (waiting == -EAGAIN)
                return true;
        if (waiting) {
                b->het.job = 0;
                if (mine)
                        plan_drop(b, old);
                return false;
        }
        for (uint32_t i = 0; i < j->het->n; i++)
                j->het->of[i]->waiting.last_sched_eval = now;
        /* the nodes were not free in time */
        if (old && (!old->laid || (mine && old->start < now))) {
                plan_drop(b, old);
                old = NULL;
        }
        bool moves = !old || old->start <= now || may_improve(c, b, j, now);
        if (b->het.stage == HET_COUNTED && !begin_turn(b, j, old, moves, now)) {
                b->het.job = 0;
                return false;
        }
        if (old)
                ring_lift(b, old);
        struct hunt h = { .c = c,
                .b = b,
                .j = j,
                .now = now,
                .latest = c->config->bf.window ? now + c->config->bf.window : USEC_INFINITY,
                .when = HET_AHEAD,
                .s = &b->het };
        int r = take_turn(&h, old, moves);
        joint_release(&h.best);
        if (r == -EAGAIN && old)
                ring_lay(b, old);
        if (r != -EAGAIN)
                b->het.job = 0;
        return r != 0;
}

/* ---- what is only asked for ---- */

/* Counts the CPUs and collects the nodes of all components at the places found, as if no job were
   running there. */
static int joint_count_cpus(struct joint *t, struct bitset *ret_nodes, uint32_t *ret_cpus) {
        struct cluster *c = t->of->c;
        struct together *tog = xnew0(struct together, t->way.n);
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(c->n_active);
        size_t why;

        bitset_fill(gone);
        for (size_t i = 0; i < t->way.n; i++) {
                struct attempt *a = &t->of[i];
                take_shape(t, i);
                tog[i] = (struct together){ .j = a->j,
                        .usable = bitset_copy(t->chosen[i]),
                        .when = { .from = t->start, .until = component_end(t, i) },
                        .room = fit_room(a, t->start, NULL) };
                tog[i].when.room = tog[i].room;
        }
        int r = place_together(c, tog, t->way.n, PLACE_FREE, gone, &why);
        *ret_cpus = 0;
        bitset_clear(ret_nodes);
        for (size_t i = 0; i < t->way.n && r >= 0; i++) {
                bitset_or(ret_nodes, tog[i].where.nodes);
                *ret_cpus += tog[i].where.num_cpus;
        }
        together_free(tog, t->way.n);
        return r;
}

int backfill_fit_together(struct cluster *c, const struct job *j, usec_t now, usec_t *ret_start,
                struct bitset *ret_nodes, uint32_t *ret_cpus) {
        struct backfill *b = plan_keeper(c, now);
        struct het_search s = { 0 };
        struct hunt h = { .c = c,
                .b = b,
                .j = j,
                .now = now,
                .latest = USEC_INFINITY,
                .when = HET_LATER,
                .s = &s };

        plan_take_up(c, b, now);
        b->sleepless = powered_for_good(c);
        struct aside aside = plans_put_aside(c, b, j, USEC_INFINITY);
        while (!fit_ways(&h))
                b->work = 0;
        int r = take_best(&h);
        if (r >= 0) {
                *ret_start = s.over;
                r = joint_count_cpus(&h.best, ret_nodes, ret_cpus);
        }
        plans_put_back(b, &aside);
        joint_release(&h.best);
        b->sleepless = bitset_free(b->sleepless);
        return r;
}
