/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job by numbers fits (place_goes_by_numbers()): the tracks of nodes say from when on
 * each node has the job's minimum; place() chooses among the nodes with the minimum.
 *
 * The search begins with the bounds of the kind of request (bounds.h). It goes from time to time
 * at which enough nodes may have the minimum (earliest.h), and checks each of these nodes: a
 * node without room is not checked again before the time given by its track. */
#include "controller/model/spec.h"
#include "controller/sched/plan/plan.h"

/* Maximum number of times tried at which enough nodes have the minimum. */
#define TIMES_MAX 200

/* ---- what a node has left ---- */

static int64_t *rest_numbers(struct backfill *b, const struct track *k) {
        if (b->a_rest < k->width) {
                b->a_rest = k->width;
                b->rest_of_node = xrenew(b->rest_of_node, b->a_rest);
        }
        return b->rest_of_node;
}

/* MaxCPUsPerNode: limits units by the CPUs of all jobs and plans of the partition on n at any
   time of the period. */
static uint64_t heed_partition(const struct rests *r, const struct node *n, uint64_t units) {
        const struct partition *part = r->j->partition;
        const struct node_plans *np = &r->b->of[n->index];
        uint64_t cpus = part->max_cpus_per_node;

        if (part->max_cpus_per_node == UINT32_MAX)
                return units;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *v = n->jobs[i];
                const struct job_node *jn = v->partition == part ? job_node_find(v, n) : NULL;
                if (jn && !jn->done && plan_running_until(r->c, n->jobs[i], r->now) > r->from)
                        cpus -= MIN(cpus, (uint64_t)jn->cpus);
        }
        for (size_t i = 0; i < np->n; i++) {
                const struct job_plan *p = np->list[i];
                if (p == r->b->opened || p->start >= r->until || p->until <= r->from ||
                                !plan_goes_by_numbers(p) || p->bid->partition != part)
                        continue;
                cpus -= MIN(cpus, (uint64_t)plan_take_of(p, n->index).units * n->cpus_per_unit);
        }
        return MIN(units, cpus / n->cpus_per_unit);
}

static bool rest_set(const struct rests *r, const struct node *n, const struct track *k,
                const int64_t *left, struct node_rest *ret) {
        *ret = (struct node_rest){ .memory = (uint64_t)MAX(left[TRACK_MEMORY], 0),
                .gres = left + TRACK_GRES,
                .numbers = left };
        for (size_t i = 0; i < k->n_parts; i++)
                ret->units += (uint64_t)MAX(left[track_at(k, i)], 0);
        ret->units = heed_partition(r, n, ret->units);
        return true;
}

/* The rest of n beside all running jobs and all plans. */
static bool rest_of_all(const struct rests *r, const struct node *n, struct node_rest *ret) {
        const struct track *k = track_of(r->c, r->b, n->index, r->now);
        int64_t *left = rest_numbers(r->b, k);

        track_least(k, r->from, r->until, left);
        return rest_set(r, n, k, left, ret);
}

static void take_hold(const struct track *k, size_t i, int64_t *left) {
        for (size_t w = 0; w < k->width; w++)
                left[w] -= k->held[i * k->width + w];
}

/* Returns whether p takes amounts of a node: a plan with whole parts (plan_is_apart()) takes
   memory. */
static bool takes_some(const struct job_plan *p) {
        return plan_goes_by_numbers(p) || p->memory;
}

static void take_planned(const struct track *k, const struct job_plan *p, size_t node,
                int64_t *what, int64_t *left) {
        track_find_take(k, p, node, what);
        for (size_t w = 0; w < k->width; w++)
                left[w] -= what[w];
}

/* Sets left to the rest of n at that time, beside jobs that run then and the plans of jobs
   before r->j. what: scratch. */
static void left_at(const struct rests *r, const struct node *n, const struct track *k, usec_t at,
                int64_t *what, int64_t *left) {
        const struct node_plans *np = &r->b->of[n->index];

        memcpy(left, k->all, k->width * sizeof left[0]);
        for (size_t i = 0; i < k->n_holds && k->holds[i].until > at; i++)
                take_hold(k, i, left);
        for (size_t i = 0; i < np->n && np->list[i]->start <= at; i++)
                if (np->list[i]->until > at && takes_some(np->list[i]) &&
                                plan_counts(r->c, np->list[i], r->j, false))
                        take_planned(k, np->list[i], n->index, what, left);
        spend(r->b, 1 + k->n_holds + np->n);
}

