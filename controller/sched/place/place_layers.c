/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hierarchical resources: chooses nodes which the job may have together, by the layers of the
 * nodes.
 *
 *   MODE_2  forbids single nodes.
 *   MODE_1  requires at least one node in a layer with enough resources. Nodes of such layers alone
 *           are tried first (narrow). Then such a node is taken as if named by the job, beside any
 *           other nodes.
 *   MODE_3  allows a number of nodes per layer.
 *
 * Layers are nested. Therefore taking each node compatible with the nodes before gives the maximum
 * number of nodes, in any order; in order of size the maximum number of tasks. */
#include "controller/sched/place/place_private.h"

void place_heed_layers(const struct search *s, struct bitset *set) {
        const struct hres_room *room = s->when.room;

        bitset_and(set, room->allowed);
        for (size_t i = 0; i < room->n && s->narrow; i++)
                if (room->list[i].some)
                        bitset_and(set, room->list[i].some);
}

/* Adds up to *left nodes of set to ret, as far as the layers allow. */
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

static bool layer_offer_required(const struct offer *o) {
        return o->required;
}

static int layers_by_tasks(const void *a, const void *b) {
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
        return layers_by_tasks(a, b);
}

/* ---- MODE_1 ---- */

/* Returns the number of layer sets which need a node, have none yet, and contain the offer's
   node. */
static size_t sets_helped(const struct search *s, const bool *met, const struct offer *o) {
        const struct hres_room *room = s->when.room;
        size_t n = 0;

        for (size_t i = 0; i < room->n; i++)
                n += !met[i] && bitset_has(room->list[i].some, o->node->index);
        return n;
}

static void sets_meet(const struct search *s, bool *met, const struct offer *o) {
        const struct hres_room *room = s->when.room;

        for (size_t i = 0; i < room->n; i++)
                met[i] |= room->list[i].some && bitset_has(room->list[i].some, o->node->index);
}

struct way {         /* a method of choosing required offers */
        bool few;    /* true: the node in the most sets; false: the first node in any set */
        size_t skip; /* number of first candidates to skip */
};

/* Makes offers required until each layer set has a required node; returns false if a set has no
   offer. */
static bool sets_require(struct search *s, struct way way) {
        const struct hres_room *room = s->when.room;
        _cleanup_free_ bool *met = xnew0(bool, room->n + 1);
        size_t left = 0;

        for (size_t i = 0; i < room->n; i++)
                met[i] = !room->list[i].some;
        for (size_t i = 0; i < s->n_offers; i++)
                if (s->offers[i].required)
                        sets_meet(s, met, &s->offers[i]);
        for (size_t i = 0; i < room->n; i++)
                left += !met[i];
        while (left) {
                struct offer *best = NULL;
                size_t most = 0;
                for (size_t i = 0; i < s->n_offers; i++) {
                        size_t n = sets_helped(s, met, &s->offers[i]);
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
                sets_meet(s, met, best);
                left -= most;
        }
        place_partition(s, 0, layer_offer_required);
        return true;
}

/* ---- MODE_3 ---- */

/* Drops offers not allowed beside the offers before; returns false if a required offer is not
   allowed. */
static bool offers_thin(struct search *s) {
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

static bool layers_allow(const struct search *s, size_t n) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(s->c->n_nodes);

        for (size_t i = 0; i < n; i++)
                bitset_add(nodes, s->offers[i].node->index);
        return !hres_lacks(s->when.room, nodes);
}

/* Maximum number of offers with a try for each candidate as the required node. */
#define TRIED_MAX 64

typedef int order_fn(const void *a, const void *b);

/* Chooses among `all`, sorted by order (NULL: unsorted). */
static size_t choose_in(struct search *s, const struct offer *all, size_t n_offers, order_fn *order,
                struct way way) {
        memcpy(s->offers, all, n_offers * sizeof all[0]);
        s->n_offers = n_offers;
        if (order)
                list_sort(s->offers, n_offers, sizeof all[0], order);
        size_t n = sets_require(s, way) && offers_thin(s) ? place_choose(s) : 0;
        return n && layers_allow(s, n) ? n : 0;
}

static bool must_have_some(const struct search *s) {
        for (size_t i = 0; i < s->when.room->n; i++)
                if (s->when.room->list[i].some)
                        return true;
        return false;
}

size_t place_choose_layers(struct search *s) {
        static order_fn *const orders[] = { NULL, layers_by_tasks, by_gpus };
        const size_t n_offers = s->n_offers, n_orders = ELEMENTSOF(orders) - !s->total.n;
        size_t n = 0;

        if (s->narrow && (s->few || !s->counted)) {
                n = place_choose(s);
                return layers_allow(s, n) ? n : 0;
        }
        if (n_offers == 0)
                return 0;
        struct offer *all = xnew(struct offer, n_offers);
        memcpy(all, s->offers, n_offers * sizeof all[0]);
        for (size_t i = 0; i < 2 * n_orders && n == 0; i++)
                n = choose_in(s, all, n_offers, orders[i / 2], (struct way){ .few = i % 2 == 0 });
        bool more = !s->narrow && n_offers <= TRIED_MAX && must_have_some(s);
        for (size_t i = 1; more && i < n_offers && n == 0; i++)
                n = choose_in(s, all, n_offers, layers_by_tasks, (struct way){ .skip = i });
        free(all);
        return n;
}
