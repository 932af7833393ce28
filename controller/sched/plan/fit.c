/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job fits: the profile says which nodes are free long enough, the shape which nodes
 * could serve the job; of the nodes in both as many are chosen as place() would take.
 *
 *   fit_place          licenses and nodes in turn, until both agree on a start
 *   fit_layers         hierarchical resources: repeats the search when layers become free
 *   fit_nodes          --switches: few leaf switches first, any number after the wait
 *   fit_unbooted       --delay-boot: nodes with the features first, any nodes after the wait
 *   fit_by_power       nodes with power, booting nodes, all nodes: the earliest start
 *   fit_search         one search, with the time for the boot
 *   fit_profile        the times between changes of reservations, one by one
 *   fit_usable_parts   profile_fit(), or fit_numbers() for jobs by numbers */
#include "controller/model/feature.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/plan/plan.h"

static uint32_t tasks_on(const struct attempt *a, size_t node) {
        if (bitset_has(a->b->partly, node))
                return a->b->tasks_then[node];
        return a->shape->tasks ? a->shape->tasks[node] : a->shape->most;
}

static const struct gres_parts *gres_on(const struct attempt *a, size_t node) {
        static const struct gres_parts none;

        if (!a->shape->gres)
                return &none;
        return bitset_has(a->b->partly, node) ? &a->b->gres_then[node] : &a->shape->gres[node];
}

struct choice {
        const struct attempt *a;
        struct bitset *ret;
        uint32_t nodes, most_nodes, at_least;
        uint64_t tasks, wanted;
        const struct bitset *first;   /* nodes taken first, however small; NULL: none */
        const struct hres_room *room; /* hierarchical resources; NULL: the job asks for none */
        struct hres_pick *pick;       /* NULL: any nodes of the layers may be combined */
        struct gres_sums gres;        /* --gpus */
        struct gres_total wanted_gres;
};

static bool choice_done(const struct choice *ch) {
        return ch->nodes >= ch->a->count && ch->tasks >= ch->wanted &&
               gres_sums_do(&ch->gres, &ch->wanted_gres);
}

static void choose_from(struct choice *ch, const struct bitset *set) {
        bitset_for_each(i, set) {
                if (choice_done(ch) || ch->nodes >= ch->most_nodes)
                        return;
                if (bitset_has(ch->ret, i) || tasks_on(ch->a, i) < ch->at_least)
                        continue;
                if (ch->pick && !hres_pick_add(ch->pick, i))
                        continue;
                bitset_add(ch->ret, i);
                ch->nodes++;
                ch->tasks += tasks_on(ch->a, i);
                gres_sums_add(&ch->gres, gres_on(ch->a, i));
        }
}

/* Chooses as place() will: the nearest nodes first (node_distance()), then by weight, then by
   number. */
static bool choose_as_placed(struct choice *ch, const struct bitset *free) {
        const struct cluster *c = ch->a->c;
        const struct resv *of = ch->a->j->placed.resv;
        struct bitset *set = ch->a->b->scratch;

        bitset_clear(ch->ret);
        ch->nodes = 0;
        ch->tasks = 0;
        ch->gres = (struct gres_sums){ 0 };
        if (ch->pick) {
                hres_pick_free(ch->pick);
                ch->pick = hres_pick_new(ch->room);
        }
        if (ch->first) {
                uint32_t at_least = ch->at_least;
                ch->at_least = 0;
                choose_from(ch, ch->first);
                ch->at_least = at_least;
                if (!bitset_contains(ch->ret, ch->first))
                        return false;
        }
        for (size_t g = 0; g < NODE_DISTANCE_MAX; g++)
                for (size_t w = 0; w < c->n_weights && !choice_done(ch); w++) {
                        bitset_assign(set, free);
                        bitset_and(set, g == NODE_IS_UP ? ch->a->b->powered : c->distance[g]);
                        bitset_and(set, c->weights[w]);
                        /* nodes of a reservation with REPLACE are replaced when allocated: taken
                           last */
                        if (of && resv_wanders(of))
                                bitset_minus(set, of->nodes);
                        choose_from(ch, set);
                }
        if (of && resv_wanders(of))
                choose_from(ch, free);
        return choice_done(ch);
}

