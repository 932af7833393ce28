/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice of nodes: offers are made in order of preference, and the first offers which are
   enough are taken.

     place_required()  offers of the nodes named by the job
     place_offers()    further offers, nearest power state and lowest weight first
     place_choose()    sorts the offers and returns how many are taken */
#include "controller/sched/place/place_private.h"

#include "controller/model/feature.h"
#include "controller/model/spec.h"

/* Returns whether the offers are enough, with at least `nodes` nodes. All nodes are looked at if
   victims or sharing can be avoided. */
static bool offers_suffice(const struct search *s, uint32_t nodes) {
        if (s->stops || s->shares || s->all)
                return false;
        return s->largest_do ||
               (s->n_offers >= nodes && s->tasks >= s->num_tasks && s->n_offers <= s->max_nodes &&
                               gres_sums_do(&s->gres, &s->total));
}

static bool offers_suffice_wanted(const struct search *s) {
        return offers_suffice(s, s->want_nodes);
}

/* Returns whether nodes with all CPUs in use can be skipped, as no job yields. A job with
   --core-spec may get more CPUs than node_cpus_spare() counts. */
static bool full_is_no(const struct search *s) {
        return s->mode == PLACE_FREE && !s->shares && !s->stops && !s->base.gone && !s->base.lent &&
               !job_has_spec(s->j);
}

static int offers_by_tasks(const void *a, const void *b) {
        const struct offer *x = a, *y = b;
        uint64_t x_gres = gres_parts_sum(&x->gres), y_gres = gres_parts_sum(&y->gres);

        if (x->required != y->required)
                return x->required ? -1 : 1;
        if (x_gres != y_gres)
                return x_gres > y_gres ? -1 : 1;
        if (x->tasks != y->tasks)
                return x->tasks > y->tasks ? -1 : 1;
        return x->node->index < y->node->index ? -1 : 1;
}

/* offers_by_tasks() with tasks before --gpus. */
static int by_tasks_alone(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->required == y->required && x->tasks != y->tasks)
                return x->tasks > y->tasks ? -1 : 1;
        return offers_by_tasks(a, b);
}

static int smallest_first(const void *a, const void *b) {
        return offers_by_tasks(b, a);
}

static int fewest_first(const void *a, const void *b) {
        return by_tasks_alone(b, a);
}

static const struct size_order sizes[] = {
        { offers_by_tasks, smallest_first },
        { by_tasks_alone, fewest_first },
};

static void heap_place(const struct offer *offers, struct largest *l, size_t i,
                const struct size_order *by) {
        const size_t o = l->of[i];

        for (; i && by->largest(&offers[o], &offers[l->of[(i - 1) / 2]]) > 0; i = (i - 1) / 2)
                l->of[i] = l->of[(i - 1) / 2];
        for (size_t child; (child = 2 * i + 1) < l->n; i = child) {
                child += child + 1 < l->n &&
                         by->largest(&offers[l->of[child]], &offers[l->of[child + 1]]) < 0;
                if (by->largest(&offers[l->of[child]], &offers[o]) <= 0)
                        break;
                l->of[i] = l->of[child];
        }
        l->of[i] = o;
}

/* Considers the next offer for the heap. */
static void add_to_largest(const struct search *s, struct largest *l, const struct size_order *by) {
        const struct offer *o = &s->offers[l->seen], *least = l->n ? &s->offers[l->of[0]] : NULL;

        s->c->slices.looked++;
        if (l->n < s->max_nodes) {
                GROW(l->of, l->allocated, l->n);
                l->of[l->n++] = l->seen++;
                heap_place(s->offers, l, l->n - 1, by);
        } else if (by->largest(o, least) < 0) {
                l->tasks -= least->tasks;
                gres_sums_minus(&l->gres, &least->gres);
                l->of[0] = l->seen++;
                heap_place(s->offers, l, 0, by);
        } else {
                l->seen++;
                return;
        }
        l->tasks += o->tasks;
        gres_sums_add(&l->gres, &o->gres);
}