/* The rest of n beside jobs that run and the plans of jobs before r->j. The rest is least at the
   start of some plan; false: no plan of n starts before the end of the period. */
static bool rest_of_before(const struct rests *r, const struct node *n, struct node_rest *ret) {
        const struct node_plans *np = &r->b->of[n->index];

        if (r->b->first[n->index] >= r->until)
                return false;
        /* the pass asks before plan_take_up() */
        if (bitset_has(follows_nodes(r->c, FOLLOW_PLAN_NODES), n->index))
                tracks_changed(r->b, n->index);
        const struct track *k = track_of(r->c, r->b, n->index, r->now);
        int64_t *left = rest_numbers(r->b, k);
        _cleanup_free_ int64_t *then = xnew(int64_t, 2 * (size_t)k->width);
        int64_t *what = &then[k->width];
        left_at(r, n, k, r->from, what, left);
        for (size_t i = 0; i < np->n && np->list[i]->start < r->until; i++) {
                if (np->list[i]->start <= r->from || !plan_counts(r->c, np->list[i], r->j, false))
                        continue;
                left_at(r, n, k, np->list[i]->start, what, then);
                for (size_t w = 0; w < k->width; w++)
                        left[w] = MIN(left[w], then[w]);
        }
        return rest_set(r, n, k, left, ret);
}

/* Returns the units left of the k-th part of a node. */
static int64_t left_of_part(const struct rests *r, size_t node, const struct node_rest *rest,
                size_t k) {
        return MAX(rest->numbers[track_at(&r->b->tracks[node], k)], 0);
}

/* Adds units to set until each part of n has only as many units outside set as are left.

   The units of the parts are the node's present units: only a reconfiguration, or nodes that
   join or leave, give a node different units (a registration with a new number of CPUs does
   not), and note FACT_INVENTORY_CHANGED at once. While FOLLOW_PLAN_ANEW is due, rests are not
   used (backfill_leaves()), or the parts are made anew before (plan_keeper()); rests do not
   outlast the decision for which they were made. */
static void rest_block_units(const struct rests *r, const struct node *n, struct bitset *set) {
        const struct parts *parts = r->b->node_parts;
        struct node_rest rest;

        if (!bitset_has(parts_split(parts), n->index) || !r->of(r, n, &rest))
                return;
        assert(parts_units(parts, n->index, 0)->bits == n->units && set->bits == n->units);
        for (size_t k = 0; k < parts_of(parts, n->index); k++) {
                int64_t left = left_of_part(r, n->index, &rest, k);
                bitset_for_each(u, parts_units(parts, n->index, k))
                        if (!bitset_has(set, u) && left-- <= 0)
                                bitset_add(set, u);
        }
}

struct rests plan_rests_of(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                struct period when, bool all) {
        return (struct rests){ .of = all ? rest_of_all : rest_of_before,
                .block = rest_block_units,
                .c = c,
                .b = b,
                .j = j,
                .now = now,
                .from = when.from,
                .until = when.until };
}

static bool gres_hold(const struct node *n, const struct gres_share *gres, size_t n_gres,
                const int64_t *left) {
        for (size_t i = 0; i < n_gres; i++) {
                const char *name = n->gres_items[gres[i].item].name;
                uint64_t all = 0;
                for (size_t k = 0; k < n_gres; k++)
                        if (strcasecmp(n->gres_items[gres[k].item].name, name) == 0)
                                all += gres[k].count;
                if ((int64_t)all > gres_sum_named(n, left, name))
                        return false;
        }
        return true;
}

static bool units_hold(const struct rests *r, const struct placement *where,
                const struct job_node *jn, const struct node_rest *rest) {
        const struct parts *parts = r->b->node_parts;
        const size_t node = jn->node->index;

        for (size_t k = 0; bitset_has(parts_split(parts), node) && k < parts_of(parts, node); k++)
                if (takes_units(where, jn, parts_units(parts, node, k)) >
                                left_of_part(r, node, rest, k))
                        return false;
        return takes_units(where, jn, NULL) <= rest->units;
}