/* Chooses the nodes that place() would take if all nodes were empty. */
static bool choose_particular(const struct attempt *a, const struct bitset *free,
                const struct hres_room *room, struct bitset *ret) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(a->c->n_active);
        struct placement where = { 0 };

        spend(a->b, bitset_count(free));
        bitset_fill(gone);
        struct period when = { .from = a->when.from, .until = a->when.until, .room = room };
        if (a->numbers)
                when.rests = plan_rests_of(a->c, a->b, a->j, a->now, when, true);
        if (place_after(a->c, a->j, free, when, gone, &where) < 0)
                return false;
        bool few = a->switches == 0 || where.switches <= a->switches;
        bitset_assign(ret, where.nodes);
        placement_done(&where);
        return few;
}

static bool is_particular(const struct attempt *a) {
        return place_is_particular(a->c, a->j) || shape_mixes(a->shape, a->j);
}

static bool choose_any(struct choice *ch, const struct bitset *free) {
        const struct attempt *a = ch->a;

        ch->at_least = 0;
        if (choose_as_placed(ch, free))
                return true;
        ch->at_least = a->shape->most; /* fewer, larger nodes may do */
        return (a->shape->tasks || !bitset_empty(a->b->partly)) && choose_as_placed(ch, free);
}

/* Adds to first a free node of each set required by the hierarchical resources; false: some set
   has none. */
static bool must_have(const struct choice *ch, const struct bitset *free, struct bitset *first) {
        const struct bitset *some;

        while ((some = hres_lacks(ch->room, first))) {
                size_t i = bitset_next(some, 0);
                while (i != SIZE_MAX && (!bitset_has(free, i) || tasks_on(ch->a, i) == 0))
                        i = bitset_next(some, i + 1);
                if (i == SIZE_MAX)
                        return false;
                bitset_add(first, i);
        }
        return true;
}

/* As place_layers.c: only nodes of layers with enough, or one such node and any further nodes. */
static bool choose_layers(struct choice *ch, const struct bitset *free) {
        const struct hres_room *room = ch->room;
        _cleanup_(bitset_freep) struct bitset *narrow = bitset_copy(free),
                                              *first = bitset_new(free->bits);

        ch->pick = hres_is_counted(room) ? hres_pick_new(room) : NULL;
        for (size_t i = 0; i < room->n; i++)
                if (room->list[i].some)
                        bitset_and(narrow, room->list[i].some);
        bool chosen = choose_any(ch, narrow);
        if (!chosen && !bitset_equal(narrow, free)) {
                if (ch->first)
                        bitset_or(first, ch->first);
                if (must_have(ch, free, first)) {
                        ch->first = first;
                        chosen = choose_any(ch, free);
                }
        }
        ch->pick = hres_pick_free(ch->pick);
        return chosen && !hres_lacks(room, ch->ret);
}

/* Sets ret to a choice of the free nodes for the job; false: the free nodes do not suffice. */
static bool fit_choose_nodes(const struct attempt *a, const struct bitset *free,
                const struct hres_room *room, struct bitset *ret) {
        struct choice ch = { .a = a,
                .ret = ret,
                .most_nodes = place_most_nodes(a->j),
                .wanted = job_tasks(a->j),
                .first = a->j->needs.req_nodes,
                .room = room,
                .wanted_gres = gres_total_of(a->j->needs.gres_wants) };

        if (a->j->needs.req_nodes && !bitset_contains(free, a->j->needs.req_nodes))
                return false;
        if (a->numbers || is_particular(a) || place_heeds_switches(a->c, a->j))
                return choose_particular(a, free, room, ret);
        return room ? choose_layers(&ch, free) : choose_any(&ch, free);
}

/* The same for a start at that time, with the hierarchical resources available then. */
static bool choose_at(const struct attempt *a, usec_t start, const struct bitset *free,
                struct bitset *ret) {
        if (a->chosen_at == start) /* fit_would_do() has chosen */
                return true;
        if (!a->j->needs.hres)
                return fit_choose_nodes(a, free, NULL, ret);
        _cleanup_(hres_room_freep) struct hres_room *room = fit_room(a, start, NULL);
        _cleanup_(bitset_freep) struct bitset *allowed = bitset_copy(free);
        bitset_and(allowed, room->allowed);
        return fit_choose_nodes(a, allowed, room, ret);
}

