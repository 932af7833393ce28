/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job fits that goes by numbers (place_goes_by_numbers()): the tracks of nodes say from
 * when on each has the least that it needs; of those that have it, place() chooses as it would
 * then.
 *
 * bounds: for kinds of requests, which ask for a power of two of units for a power of two of
 * minutes, it is known of each node from when on it has that at the earliest. So it is for all that
 * ask for more. What becomes free lowers them, so that they hold. */
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

/* ---- bounds ---- */

enum { BOUNDS_MAX = 64 };

struct bound {
        struct need need;
        usec_t duration;
        usec_t *from; /* of each node */
        uint64_t used;
};

struct bounds {
        struct bound of[BOUNDS_MAX];
        size_t n;
        uint64_t uses;
};

struct bounds *bounds_free(struct bounds *all) {
        for (size_t i = 0; all && i < all->n; i++)
                free(all->of[i].from);
        free(all);
        return NULL;
}

size_t bounds_bytes(const struct backfill *b) {
        return b->bounds ? sizeof *b->bounds + b->bounds->n * b->n_nodes * sizeof(usec_t) : 0;
}

static uint64_t power_below(uint64_t n) {
        return n ? UINT64_C(1) << (63 - __builtin_clzll(n)) : 0;
}

static bool is_same(const struct bound *of, const struct need *need, usec_t duration) {
        return of->need.units == need->units && of->need.memory == need->memory &&
               of->duration == duration;
}

/* Of the kind of such requests: made where there is none, in place of the one that was not used for
   the longest time. */
static struct bound *bound_of(struct backfill *b, const struct need *need, usec_t duration) {
        struct need kind = { .units = (int64_t)power_below((uint64_t)need->units),
                .memory = need->memory == INT64_MAX
                                          ? INT64_MAX
                                          : (int64_t)power_below((uint64_t)need->memory) };
        const usec_t minutes = power_below(duration / (60 * USEC_PER_SEC)) * 60 * USEC_PER_SEC;
        struct bounds *all = b->bounds = b->bounds ? b->bounds : xnew0(struct bounds, 1);
        struct bound *of = NULL;

        for (size_t i = 0; i < all->n; i++) {
                if (is_same(&all->of[i], &kind, minutes)) {
                        all->of[i].used = ++all->uses;
                        return &all->of[i];
                }
                of = !of || all->of[i].used < of->used ? &all->of[i] : of;
        }
        if (all->n < BOUNDS_MAX) {
                of = &all->of[all->n++];
                of->from = xnew(usec_t, b->n_nodes + 1);
        }
        of->need = kind;
        of->duration = minutes;
        of->used = ++all->uses;
        memset(of->from, 0, b->n_nodes * sizeof of->from[0]);
        spend(b, b->n_nodes / 8);
        return of;
}

void bounds_lower(struct backfill *b, size_t node, usec_t from) {
        for (size_t i = 0; b->bounds && i < b->bounds->n; i++) {
                struct bound *of = &b->bounds->of[i];
                of->from[node] = MIN(of->from[node], from > of->duration ? from - of->duration : 0);
        }
}

/* ---- the search ---- */