bool plan_rests_hold(const struct rests *r, const struct placement *where) {
        for (size_t i = 0; i < where->n_alloc; i++) {
                const struct job_node *jn = &where->alloc[i];
                struct node_rest rest;
                size_t n;
                if (!r->of(r, jn->node, &rest))
                        continue;
                if (!units_hold(r, where, jn, &rest) || jn->memory > rest.memory)
                        return false;
                const struct gres_share *gres = gres_shares_of(where->gres, where->n_gres,
                                (uint32_t)i, &n);
                if (!gres_hold(jn->node, gres, n, rest.gres))
                        return false;
        }
        return true;
}

/* ---- the search ---- */

struct numbers {
        struct attempt *a;
        const struct profile_wish *w;
        struct bound *bound;
        struct earliest *from; /* for each node a time before which the node has no room */
};

static struct need need_on(struct cluster *c, const struct shape *shape, const struct job *j,
                const struct node *n) {
        struct place_need least;

        place_least(c, j, n, shape_least_tasks(shape, j), &least);
        return (struct need){ .units = (int64_t)least.units,
                .memory = least.memory == PLACE_ALL_MEMORY ? INT64_MAX : (int64_t)least.memory,
                .tasks = least.tasks,
                .gres = j->needs.gres_wants };
}

/* Returns the minimum on any node of the shape: nodes of several builds may have different
   minima, and the least counts. */
static struct need need_of(const struct attempt *a) {
        const struct node *last = NULL;
        struct need least = { 0 };

        if (a->shape->alike)
                return need_on(a->c, a->shape, a->j, a->shape->alike);
        bitset_for_each(i, a->shape->nodes) {
                const struct node *n = a->c->nodes[i];
                if (last && n->cpus_per_unit == last->cpus_per_unit &&
                                n->configured.threads == last->configured.threads)
                        continue;
                const struct need need = need_on(a->c, a->shape, a->j, n);
                least = last ? (struct need){ MIN(least.units, need.units),
                        MIN(least.memory, need.memory), least.tasks, least.gres, NULL }
                             : need;
                last = n;
        }
        spend(a->b, a->shape->nodes->bits / 64);
        return least;
}

bool plan_by_numbers(struct cluster *c, const struct shape *shape, const struct job *j) {
        if (!shape->numbers || !shape->most || !shape->alike || place_takes_more(j))
                return shape->numbers;
        return need_on(c, shape, j, shape->alike).units <
               (int64_t)shape->alike->units - shape->alike->n_spec;
}

void fit_shape(struct attempt *a) {
        a->shape = shape_of(a->b->shapes, a->c, a->j);
        a->count = shape_nodes(a->shape, a->j);
        a->numbers = plan_by_numbers(a->c, a->shape, a->j);
}

/* Returns whether p has the node. (Bounds were learned with the opened plan laid, so that they
   are not valid for the plan's nodes.) */
static bool has_node(const struct job_plan *p, size_t node) {
        for (size_t i = 0; p && i < p->n_ranges; i++)
                if (node >= p->ranges[i].from && node - p->ranges[i].from < p->ranges[i].n)
                        return true;
        return false;
}

static usec_t node_from(const struct numbers *f, const struct need *need, size_t i, usec_t t) {
        struct attempt *a = f->a;
        const struct node *n = a->c->nodes[i];

        t = MAX(t, fit_up_from(a, i));
        const struct track *k = track_of(a->c, a->b, i, a->now);
        usec_t bound = bound_from(a->b, f->bound, k, n, t, MAX(t, f->w->latest), a->now);
        if (bound > t && !f->w->end && !has_node(a->b->opened, i))
                return bound;
        spend(a->b, track_cost(k));
        return track_from(k, n, need, t, f->w->latest, f->w->duration, f->w->end);
}

