/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job fits that goes by numbers (place_goes_by_numbers()): the tracks of nodes say from
 * when on each has the least that it needs; of those that have it, place() chooses as it would
 * then.
 *
 * The search begins with the bounds of the kind of request (bounds.h). It goes from one time to the
 * next at which enough nodes may have the least that the job needs (earliest.h); each of these is
 * looked at then, and if it has no room, not before the time that its track says. */
#include "controller/model/spec.h"
#include "controller/sched/plan/plan.h"

/* So many times are tried at which enough nodes have the least. */
#define TIMES_MAX 200

/* ---- what a node has left ---- */

static const int64_t *rest_numbers(const struct rests *r, const struct node *n) {
        struct backfill *b = r->b;

        if (b->a_rest < TRACK_GRES + n->n_gres) {
                b->a_rest = TRACK_GRES + n->n_gres;
                b->rest_of_node = xrenew(b->rest_of_node, b->a_rest);
        }
        return b->rest_of_node;
}

/* MaxCPUsPerNode: of its partition's jobs, all that are there at some time of it. */
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

static bool tell(const struct rests *r, const struct node *n, const int64_t *left,
                struct node_rest *ret) {
        *ret = (struct node_rest){ .units = (uint64_t)MAX(left[TRACK_UNITS], 0),
                .memory = (uint64_t)MAX(left[TRACK_MEMORY], 0),
                .gres = left + TRACK_GRES };
        ret->units = heed_partition(r, n, ret->units);
        return true;
}

/* Beside all that runs and is planned. */
static bool rest_of_all(const struct rests *r, const struct node *n, struct node_rest *ret) {
        if (bitset_has(parts_split(r->b->node_parts), n->index))
                return false;
        int64_t *left = (int64_t *)rest_numbers(r, n);
        track_least(track_of(r->c, r->b, n->index, r->now), r->from, r->until, left);
        return tell(r, n, left, ret);
}

static void take_hold(const struct track *k, size_t i, int64_t *left) {
        for (size_t w = 0; w < k->width; w++)
                left[w] -= k->held[i * k->width + w];
}

static void take_planned(const struct job_plan *p, size_t node, int64_t *left) {
        const struct take t = plan_take_of(p, node);

        left[TRACK_UNITS] -= t.units;
        left[TRACK_MEMORY] -= (int64_t)t.memory;
        for (uint32_t i = 0; i < t.n_gres; i++)
                left[TRACK_GRES + t.gres[i].from] -= t.gres[i].n;
}

/* At that time, beside what runs then and the plans of jobs before it. */
static void left_at(const struct rests *r, const struct node *n, const struct track *k, usec_t at,
                int64_t *left) {
        const struct node_plans *np = &r->b->of[n->index];

        track_all(n, left);
        for (size_t i = 0; i < k->n_holds && k->holds[i].until > at; i++)
                take_hold(k, i, left);
        for (size_t i = 0; i < np->n && np->list[i]->start <= at; i++)
                if (np->list[i]->until > at && plan_goes_by_numbers(np->list[i]) &&
                                plan_counts(r->c, np->list[i], r->j, false))
                        take_planned(np->list[i], n->index, left);
        spend(r->b, 1 + k->n_holds + np->n);
}

/* Least is left when one of them begins. */
static bool rest_of_before(const struct rests *r, const struct node *n, struct node_rest *ret) {
        const struct node_plans *np = &r->b->of[n->index];

        if (r->b->first[n->index] >= r->until ||
                        bitset_has(parts_split(r->b->node_parts), n->index))
                return false;
        if (bitset_has(follows_nodes(r->c, FOLLOW_PLAN_NODES), n->index)) /* for the pass */
                tracks_changed(r->b, n->index);
        const struct track *k = track_of(r->c, r->b, n->index, r->now);
        int64_t *left = (int64_t *)rest_numbers(r, n);
        _cleanup_free_ int64_t *then = xnew(int64_t, k->width);
        left_at(r, n, k, r->from, left);
        for (size_t i = 0; i < np->n && np->list[i]->start < r->until; i++) {
                if (np->list[i]->start <= r->from || !plan_counts(r->c, np->list[i], r->j, false))
                        continue;
                left_at(r, n, k, np->list[i]->start, then);
                for (size_t w = 0; w < k->width; w++)
                        left[w] = MIN(left[w], then[w]);
        }
        return tell(r, n, left, ret);
}

