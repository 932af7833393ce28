/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hierarchical resources: nodes that the job may have together, by the layers that they are in.
 *
 * MODE_2 forbids nodes one by one.  Of MODE_1 the job must have one node at least in a layer with
 * enough: nodes of such layers alone are tried first (narrow); then one of them is taken as if the
 * job named it, and any beside it.  MODE_3 allows so many nodes of each layer.  As layers are one
 * inside the other, as many nodes as can be had together are found by taking one after the other
 * that goes with those before it, whatever their order; taken by size, they have the most tasks
 * that so many nodes can have. */
#include "controller/sched/place/place_private.h"

void place_heed_layers(const struct search *s, struct bitset *set) {
        const struct hres_room *room = s->when.room;

        bitset_and(set, room->allowed);
        for (size_t i = 0; i < room->n && s->narrow; i++)
                if (room->list[i].some)
                        bitset_and(set, room->list[i].some);
}

/* Of set, until left is 0. */
static void pick_from(struct hres_pick *pick, const struct bitset *set, size_t *left,
                struct bitset *ret) {
        bitset_for_each(i, set) {
                if (*left == 0)
                        return;
                if (!hres_pick_add(pick, i))
                        continue;
                bitset_add(ret, i);
                --*left;
        }
}

void place_thin_out(const struct search *s, struct bitset *set) {
        const struct cluster *c = s->c;
        _cleanup_(hres_pick_freep) struct hres_pick *pick = hres_pick_new(s->when.room);
        _cleanup_(bitset_freep) struct bitset *ret = bitset_new(c->n_nodes),
                                              *some = bitset_new(c->n_nodes);
        const struct bitset *named = s->j->needs.req_nodes;
        size_t left = named ? bitset_count(named) : 0;

        if (named)
                pick_from(pick, named, &left, some);
        left = 64 + 4 * (size_t)s->min_nodes;
        for (size_t g = 0; g < NODE_DISTANCE_MAX; g++)
                for (size_t w = 0; w < c->n_weights && left; w++) {
                        bitset_assign(some, set);
                        bitset_and(some, c->distance[g]);
                        bitset_and(some, c->weights[w]);
                        if (s->mode == PLACE_FREE && !s->stops && !s->shares && !s->base.gone)
                                bitset_and(some, s->whole ? c->unused : c->spare[0]);
                        pick_from(pick, some, &left, ret);
                }
        bitset_assign(set, ret);
}

bool place_may_widen(const struct search *s, const struct bitset *usable) {
        const struct hres_room *room = s->when.room;
        _cleanup_(bitset_freep) struct bitset *all = bitset_copy(usable);

        bitset_and(all, room->allowed);
        for (size_t i = 0; i < room->n; i++)
                if (room->list[i].some && !bitset_contains(room->list[i].some, all))
                        return !hres_lacks(room, all);
        return false;
}

static bool is_required(const struct offer *o) {
        return o->required;
}

static int by_tasks(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->required != y->required)
                return x->required ? -1 : 1;
        if (x->tasks != y->tasks)
                return x->tasks > y->tasks ? -1 : 1;
        return x->node->index < y->node->index ? -1 : 1;
}

static int by_gpus(const void *a, const void *b) {
        const struct offer *x = a, *y = b;
        uint64_t x_gpus = gres_parts_sum(&x->gres), y_gpus = gres_parts_sum(&y->gres);

        if (x->required == y->required && x_gpus != y_gpus)
                return x_gpus > y_gpus ? -1 : 1;
        return by_tasks(a, b);
}

/* ---- MODE_1 ---- */

/* Sets of which no required offer is one yet; its node is in so many of these. */
static size_t helps(const struct search *s, const bool *met, const struct offer *o) {
        const struct hres_room *room = s->when.room;
        size_t n = 0;

        for (size_t i = 0; i < room->n; i++)
                n += !met[i] && bitset_has(room->list[i].some, o->node->index);
        return n;
}

static void meet(const struct search *s, bool *met, const struct offer *o) {
        const struct hres_room *room = s->when.room;

        for (size_t i = 0; i < room->n; i++)
                met[i] |= room->list[i].some && bitset_has(room->list[i].some, o->node->index);
}