/* Returns the smallest number of first offers whose largest offers are enough; 0: all offers are
   too few. Continues after the l->seen offers considered before. */
static size_t fewest_in_order(const struct search *s, struct largest *l,
                const struct size_order *by) {
        while (l->seen < s->n_offers) {
                add_to_largest(s, l, by);
                bool more_required = l->seen < s->n_offers && s->offers[l->seen].required;
                if (l->n >= s->min_nodes && l->tasks >= s->num_tasks &&
                                gres_sums_do(&l->gres, &s->total) && !more_required)
                        return l->seen;
        }
        return 0;
}

/* Returns the number of orders: without --gpus only the order by tasks. */
static size_t n_sizes(const struct search *s) {
        return s->total.n ? ELEMENTSOF(sizes) : 1;
}

/* Begins with an empty heap, as the offers may have been sorted since. */
size_t place_fewest_first(const struct search *s, const struct size_order **ret) {
        size_t fewest = 0;

        for (size_t i = 0; i < n_sizes(s); i++) {
                struct largest l = { 0 };
                size_t n = fewest_in_order(s, &l, &sizes[i]);
                free(l.of);
                if (n == 0 || (fewest && n >= fewest))
                        continue;
                fewest = n;
                *ret = &sizes[i];
        }
        return fewest;
}

/* Considers the new offers, if there may be more offers than nodes. */
static void ask_largest(struct search *s) {
        if (s->stops || s->shares || s->all || s->n_offers <= s->max_nodes)
                return;
        for (size_t i = 0; i < n_sizes(s) && !s->largest_do; i++)
                s->largest_do = fewest_in_order(s, &s->largest[i], &sizes[i]) > 0;
}

static void offers_of(struct search *s, const struct bitset *set, bool required) {
        /* least-loaded nodes first: all nodes are looked at */
        bool quick = full_is_no(s), late = required || s->lln;

        bitset_for_each(i, set) {
                if (!late && offers_suffice_wanted(s))
                        return;
                if (quick && node_cpus_spare(s->c->nodes[i]) < s->least_cpus) {
                        s->c->slices.looked++;
                        continue;
                }
                place_offer(s, s->c->nodes[i], required);
                if (!late)
                        ask_largest(s);
        }
}

/* Named nodes come first, because often a named node is busy. */
int place_required(struct search *s, const struct bitset *usable) {
        const struct job *j = s->j;

        /* empty: from the configuration */
        if (bitset_empty(j->needs.req_nodes) || !bitset_contains(usable, j->needs.req_nodes) ||
                        !bitset_contains(j->partition->nodes, j->needs.req_nodes) ||
                        (j->needs.exc_nodes &&
                                        bitset_overlaps(j->needs.exc_nodes, j->needs.req_nodes)))
                return -ENOENT;
        if (full_is_no(s) && !bitset_contains(s->c->spare[0], j->needs.req_nodes))
                return -EBUSY;
        offers_of(s, j->needs.req_nodes, true);
        return s->n_offers < bitset_count(j->needs.req_nodes) ? -EBUSY : 0;
}

static bool spares_all(const struct offer *o) {
        return !o->needs_victims;
}

static int by_load(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->idle != y->idle)
                return x->idle > y->idle ? -1 : 1;
        return x->node->index < y->node->index ? -1 : 1;
}

/* Units with the fewest jobs first. */
static int by_depth(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->depth != y->depth)
                return x->depth < y->depth ? -1 : 1;
        return x->node->index < y->node->index ? -1 : 1;
}

/* Returns the highest level of c->spare including all nodes with this number of idle CPUs. */
static size_t spare_level(uint64_t cpus) {
        size_t i = 0;

        while (i + 1 < SPARE_LEVELS && cpus >> (i + 1))
                i++;
        return i;
}