/* Returns whether all chosen nodes could have power at once: nodes that never sleep always have
   power, even beyond max_powered_nodes. */
static bool leaves_power(const struct attempt *a) {
        const struct bitset *chosen = a->b->chosen, *ever = a->b->sleepless;
        size_t always = ever ? bitset_count(ever) : 0;
        size_t more = bitset_count(chosen) - (ever ? bitset_count_and(chosen, ever) : 0);

        return more == 0 || always + more <= a->c->config->max_powered_nodes;
}

/* Removes nodes without enough memory: free parts of a node share memory with the jobs on the
   node's further parts. */
static void heed_memory(const struct attempt *a, usec_t start, struct bitset *nodes) {
        struct backfill *b = a->b;

        if (!bitset_overlaps(nodes, parts_split(b->node_parts)))
                return;
        struct period when = { .from = start,
                .until = usec_after(start, a->tried.until - a->tried.from) };
        bitset_for_each(i, nodes)
                if (bitset_has(parts_split(b->node_parts), i) &&
                                !plan_memory_suffices(a->c, b, a->j, a->c->nodes[i], a->now, when,
                                                true))
                        bitset_del(nodes, i);
}

bool fit_would_do(struct attempt *a, usec_t start) {
        struct backfill *b = a->b;

        if (a->numbers) {
                usec_t until = usec_after(start, a->tried.until - a->tried.from);
                a->when = (struct period){ .from = start,
                        .until = a->turn_end ? MIN(until, a->turn_end) : until };
        }
        if (choose_at(a, start, b->fit, b->chosen)) {
                bool leaves = leaves_power(a);
                a->chosen_at = leaves && a->numbers ? start : USEC_INFINITY;
                return leaves;
        }
        if (a->j->needs.hres && start < a->refused && fit_choose_nodes(a, b->fit, NULL, b->chosen))
                a->refused = start;
        return false;
}

static bool would_do(const struct bitset *free, usec_t start, void *user) {
        struct attempt *a = user;

        parts_nodes(a->b->node_parts, a->b->wanted, free, a->b->fit);
        heed_memory(a, start, a->b->fit);
        return fit_would_do(a, start);
}

/* As profile_fit(), on the parts of nodes usable by the job in the period; b->fit: the free
   nodes. */
static int fit_usable_parts(struct attempt *a, struct profile_wish *w, usec_t from, usec_t until,
                usec_t *ret_start) {
        struct backfill *b = a->b;

        a->tried = (struct period){ .from = from, .until = until };
        a->turn_end = w->end;
        const struct part_wish parts = fit_parts_of(a, from, until);
        parts_wanted(b->node_parts, &parts, w->nodes, b->wanted);
        if (a->numbers)
                return fit_numbers(a, w, ret_start);
        w->nodes = b->wanted;
        int r = profile_fit(b->profile, w, ret_start, b->free);
        if (r >= 0 && !w->enough)
                parts_nodes(b->node_parts, b->wanted, b->free, b->fit);
        return r;
}

/* Sets b->partly to the nodes whose cores are in part kept from the job, with the tasks and gres
   left; removes nodes without room from allowed. */
static void heed_cores(struct attempt *a, usec_t from, usec_t until, struct bitset *allowed) {
        struct cluster *c = a->c;
        struct bitset *partly = a->b->partly;

        a->when = (struct period){ .from = from, .until = until };
        bitset_clear(partly);
        for (size_t i = 0; i < c->resvs.n && c->resvs.cores; i++)
                if (c->resvs.list[i]->n_cores && resv_keeps_off(c->resvs.list[i], a->j, from,
                                                                 resv_until(a->j, from, until)))
                        bitset_or(partly, c->resvs.list[i]->nodes);
        bitset_and(partly, allowed);
        if (bitset_empty(partly))
                return;
        place_capacity_then(c, a->j, partly, a->when, a->b->tasks_then, a->b->gres_then);
        spend(a->b, 8 * bitset_count(partly));
        bitset_for_each(i, partly)
                if (a->b->tasks_then[i] == 0)
                        bitset_del(allowed, i);
}

/* Maximum number of starts and ends of reservations examined in a search: a job needing more
   hardly fits anywhere. */