/* Sets b->fit to the nodes with the minimum from t on, and returns their number. */
static size_t find_at(const struct numbers *f, const struct need *need, usec_t t) {
        struct bitset *fit = f->a->b->fit;
        size_t n = 0;

        bitset_clear(fit);
        for (size_t i = 0; (i = earliest_by(f->from, i, t)) != SIZE_MAX; i++) {
                usec_t from = node_from(f, need, i, t);
                earliest_set(f->from, i, from);
                if (from > t)
                        continue;
                bitset_add(fit, i);
                n++;
        }
        return n;
}

/* Returns the next time with more room, if the nodes with the minimum do not suffice altogether. */
static usec_t next_time(const struct numbers *f, usec_t t) {
        struct attempt *a = f->a;
        usec_t next = earliest_after(f->from, t);

        bitset_for_each(i, a->b->fit)
                next = MIN(next, track_next(track_of(a->c, a->b, i, a->now), t));
        return next;
}

usec_t fit_next_free(struct attempt *of, size_t n, usec_t t) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(of->b->n_nodes);
        usec_t next = USEC_INFINITY;

        for (size_t i = 0; i < n; i++) {
                fit_shape(&of[i]);
                bitset_or(nodes, of[i].shape->nodes);
        }
        bitset_for_each(i, nodes)
                next = MIN(next, track_next(track_of(of->c, of->b, i, of->now), t));
        spend(of->b, bitset_count(nodes));
        return next;
}

/* Lowers the times of the opened plan's nodes, which may have room at the time of the plan in
   spite of later bounds. */
static void heed_opened(const struct numbers *f) {
        const struct job_plan *p = f->a->b->opened;

        for (size_t r = 0; p && r < p->n_ranges; r++)
                for (size_t i = p->ranges[r].from; i < (size_t)p->ranges[r].from + p->ranges[r].n;
                                i++)
                        if (bitset_has(f->w->nodes, i))
                                earliest_lower(f->from, i, 1,
                                                p->start > f->w->duration
                                                                ? p->start - f->w->duration
                                                                : 0);
}

/* Returns a time before which fewer than w->count nodes have the minimum. */
static usec_t enough_by(const struct numbers *f) {
        if (f->w->count > 1) /* the times of many nodes are sorted in part */
                spend(f->a->b, f->a->b->n_nodes);
        return earliest_of(f->from, f->w->count);
}

int fit_numbers(struct attempt *a, const struct profile_wish *w, usec_t *ret_start) {
        struct backfill *b = a->b;
        struct need need = need_of(a);
        struct numbers f = { .a = a,
                .w = w,
                .bound = bound_of(b, &need, w->duration),
                .from = &b->earliest };
        usec_t t;

        need.wanted = b->wanted;
        if (w->end) /* the job ends with its reservation: bounds for the duration are not valid */
                earliest_clear(f.from);
        earliest_assign(f.from, w->end ? f.from : bound_times(f.bound), w->nodes);
        spend(b, b->n_nodes / 4);
        heed_opened(&f);
        t = MAX(w->from, enough_by(&f));
        for (int tries = 0; t <= w->latest && t != USEC_INFINITY;) {
                bool many = find_at(&f, &need, t) >= w->count;
                spend(b, b->n_nodes / 16);
                if (many && fit_would_do(a, t)) {
                        *ret_start = t;
                        return 0;
                }
                if (many && tries++ == TIMES_MAX)
                        break;
                const usec_t next = many ? next_time(&f, t) : enough_by(&f);
                t = MAX(t + 1, next);
        }
        return -ENOENT;
}

/* ---- what has become free ---- */

static bool node_precedes_plan(const struct job_plan *p, size_t node) {
        const struct node_range *last = &p->ranges[p->n_ranges - 1];

        return node < (size_t)last->from + last->n;
}

/* Returns whether more room on a planned node may let the job use different nodes, or a
   different number of nodes. */
static bool may_differ(const struct attempt *a) {
        return place_most_nodes(a->j) > 1 && job_tasks(a->j) > a->count;
}