/* Returns whether a single node is enough, and several are allowed. */
static bool wants_one(const struct search *s) {
        return s->min_nodes == 1 && s->want_nodes == 1 && s->max_nodes > 1 && s->num_tasks > 1 &&
               !s->lightest && !s->stops && !s->shares;
}

/* Offers a single node that is enough alone, among nodes of equal preference: as in Slurm, such a
   node comes before several nodes. */
static void offer_of_one(struct search *s, const struct bitset *set) {
        const uint32_t max_nodes = s->max_nodes;

        if (s->n_offers || s->all || !wants_one(s))
                return;
        _cleanup_(bitset_freep) struct bitset *large = bitset_copy(set);
        if (full_is_no(s))
                bitset_and(large, s->c->spare[spare_level(place_cpus_used(s, s->num_tasks))]);
        s->max_nodes = 1;
        offers_of(s, large, false);
        s->max_nodes = max_nodes;
}

/* Like offer_of_one() with all offers made: moves the node first. Returns false if no single node
   is enough. */
static bool one_alone(struct search *s) {
        const struct offer first = s->offers[0];

        for (size_t i = 0; i < s->n_offers && wants_one(s); i++) {
                const struct offer *o = &s->offers[i];
                bool liked = s->j->asked.use_min_nodes ||
                             (o->node->weight == first.node->weight &&
                                             place_distance(o) == place_distance(&first));
                if (!liked || !place_does_alone(s, o->tasks, &o->gres) ||
                                o->required != first.required)
                        continue;
                s->offers[0] = *o;
                s->offers[i] = first;
                return true;
        }
        return false;
}

static void offers_in_order(struct search *s, const struct bitset *usable) {
        const struct cluster *c = s->c;
        _cleanup_(bitset_freep) struct bitset *of_power = bitset_new(c->n_nodes),
                                              *set = bitset_new(c->n_nodes);

        for (size_t g = 0; g < NODE_DISTANCE_MAX && !(g && offers_suffice(s, s->min_nodes)); g++) {
                bitset_assign(of_power, usable);
                bitset_and(of_power, c->distance[g]);
                if (s->j->needs.req_nodes)
                        bitset_minus(of_power, s->j->needs.req_nodes);
                if (full_is_no(s))
                        bitset_and(of_power, c->spare[spare_level(s->least_cpus)]);
                if (bitset_empty(of_power))
                        continue;
                for (size_t w = 0; w < c->n_weights && !offers_suffice_wanted(s); w++) {
                        bitset_assign(set, of_power);
                        bitset_and(set, c->weights[w]);
                        size_t first = s->n_offers;
                        offer_of_one(s, set);
                        if (s->n_offers == first)
                                offers_of(s, set, false);
                        if (s->lln && s->n_offers > first) {
                                list_sort(&s->offers[first], s->n_offers - first,
                                                sizeof s->offers[0], by_load);
                                ask_largest(s);
                        }
                        if (s->shares && s->n_offers > first)
                                list_sort(&s->offers[first], s->n_offers - first,
                                                sizeof s->offers[0], by_depth);
                        if (s->stops)
                                /* among nodes of equal power state and weight */
                                place_partition(s, first, spares_all);
                }
        }
}

/* Nodes to be rebooted come last, if the other nodes are not enough. */
void place_offers(struct search *s, const struct bitset *usable) {
        offers_in_order(s, usable);
        if (!s->may_reboot || offers_suffice(s, s->min_nodes))
                return;
        s->reboots = true;
        offers_in_order(s, usable);
        s->reboots = false;
}

/* Up to this number offers are picked by insertion; more are sorted. */
#define PICKED_MAX 64u

/* Moves the largest offers first. Only max_nodes offers and the next one (for `required`) must be
   in order. */