#define CHANGES_MAX 500

/* Returns the end of the job's reservation that is active at from, which also ends the job; 0:
   none. */
static usec_t end_of_turn(const struct attempt *a, usec_t from) {
        usec_t end = resv_until(a->j, from, USEC_INFINITY);

        return end == USEC_INFINITY ? 0 : end;
}

/* Removes nodes in several parts that are still booting for the jobs on a part. (For a job by
   numbers, the search checks each node: fit_numbers.c.) */
static void heed_boots(const struct attempt *a, usec_t from, struct bitset *allowed) {
        const struct bitset *split = parts_split(a->b->node_parts);

        if (a->numbers)
                return;
        bitset_for_each(i, a->b->booting)
                if (bitset_has(split, i) && fit_up_from(a, i) > from)
                        bitset_del(allowed, i);
}

/* Returns when the first of the nodes removed by heed_boots() can be used. */
static usec_t next_boot(const struct attempt *a, usec_t from) {
        const struct bitset *split = parts_split(a->b->node_parts);
        usec_t next = USEC_INFINITY;

        if (a->numbers)
                return next;
        bitset_for_each(i, a->b->booting)
                if (bitset_has(split, i) && fit_up_from(a, i) > from)
                        next = MIN(next, fit_up_from(a, i));
        return next;
}

/* The nodes usable by the job change only when reservations start or end, or nodes have booted:
   searches each time between two changes with fixed nodes. */
static int fit_profile(struct attempt *a, struct profile_wish *w, usec_t *ret_start) {
        usec_t duration = w->duration, latest = w->latest;
        const struct bitset *nodes = w->nodes;

        bitset_clear(a->b->partly);
        if (a->c->resvs.n == 0)
                return fit_usable_parts(a, w, w->from, usec_after(w->from, duration), ret_start);
        _cleanup_(bitset_freep) struct bitset *allowed = bitset_new(nodes->bits);
        _cleanup_(bitset_freep) struct bitset *own =
                        a->j->placed.resv ? resv_reach(a->c, a->j->placed.resv, a->now) : NULL;
        for (int i = 0; i < CHANGES_MAX && w->from <= latest; i++) {
                usec_t until = usec_after(w->from, duration);
                usec_t next = MIN(resv_next_change(a->c, a->j, w->from, duration),
                                next_boot(a, w->from));
                bitset_assign(allowed, nodes);
                resv_filter_in(a->c, a->j, own, w->from, until, allowed);
                heed_cores(a, w->from, until, allowed);
                heed_boots(a, w->from, allowed);
                spend(a->b, allowed->words * (3 + a->c->resvs.n));
                w->nodes = allowed;
                w->end = end_of_turn(a, w->from);
                w->latest = MIN(latest, next - 1);
                if (bitset_count(allowed) >= w->count &&
                                fit_usable_parts(a, w, w->from, until, ret_start) >= 0)
                        return 0;
                if (next == USEC_INFINITY)
                        break;
                w->from = next;
        }
        return -ENOENT;
}

/* Returns whether any a->count nodes of the shape will do. */
static bool any_will_do(const struct attempt *a, bool warm) {
        return !a->numbers && !a->shape->tasks && !a->shape->gres && !a->j->needs.req_nodes &&
               !a->j->needs.hres && !warm && !a->only && !is_particular(a) && !a->c->resvs.cores &&
               (!a->b->sleepless || a->count + bitset_count(a->b->sleepless) <=
                                                    a->c->config->max_powered_nodes);
}

/* Possible states of the nodes of a place when the job starts. */
enum lack {
        LACK_NOTHING, /* the nodes are up */
        LACK_BOOT,    /* some nodes are booting for jobs */
        LACK_POWER,   /* nodes are woken at the start, or in time before (warm) */
};

/* Returns when the last booting node of nodes is up, among nodes with room for the job during
   the boot; 0: none. (A node planned as a whole is free only when its jobs end.) */
static usec_t last_boot(const struct attempt *a, const struct bitset *nodes) {
        const struct bitset *split = parts_split(a->b->node_parts);
        usec_t last = 0;

        bitset_for_each(i, a->b->booting)
                if (bitset_has(nodes, i) && (a->numbers || bitset_has(split, i)))
                        last = MAX(last, a->b->up_by[i]);
        return last;
}