struct numbers {
        struct attempt *a;
        const struct profile_wish *w;
        struct bound *bound;
        usec_t *from; /* of each node: not before */
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

/* Of one whose parts have reservations (parts.h): all that it could have of it is free. */
static usec_t split_from(const struct numbers *f, size_t node, usec_t t) {
        struct backfill *b = f->a->b;
        const struct node_plans *np = &b->of[node];
        usec_t until = t + MIN(f->w->duration, USEC_INFINITY - t), next = USEC_INFINITY;
        bool is_free = true, any = false;

        until = f->w->end ? MIN(until, f->w->end) : until;
        for (size_t k = 0; k < parts_of(b->node_parts, node); k++) {
                size_t part = parts_at(b->node_parts, node, k);
                if (!bitset_has(b->wanted, part))
                        continue;
                any = true;
                is_free = is_free && profile_has_all(b->profile, part, t, until);
                next = b->busy[part] > t ? MIN(next, b->busy[part]) : next;
        }
        if (any && is_free)
                return t;
        for (size_t i = 0; any && i < np->n; i++)
                next = np->list[i]->until > t ? MIN(next, np->list[i]->until) : next;
        return next;
}

static usec_t node_from(const struct numbers *f, const struct need *need, size_t i, usec_t t) {
        struct attempt *a = f->a;
        const struct node *n = a->c->nodes[i];

        if (bitset_has(parts_split(a->b->node_parts), i))
                return split_from(f, i, t);
        const struct track *k = track_of(a->c, a->b, i, a->now);
        usec_t *bound = &f->bound->from[i];
        spend(a->b, 1);
        if (*bound <= t)
                *bound = track_from(k, n, &f->bound->need, MAX(*bound, a->now), f->bound->duration,
                                0);
        if (*bound > t && !f->w->end)
                return *bound;
        return track_from(k, n, need, t, f->w->duration, f->w->end);
}

/* Sets b->fit to those that have what it needs from t on. */
static size_t find_at(const struct numbers *f, const struct need *need, usec_t t) {
        struct bitset *fit = f->a->b->fit;
        size_t n = 0;

        bitset_clear(fit);
        bitset_for_each(i, f->w->nodes) {
                if (i >= f->a->b->n_nodes)
                        break;
                if (f->from[i] > t)
                        continue;
                f->from[i] = node_from(f, need, i, t);
                if (f->from[i] > t)
                        continue;
                bitset_add(fit, i);
                n++;
        }
        return n;
}

/* The one at that place of the n, were they in order; they are put partly in order. */
static usec_t nth(usec_t *all, size_t n, size_t place) {
        size_t low = 0, high = n - 1;

        while (low < high) {
                usec_t middle = all[low + (high - low) / 2];
                size_t i = low, k = high;
                while (i <= k) {
                        while (all[i] < middle)
                                i++;
                        while (all[k] > middle)
                                k--;
                        if (i > k)
                                break;
                        usec_t t = all[i];
                        all[i++] = all[k];
                        all[k] = t;
                        if (k == 0)
                                break;
                        k--;
                }
                if (place <= k && k < high)
                        high = k;
                else if (place >= i)
                        low = i;
                else
                        return all[place];
        }
        return all[place];
}

/* So many may have it then; before they are fewer. */
static usec_t time_of(const struct numbers *f, uint32_t count) {
        struct backfill *b = f->a->b;
        usec_t least = USEC_INFINITY;
        size_t n = 0;

        spend(b, b->n_nodes / 32);
        if (count == 1) {
                bitset_for_each(i, f->w->nodes)
                        if (i < b->n_nodes)
                                least = MIN(least, f->from[i]);
                return least;
        }
        _cleanup_free_ usec_t *all = xnew(usec_t, b->n_nodes + 1);
        bitset_for_each(i, f->w->nodes)
                if (i < b->n_nodes)
                        all[n++] = f->from[i];
        if (n < count)
                return USEC_INFINITY;
        return nth(all, n, count - 1);
}

/* Those that have the least have not all that it needs: when is there more. */
static usec_t next_time(const struct numbers *f, usec_t t) {
        struct attempt *a = f->a;
        usec_t next = USEC_INFINITY;

        bitset_for_each(i, f->w->nodes) {
                if (i >= a->b->n_nodes)
                        break;
                next = MIN(next, f->from[i] > t ? f->from[i]
                                                : track_next(track_of(a->c, a->b, i, a->now), t));
        }
        spend(a->b, bitset_count(f->w->nodes));
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

int fit_numbers(struct attempt *a, const struct profile_wish *w, usec_t *ret_start) {
        struct backfill *b = a->b;
        struct need need = need_of(a);
        struct numbers f = { .a = a,
                .w = w,
                .bound = bound_of(b, &need, w->duration),
                .from = xnew(usec_t, b->n_nodes + 1) };
        usec_t t;
        int r = -ENOENT;

        memcpy(f.from, f.bound->from, b->n_nodes * sizeof f.from[0]);
        if (w->end) /* it lasts as long as it may */
                memset(f.from, 0, b->n_nodes * sizeof f.from[0]);
        spend(b, b->n_nodes / 16);
        t = MAX(w->from, time_of(&f, w->count));
        for (int tries = 0; r < 0 && t <= w->latest && t != USEC_INFINITY;) {
                bool many = find_at(&f, &need, t) >= w->count;
                if (many && fit_would_do(a, t)) {
                        *ret_start = t;
                        r = 0;
                } else if (many) {
                        if (tries++ == TIMES_MAX)
                                break;
                        t = next_time(&f, t);
                } else {
                        t = MAX(t + 1, time_of(&f, w->count));
                }
        }
        free(f.from);
        return r;
}

/* ---- what has become free ---- */

static bool comes_before(const struct job_plan *p, size_t node) {
        const struct node_range *last = &p->ranges[p->n_ranges - 1];

        return node < (size_t)last->from + last->n;
}

static bool has_node(const struct job_plan *p, size_t node) {
        for (size_t i = 0; i < p->n_ranges; i++)
                if (node >= p->ranges[i].from && node - p->ranges[i].from < p->ranges[i].n)
                        return true;
        return false;
}

bool fit_numbers_may_improve(const struct attempt *a, const struct job_plan *p, bool in_order) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_copy(a->b->dirty);
        struct need need;

        bitset_and(nodes, a->shape->nodes);
        if (bitset_empty(nodes))
                return false;
        if (a->c->resvs.n)
                return true;
        need = need_of(a);
        bitset_for_each(i, nodes) {
                spend(a->b, 2);
                if (has_node(p, i))
                        return true;
                usec_t t = track_from(track_of(a->c, a->b, i, a->now), a->c->nodes[i], &need,
                                a->from, a->limit, 0);
                if (t < p->start || (t == p->start && (!in_order || comes_before(p, i))))
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
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_copy(a->b->dirty);

        bitset_and(nodes, a->shape->nodes);
        if (bitset_empty(nodes))
                return false;
        fit_numbers_now(a, nodes);
        return !bitset_empty(nodes);
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