struct way {         /* to choose offers that the job must have some of */
        bool few;    /* those that help most, else the first that help */
        size_t skip; /* but not so many of the first */
};

/* Offers that the job must have some of become required; false: there are none. */
static bool require(struct search *s, struct way way) {
        const struct hres_room *room = s->when.room;
        _cleanup_free_ bool *met = xnew0(bool, room->n + 1);
        size_t left = 0;

        for (size_t i = 0; i < room->n; i++)
                met[i] = !room->list[i].some;
        for (size_t i = 0; i < s->n_offers; i++)
                if (s->offers[i].required)
                        meet(s, met, &s->offers[i]);
        for (size_t i = 0; i < room->n; i++)
                left += !met[i];
        while (left) {
                struct offer *best = NULL;
                size_t most = 0;
                for (size_t i = 0; i < s->n_offers; i++) {
                        size_t n = helps(s, met, &s->offers[i]);
                        if (n <= most || (best && !way.few))
                                continue;
                        if (way.skip) {
                                way.skip--;
                                continue;
                        }
                        most = n;
                        best = &s->offers[i];
                }
                if (!best)
                        return false;
                best->required = true;
                meet(s, met, best);
                left -= most;
        }
        place_partition(s, 0, is_required);
        return true;
}

/* ---- MODE_3 ---- */

/* Keeps offers that go together; false: those that are required do not. */
static bool thin(struct search *s) {
        _cleanup_(hres_pick_freep) struct hres_pick *pick = hres_pick_new(s->when.room);
        size_t n = 0;

        s->tasks = 0;
        s->gres = (struct gres_sums){ 0 };
        for (size_t i = 0; i < s->n_offers; i++) {
                if (hres_pick_add(pick, s->offers[i].node->index)) {
                        s->tasks += s->offers[i].tasks;
                        gres_sums_add(&s->gres, &s->offers[i].gres);
                        s->offers[n++] = s->offers[i];
                } else if (s->offers[i].required) {
                        return false;
                }
        }
        s->n_offers = n;
        return true;
}

/* ---- both ---- */

static bool may_have(const struct search *s, size_t n) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(s->c->n_nodes);

        for (size_t i = 0; i < n; i++)
                bitset_add(nodes, s->offers[i].node->index);
        return !hres_lacks(s->when.room, nodes);
}

/* Up to this many offers each one that the job may have to have is tried. */
#define TRIED_MAX 64

typedef int order_fn(const void *a, const void *b);

/* Of these offers, in that order (NULL: as they are). */
static size_t choose_in(struct search *s, const struct offer *all, size_t n_offers, order_fn *order,
                struct way way) {
        memcpy(s->offers, all, n_offers * sizeof all[0]);
        s->n_offers = n_offers;
        if (order)
                list_sort(s->offers, n_offers, sizeof all[0], order);
        size_t n = require(s, way) && thin(s) ? place_choose(s) : 0;
        return n && may_have(s, n) ? n : 0;
}

static bool must_have_some(const struct search *s) {
        for (size_t i = 0; i < s->when.room->n; i++)
                if (s->when.room->list[i].some)
                        return true;
        return false;
}

size_t place_choose_layers(struct search *s) {
        static order_fn *const orders[] = { NULL, by_tasks, by_gpus };
        const size_t n_offers = s->n_offers, n_orders = ELEMENTSOF(orders) - !s->total.n;
        size_t n = 0;

        if (s->narrow && (s->few || !s->counted)) {
                n = place_choose(s);
                return may_have(s, n) ? n : 0;
        }
        if (n_offers == 0)
                return 0;
        struct offer *all = xnew(struct offer, n_offers);
        memcpy(all, s->offers, n_offers * sizeof all[0]);
        for (size_t i = 0; i < 2 * n_orders && n == 0; i++)
                n = choose_in(s, all, n_offers, orders[i / 2], (struct way){ .few = i % 2 == 0 });
        bool more = !s->narrow && n_offers <= TRIED_MAX && must_have_some(s);
        for (size_t i = 1; more && i < n_offers && n == 0; i++)
                n = choose_in(s, all, n_offers, by_tasks, (struct way){ .skip = i });
        free(all);
        return n;
}