/* Returns the maximum wait of the job for nodes of the place to be up. */
static usec_t lead_of(const struct attempt *a, const struct bitset *nodes, enum lack lack) {
        const usec_t boot = lack == LACK_BOOT ? last_boot(a, nodes) : 0;

        if (lack == LACK_POWER)
                return a->warm ? 0 : a->b->boot_max;
        return boot > a->from ? boot - a->from : 0;
}

/* Finds the earliest start up to latest on these nodes, with the time for the boot. */
static int fit_search(struct attempt *a, const struct bitset *nodes, enum lack lack, usec_t latest,
                usec_t *ret_start) {
        const bool all = lack == LACK_POWER,
                   warm = all && a->warm; /* woken in time to be up at the start */
        bool simple = any_will_do(a, warm);

        a->chosen_at = USEC_INFINITY;
        a->lead = lead_of(a, nodes, lack);
        struct profile_wish w = { .nodes = nodes,
                .count = a->count,
                .duration = a->limit + a->lead,
                .from = warm ? MAX(a->from, a->now + a->b->boot_max) : a->from,
                .latest = latest,
                .enough = simple ? NULL : would_do,
                .user = a };

        if (simple)
                w.from = MAX(w.from,
                                MIN(shape_not_before(a->shape, all, a->count, w.duration, a->now),
                                                a->own > w.duration ? a->own - w.duration : 0));
        if (w.from > latest)
                return -ENOENT;
        int r = fit_profile(a, &w, ret_start);
        if (simple && !a->beside && a->c->resvs.n == 0 && a->from <= a->now &&
                        (r >= 0 || latest != USEC_INFINITY))
                shape_failed_before(a->shape, all, a->count, w.duration,
                                r >= 0 ? *ret_start : latest + 1, a->now);
        return r;
}

static bool lack_power(const struct attempt *a, const struct bitset *nodes) {
        return !bitset_contains(a->b->powered, nodes);
}

usec_t fit_boot(const struct attempt *a, const struct bitset *nodes, usec_t start) {
        const struct backfill *b = a->b;
        usec_t boot = 0;

        if (bitset_contains(b->up, nodes))
                return 0;
        bitset_for_each(i, nodes)
                if (!bitset_has(b->powered, i))
                        boot = MAX(boot, node_boot_time(a->c->nodes[i]));
                else if (b->up_by[i] > start)
                        boot = MAX(boot, b->up_by[i] - start);
        return boot;
}

void fit_note_boots(const struct cluster *c, struct backfill *b) {
        b->boot_max = 0;
        for (int p = NODE_ON + 1; c->power_save && p < NODE_POWER_MAX; p++)
                bitset_for_each(i, c->power[p])
                        b->boot_max = MAX(b->boot_max, node_boot_time(c->nodes[i]));
}

/* Returns whether the job's own place lies on these nodes and is valid: only an earlier start
   need be searched. */
static bool has_own(const struct attempt *a, const struct bitset *nodes, usec_t latest) {
        const struct job_plan *p = a->old;

        if (!p || p->boot || p->start > latest || p->start <= a->from ||
                        p->until - p->start < a->limit || a->c->resvs.n || !any_will_do(a, false))
                return false;
        plan_nodes(p, a->b->scratch);
        return bitset_count(a->b->scratch) >= a->count && bitset_contains(nodes, a->b->scratch);
}

/* Returns whether nodes are taken in the order of their numbers. */
static bool goes_by_number(const struct attempt *a) {
        return a->c->n_weights == 1 && !a->shape->tasks && !a->shape->gres && !a->j->needs.hres &&
               !a->j->needs.req_nodes && !is_particular(a) && !place_heeds_switches(a->c, a->j) &&
               !lack_power(a, a->shape->nodes);
}

/* Sets ret to the nodes that could replace some of p's nodes. */
static void fit_alternatives(const struct attempt *a, const struct job_plan *p,
                struct bitset *ret) {
        size_t from = 0;

        bitset_clear(ret);
        for (size_t i = 0; i < p->n_ranges; i++) {
                bitset_add_range(ret, from, p->ranges[i].from - from);
                from = p->ranges[i].from + p->ranges[i].n;
        }
        if (!goes_by_number(a))
                bitset_add_range(ret, from, ret->bits - from);
        bitset_and(ret, a->shape->nodes);
}