struct rests plan_rests_of(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                struct period when, bool all) {
        return (struct rests){ .of = all ? rest_of_all : rest_of_before,
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

bool plan_rests_hold(const struct rests *r, const struct placement *where) {
        for (size_t i = 0; i < where->n_alloc; i++) {
                const struct job_node *jn = &where->alloc[i];
                struct node_rest rest;
                uint64_t units = 0;
                size_t n;
                if (!r->of(r, jn->node, &rest))
                        continue;
                for (size_t u = 0; u < jn->node->units; u++)
                        units += bitset_has(where->units, jn->units_at + u);
                if (units > rest.units || jn->memory > rest.memory)
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
        struct earliest *from; /* of each node a time before which it has no room */
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

/* On any of its nodes: where these are not built alike the least of one is not that of another. */
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
                        MIN(least.memory, need.memory), least.tasks, least.gres }
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

/* The first time after t at which a job, a plan or a shutdown on that node ends; USEC_INFINITY:
   none does. */
static usec_t next_end(const struct attempt *a, size_t node, usec_t t) {
        struct backfill *b = a->b;
        const struct node *n = a->c->nodes[node];
        const struct node_plans *np = &b->of[node];
        const usec_t closed = plan_closed_until(a->c, n, a->now);
        usec_t next = closed > t ? closed : USEC_INFINITY;

        for (size_t i = 0; i < n->n_jobs; i++) {
                const usec_t until = plan_running_until(a->c, n->jobs[i], a->now);
                next = until > t ? MIN(next, until) : next;
        }
        for (size_t i = 0; i < np->n; i++)
                next = np->list[i]->until > t ? MIN(next, np->list[i]->until) : next;
        spend(b, n->n_jobs + np->n);
        return next;
}

/* Of a node whose cores reservations have in part (parts.h): t if all cores that the job could have
   there are free then, and memory, which all parts have in common; else the next time worth a look.
 */
static usec_t split_from(const struct numbers *f, size_t node, usec_t t) {
        struct attempt *a = f->a;
        struct backfill *b = a->b;
        usec_t until = t + MIN(f->w->duration, USEC_INFINITY - t);
        bool is_free = true, any = false;

        until = f->w->end ? MIN(until, f->w->end) : until;
        for (size_t k = 0; k < parts_of(b->node_parts, node); k++) {
                size_t part = parts_at(b->node_parts, node, k);
                if (!bitset_has(b->wanted, part))
                        continue;
                any = true;
                is_free = is_free && profile_has_all(b->profile, part, t, until);
        }
        if (!any)
                return USEC_INFINITY;
        const struct period when = { .from = t, .until = until };
        return is_free && plan_memory_suffices(a->c, b, a->j, a->c->nodes[node], a->now, when, true)
                               ? t
                               : next_end(a, node, t);
}

/* (Bounds of kinds are known beside the opened plan, so they say nothing of its nodes.) */
static bool has_node(const struct job_plan *p, size_t node) {
        for (size_t i = 0; p && i < p->n_ranges; i++)
                if (node >= p->ranges[i].from && node - p->ranges[i].from < p->ranges[i].n)
                        return true;
        return false;
}

static usec_t node_from(const struct numbers *f, const struct need *need, size_t i, usec_t t) {
        struct attempt *a = f->a;
        const struct node *n = a->c->nodes[i];

        if (bitset_has(parts_split(a->b->node_parts), i))
                return split_from(f, i, t);
        const struct track *k = track_of(a->c, a->b, i, a->now);
        usec_t bound = bound_from(a->b, f->bound, k, n, t, a->now);
        if (bound > t && !f->w->end && !has_node(a->b->opened, i))
                return bound;
        spend(a->b, track_cost(k));
        return track_from(k, n, need, t, f->w->duration, f->w->end);
}

/* Sets b->fit to those that have what it needs from t on. */
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

/* Those that have the least have not all that it needs: when is there more. */
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

/* The nodes of the opened plan may have room while that plan would run, however late their bounds.
 */
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

/* Not before that time so many nodes have the least. */
static usec_t enough_by(const struct numbers *f) {
        if (f->w->count > 1) /* of many nodes the times are put in order, in part */
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

        if (w->end) /* it lasts as long as it may */
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
                t = many ? next_time(&f, t) : MAX(t + 1, enough_by(&f));
        }
        return -ENOENT;
}

/* ---- what has become free ---- */

static bool comes_before(const struct job_plan *p, size_t node) {
        const struct node_range *last = &p->ranges[p->n_ranges - 1];

        return node < (size_t)last->from + last->n;
}

/* More room on one of its planned nodes may let the job do with other nodes, or another number of
   them. */
static bool may_differ(const struct attempt *a) {
        return place_most_nodes(a->j) > 1 && job_tasks(a->j) > a->count;
}

/* By what has become free on the nodes of p, its job could start earlier on one of them. */
static bool own_may_improve(const struct attempt *a, const struct job_plan *p,
                const struct need *need) {
        struct backfill *b = a->b;

        for (size_t r = 0; r < p->n_ranges; r++)
                for (size_t i = p->ranges[r].from; i < (size_t)p->ranges[r].from + p->ranges[r].n;
                                i++) {
                        if (!bitset_has(b->freed_nodes.nodes, i))
                                continue;
                        if (may_differ(a) || bitset_has(parts_split(b->node_parts), i))
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

/* By what has become free on node i, which p does not have, its job could start there earlier; or
   at the same time, if nodes are taken in their order and i comes before a node of p. */
static bool may_improve_on(const struct attempt *a, const struct job_plan *p, size_t i,
                struct bound *bound, const struct need *need, bool in_order) {
        struct backfill *b = a->b;
        const struct node *n = a->c->nodes[i];
        const usec_t latest = in_order && !comes_before(p, i) ? p->start - 1 : p->start,
                     from = freed_from(&b->freed_nodes, i, a->from, a->limit, latest);

        if (from > latest)
                return false;
        const struct track *k = track_of(a->c, b, i, a->now);
        if (bound_from(b, bound, k, n, latest, a->now) > latest)
                return false;
        spend(b, track_cost(k));
        const usec_t t = track_from(k, n, need, from, a->limit, 0);
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