/* Returns whether room that has become free on nodes of p may allow an earlier start there. */
static bool own_may_improve(const struct attempt *a, const struct job_plan *p,
                const struct need *need) {
        struct backfill *b = a->b;

        for (size_t r = 0; r < p->n_ranges; r++)
                for (size_t i = p->ranges[r].from; i < (size_t)p->ranges[r].from + p->ranges[r].n;
                                i++) {
                        if (!bitset_has(b->freed_nodes.nodes, i))
                                continue;
                        if (may_differ(a))
                                return true;
                        const usec_t from = freed_from(&b->freed_nodes, i, a->from, a->limit,
                                        p->start);
                        if (from >= p->start)
                                continue;
                        const struct track *k = track_of(a->c, b, i, a->now);
                        spend(b, track_cost(k));
                        if (track_from_without(k, a->c->nodes[i], p, need, from, a->limit) <
                                        p->start)
                                return true;
                }
        return false;
}

/* Returns whether room that has become free on node i, not in p, may allow an earlier start; or
   the same start, if nodes are taken in order (in_order) and i is before the last node of p. */
static bool may_improve_on(const struct attempt *a, const struct job_plan *p, size_t i,
                struct bound *bound, const struct need *need, bool in_order) {
        struct backfill *b = a->b;
        const struct node *n = a->c->nodes[i];
        const usec_t latest = in_order && !node_precedes_plan(p, i) ? p->start - 1 : p->start,
                     from = freed_from(&b->freed_nodes, i, a->from, a->limit, latest);

        if (from > latest)
                return false;
        const struct track *k = track_of(a->c, b, i, a->now);
        if (bound_from(b, bound, k, n, latest, latest, a->now) > latest)
                return false;
        spend(b, track_cost(k));
        const usec_t t = track_from(k, n, need, from, latest, a->limit, 0);
        return t <= latest && t < b->freed_nodes.until[i];
}

bool fit_numbers_may_improve(const struct attempt *a, const struct job_plan *p, bool in_order) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_copy(a->b->freed_nodes.nodes);

        bitset_and(nodes, a->shape->nodes);
        spend(a->b, nodes->words);
        if (bitset_empty(nodes))
                return false;
        if (a->c->resvs.n)
                return true;
        const struct need need = need_of(a);
        if (own_may_improve(a, p, &need))
                return true;
        plan_nodes(p, a->b->scratch);
        bitset_minus(nodes, a->b->scratch);
        struct bound *bound = bound_of(a->b, &need, a->limit);
        const struct earliest *times = bound_times(bound);
        for (size_t i = 0; (i = earliest_in(times, nodes, i, p->start)) != SIZE_MAX; i++) {
                spend(a->b, 1);
                if (may_improve_on(a, p, i, bound, &need, in_order))
                        return true;
        }
        return false;
}

static bool has_least(const struct node *n, const struct need *need) {
        return (int64_t)n->units - MIN(n->units, n->units_used) >= need->units;
}

void fit_numbers_now(const struct attempt *a, struct bitset *usable) {
        const struct need need = need_of(a);

        bitset_for_each(i, usable)
                if (!has_least(a->c->nodes[i], &need))
                        bitset_del(usable, i);
        spend(a->b, usable->bits / 16);
}

bool fit_numbers_may_start(const struct attempt *a) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_copy(a->c->unused);

        bitset_or(nodes, a->b->in_part);
        bitset_and(nodes, a->b->freed_nodes.nodes);
        bitset_and(nodes, a->shape->nodes);
        spend(a->b, nodes->words);
        if (bitset_empty(nodes))
                return false;
        const struct need need = need_of(a);
        bitset_for_each(i, nodes) {
                spend(a->b, 4);
                if (has_least(a->c->nodes[i], &need))
                        return true;
        }
        return false;
}

int fit_take(struct attempt *a, usec_t until, struct placement *ret) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(a->c->n_active);
        struct period when = { .from = a->start, .until = until };
        bitset_fill(gone);
        when.rests = plan_rests_of(a->c, a->b, a->j, a->now, when, true);
        int r = place_after(a->c, a->j, a->b->chosen, when, gone, ret);
        if (r >= 0)
                bitset_assign(a->b->chosen, ret->nodes);
        return r;
}

bool fit_lasts(struct attempt *a, const struct placement *where, usec_t until, usec_t longer) {
        const struct period more = { .from = until, .until = longer };
        const struct rests rests = plan_rests_of(a->c, a->b, a->j, a->now, more, true);

        return plan_rests_hold(&rests, where);
}