bool fit_may_shift(const struct attempt *a, const struct job_plan *p) {
        struct backfill *b = a->b;

        if (a->numbers || p->start >= reach_of(a))
                return false; /* checked by fit_may_improve() */
        if (a->c->resvs.n)
                return true;
        fit_alternatives(a, p, b->scratch);
        spend(b, 3 * b->scratch->words);
        return profile_has_one(b->profile, b->scratch, p->start, usec_after(p->start, a->limit));
}

/* The place on nodes with power. */
struct powered {
        const struct bitset *nodes;
        enum lack lack;
        usec_t latest, start;
};

/* Returns whether a start while some nodes boot could be earlier than p->start (found >= 0), or
   could exist although no start on nodes that are up was found until p->latest. */
static bool may_start_booting(const struct attempt *a, const struct powered *p, int found) {
        const usec_t last = last_boot(a, p->nodes);

        /* No node of the place is still booting at a->from. */
        if (last <= a->from)
                return false;
        /* A job that starts while nodes boot needs the same nodes for the whole time limit after
           the last boot: an earlier search up to then would have found that start. */
        if (found >= 0)
                return p->start > a->from && p->start <= last;
        return p->latest > 0 && p->latest <= last;
}

/* A job may start on nodes booting for different jobs, and runs as soon as the nodes are up: the
   allocation begins at the start. */
static int fit_booting(struct attempt *a, struct powered *p, int found) {
        usec_t start;

        if (!may_start_booting(a, p, found))
                return found;
        const usec_t before = found >= 0 ? p->start - 1 : p->latest;
        int r = fit_search(a, p->nodes, LACK_BOOT, before, &start);
        if (r < 0 && found >= 0) /* b->fit has been overwritten */
                return fit_search(a, p->nodes, p->lack, p->latest, &p->start);
        if (r >= 0)
                *p = (struct powered){ p->nodes, LACK_BOOT, before, start };
        return r;
}

static int fit_powered(struct attempt *a, usec_t latest, struct powered *p, bool *ret_own) {
        bool own = has_own(a, p->nodes, latest);

        p->latest = own ? a->own - 1 : latest;
        int r = fit_search(a, p->nodes, LACK_NOTHING, p->latest, &p->start);
        own = own && r < 0;
        if (own && fit_may_shift(a, a->old)) {
                p->latest = a->own;
                r = fit_search(a, p->nodes, LACK_NOTHING, p->latest, &p->start);
        } else if (own) {
                p->start = a->own;
        }
        *ret_own = own;
        return own ? r : fit_booting(a, p, r);
}

/* Nodes without power count as free at once, and the job takes longer by the boot. Such nodes
   are not planned if nodes with power are free just as early: power may not be available
   (max_powered_nodes). */
static int fit_by_power(struct attempt *a, usec_t latest) {
        const struct bitset *nodes = a->only ? a->only : a->shape->nodes;
        _cleanup_(bitset_freep) struct bitset *up = NULL;
        usec_t any = USEC_INFINITY;
        bool own;

        a->boot = 0;
        a->warm = a->c->config->bf.warm_up && a->c->power_save && latest > a->now;
        if (lack_power(a, nodes)) {
                up = bitset_copy(nodes);
                bitset_and(up, a->b->powered);
        }
        struct powered p = { .nodes = up ? up : nodes, .start = USEC_INFINITY };
        int r = fit_powered(a, latest, &p, &own);
        if (up && (r < 0 || p.start > a->now)) {
                usec_t boot = a->warm ? 0 : a->b->boot_max,
                       last = r < 0 && !own    ? latest
                              : p.start > boot ? p.start - boot - 1
                                               : 0;
                if (fit_search(a, nodes, LACK_POWER, MAX(last, a->now), &any) >= 0 &&
                                choose_at(a, any, a->b->fit, a->b->chosen)) {
                        a->start = any;
                        a->boot = a->warm ? 0 : fit_boot(a, a->b->chosen, any);
                        return 0;
                }
                if (r >= 0) /* b->fit has been overwritten */
                        r = fit_search(a, up, p.lack, p.latest, &p.start);
        }
        a->start = p.start;
        if (r < 0 || !choose_at(a, p.start, a->b->fit, a->b->chosen))
                return -ENOENT;
        a->boot = fit_boot(a, a->b->chosen, p.start);
        return 0;
}