static void largest_first(struct search *s, const struct size_order *by) {
        struct offer top[PICKED_MAX + 2];
        size_t most = MIN(s->n_offers, (size_t)s->max_nodes + 1), n = 0;

        if (most > PICKED_MAX) {
                list_sort(s->offers, s->n_offers, sizeof s->offers[0], by->largest);
                return;
        }
        for (size_t i = 0; i < s->n_offers; i++) {
                if (n == most && by->largest(&s->offers[i], &top[most - 1]) >= 0)
                        continue;
                size_t at = FIRST_NOT(n, k, by->largest(&top[k], &s->offers[i]) < 0);
                n += n < most;
                memmove(&top[at + 1], &top[at], (n - 1 - at) * sizeof top[0]);
                top[at] = s->offers[i];
        }
        memcpy(s->offers, top, n * sizeof top[0]);
        s->n_offers = n;
}

/* Returns the number of first offers which are enough; 0: all offers together are too few. */
static size_t first_enough(const struct search *s) {
        struct gres_sums gres = { 0 };
        uint64_t tasks = 0;

        for (size_t i = 0; i < s->n_offers && i < s->max_nodes; i++) {
                tasks += s->offers[i].tasks;
                gres_sums_add(&gres, &s->offers[i].gres);
                bool more_required = i + 1 < s->n_offers && s->offers[i + 1].required;
                if (i + 1 >= s->min_nodes && tasks >= s->num_tasks && !more_required &&
                                gres_sums_do(&gres, &s->total))
                        return i + 1;
        }
        return 0;
}

/* If the first offers are too many nodes, takes fewer and larger offers from the shortest
   sufficient prefix. */
static size_t fewest_largest(struct search *s) {
        const struct size_order *by;
        size_t n = place_fewest_first(s, &by);

        if (n == 0)
                return 0;
        s->n_offers = n;
        largest_first(s, by);
        return first_enough(s);
}

/* A range (-N2-4) also takes the next nodes, unless they need a victim, sharing or a boot. */
static size_t as_many_as_wanted(const struct search *s, size_t n) {
        size_t last = 0;

        for (size_t i = 0; i < n; i++)
                last = MAX(last, place_distance(&s->offers[i]));
        /* each node gives at least one GPU */
        if (s->total.n && gres_total_sum(&s->total) < s->want_nodes)
                return n;
        while (n < s->want_nodes && n < s->n_offers && !s->offers[n].needs_victims &&
                        s->offers[n].depth == 0 && place_distance(&s->offers[n]) <= last &&
                        (s->total.n < 2 || place_kinds_do(s, 0, n + 1)))
                n++;
        return n;
}

static size_t choose_kinds(struct search *s) {
        size_t n = place_choose_kinds(s);

        if (n > 1 && one_alone(s))
                return 1;
        return n && !s->lightest ? as_many_as_wanted(s, n) : n;
}

size_t place_choose(struct search *s) {
        if (s->lightest == LIGHTEST_WITHIN)
                return place_choose_within(s);
        if (s->mixed)
                return place_choose_mixed(s);
        if (s->lightest)
                place_lightest_first(s);
        if (s->j->asked.contiguous)
                return place_choose_run(s);
        if (features_counts(s->features) && !place_count_features(s))
                return 0;
        if (s->tree && !place_by_switch(s))
                return 0;
        if (s->lightest && s->tree)
                place_lightest_first(s);
        if (s->total.n > 1)
                return choose_kinds(s);
        size_t n = first_enough(s);

        if (n > 1 && one_alone(s))
                return 1;
        if (s->lightest)
                return n || s->n_offers <= s->max_nodes ? n : place_choose_lightest(s);
        if (n == 0 && s->n_offers > s->max_nodes) {
                n = fewest_largest(s);
        } else if (n > s->min_nodes && s->j->asked.use_min_nodes) {
                largest_first(s, &sizes[0]);
                n = first_enough(s);
        }
        return n ? as_many_as_wanted(s, n) : 0;
}