/* --delay-boot: searches nodes with the job's features until the delay is over, and any nodes
   afterwards. */
static int fit_unbooted(struct attempt *a, usec_t latest) {
        usec_t from = a->from, until = place_boots_from(a->j, a->now);
        int r = -ENOENT;

        if (until <= from)
                return fit_by_power(a, latest);
        const struct bitset *before = a->only;
        _cleanup_(bitset_freep) struct bitset *only = bitset_copy(
                        before ? before : a->shape->nodes);
        bitset_for_each(i, a->shape->nodes)
                if (!features_match(a->j->needs.features, a->c->nodes[i], FEATURES_NOW))
                        bitset_del(only, i);
        spend(a->b, bitset_count(a->shape->nodes));
        a->only = only;
        if (bitset_count(only) >= a->count)
                r = fit_by_power(a, MIN(latest, until));
        a->only = before;
        if (r >= 0)
                return r;
        a->from = until;
        r = until <= latest ? fit_by_power(a, latest) : -ENOENT;
        a->from = from;
        return r;
}

/* --switches: searches with the requested number of leaf switches until the wait is over, and
   with any number afterwards. */
static int fit_nodes(struct attempt *a, usec_t latest) {
        usec_t from = a->from, until;

        if (!a->j->asked.switches)
                return fit_unbooted(a, latest);
        until = sched_switches_until(a->c, a->j, a->now);
        a->switches = a->j->asked.switches;
        int r = until > from ? fit_unbooted(a, MIN(latest, until)) : -ENOENT;
        a->switches = 0;
        if (r >= 0)
                return r;
        a->from = MAX(from, until);
        r = a->from <= latest ? fit_unbooted(a, latest) : -ENOENT;
        a->from = from;
        return r;
}

/* Finds the first start with licenses: a job holds licenses from the start on, also during the
   boot. */
static int fit_licenses(struct attempt *a, usec_t from, usec_t latest,
                const struct job_plan *without, usec_t *ret) {
        const struct lease_time time = { from, a->limit + a->b->boot_max, latest, without };
        int r = leases_fit(a->b->leases, a->c, a->j->needs.licenses, a->j->placed.resv, &time, ret,
                        &a->license);

        spend(a->b, leases_steps(a->b->leases));
        return r;
}

bool fit_licenses_now(struct attempt *a) {
        const struct job_plan *own = own_plan(a);
        size_t unused;
        usec_t start;

        if (!a->j->needs.licenses && !a->j->needs.hres)
                return true;
        if (!licenses_free(a->c, a->j, a->now, true, NULL, &unused))
                return false;
        a->room = fit_room_now(a);
        if (a->room && !hres_is_open(a->room, a->shape ? a->shape->nodes : a->j->partition->nodes,
                                       a->count))
                return false;
        if (!a->j->needs.licenses)
                return true;
        /* A laid plan does not hinder its own job. */
        return fit_licenses(a, a->now, a->now, own && own->laid ? own : NULL, &start) >= 0;
}

bool fit_license_now(struct attempt *a, size_t choice) {
        const struct job *j = a->j;
        const struct lease_time time = { a->now, a->limit + a->b->boot_max, a->now, NULL };
        _cleanup_(countlist_freep) struct countlist *one = countlist_one(j->needs.licenses, choice);
        uint32_t unused;
        usec_t start;

        return license_left(a->c, j, one->list[0].name, a->now, true, NULL) >= one->list[0].n &&
               leases_fit(a->b->leases, a->c, one, j->placed.resv, &time, &start, &unused) >= 0;
}

/* Maximum number of times examined when layers of the job become free. */
#define TURNS_MAX 32

/* Finds nodes with enough of the job's layers. fit_nodes() tries the times when nodes become
   free; layers may become free at different times, which are tried here. */
static int fit_layers(struct attempt *a, usec_t latest) {
        const usec_t from = a->from;

        if (!a->j->needs.hres)
                return fit_nodes(a, latest);
        a->refused = USEC_INFINITY;
        a->from = fit_layers_from(a, from);
        int r = a->from <= latest ? fit_nodes(a, latest) : -ENOENT;
        usec_t last = r >= 0                    ? a->start
                      : latest == USEC_INFINITY ? latest
                                                : latest + 1,
               t = a->refused;
        const usec_t first = a->from;
        bool looked = false, found = false;
        for (int i = 0; t < last && i < TURNS_MAX && !found; i++) {
                t = fit_layers_next(a, t);
                if (t >= last)
                        break;
                a->from = t;
                looked = true;
                found = fit_nodes(a, t) >= 0;
        }
        if (found)
                r = 0;
        else if (looked && r >= 0) { /* the result has been overwritten */
                a->from = first;
                r = fit_nodes(a, latest);
        }
        a->from = from;
        return r;
}

/* Searches licenses and nodes in turn, until both are available at the same start. */
int fit_place(struct attempt *a, usec_t latest) {
        usec_t from = a->from, start = from;
        int r = 0;

        if (!a->j->needs.licenses)
                return fit_layers(a, latest);
        for (;;) {
                r = fit_licenses(a, start, latest, NULL, &start);
                a->from = start;
                if (r >= 0)
                        r = fit_layers(a, latest);
                if (r < 0 || a->start == start)
                        break;
                start = a->start; /* later: are the licenses available then? */
                usec_t then;
                if (fit_licenses(a, start, start, NULL, &then) >= 0)
                        break;
        }
        a->from = from;
        return r;
}

int fit_own(struct attempt *a) {
        struct backfill *b = a->b;
        usec_t at;

        if (!a->old || a->old->start > a->now)
                return -ENOENT;
        plan_nodes(a->old, b->fit);
        (void)sched_heed_reservations(a->c, a->j, a->now, b->fit);
        struct profile_wish wish = { .nodes = b->wanted,
                .duration = a->limit + fit_boot(a, b->fit, a->now),
                .end = end_of_turn(a, a->now),
                .from = a->now,
                .latest = a->now };
        if (bitset_count(b->fit) < a->count)
                return -ENOENT;
        const struct part_wish parts = fit_parts_of(a, a->now, usec_after(a->now, wish.duration));
        parts_wanted(b->node_parts, &parts, b->fit, b->wanted);
        wish.count = (uint32_t)bitset_count(b->wanted);
        return profile_fit(b->profile, &wish, &at, b->free);
}

void fit_wanted(struct attempt *a) {
        const struct part_wish parts = fit_parts_of(a, a->tried.from, a->tried.until);

        parts_wanted(a->b->node_parts, &parts, a->b->chosen, a->b->wanted);
}

/* Returns the earliest start not ruled out by known failures of the shape. */
static usec_t worth_a_look(const struct attempt *a, const struct job_plan *p, bool all,
                usec_t duration) {
        usec_t known = shape_not_before(a->shape, all, a->count, duration, a->now);

        return MAX(a->from, MIN(known, p->start > duration ? p->start - duration : 0));
}

bool fit_may_improve(const struct attempt *a, const struct job_plan *p) {
        /* a job in a reservation may end early with the reservation */
        struct profile_look look = { .count = a->count,
                .duration = a->j->placed.resv ? 1 : a->limit,
                .from = a->from,
                .own_from = p->start,
                .own_until = p->until };
        usec_t last = MIN(p->start, reach_of(a));

        if (p->boot)
                return true;
        if (a->numbers)
                return a->fresh || fit_numbers_may_improve(a, p, goes_by_number(a));
        if (a->from >= last)
                return false;
        look.latest = last - 1;
        /* a different choice may need fewer nodes */
        if (a->shape->tasks || a->shape->gres || a->j->needs.req_nodes || a->j->needs.hres ||
                        is_particular(a))
                return profile_has(a->b->profile, &look);
        bool lacks = lack_power(a, a->shape->nodes);
        if (!lacks || !a->c->config->bf.warm_up)
                look.from = worth_a_look(a, p, false, a->limit);
        if (lacks && !a->c->config->bf.warm_up)
                look.from = MIN(look.from, worth_a_look(a, p, true, a->limit + a->b->boot_max));
        return look.from < last && profile_has(a->b->profile, &look);
}
