/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --contiguous: neighbouring nodes in the order of the configuration, with counted features
 * ("[a*2&b*3]") among the nodes. The best stretch has, in this order:
 *
 *   nodes nearest to being powered up
 *   the fewest victims
 *   the lightest heaviest node
 *   the fewest nodes
 *   the smallest run of free nodes
 *
 * If a limit forbids the best stretch, the cheapest stretch is taken. */
#include "controller/sched/place/place_private.h"

struct stretch {
        size_t from, n; /* indexes of offers; n 0: none */
        size_t distance, victims, run;
        uint32_t weight; /* of the heaviest node */
        uint64_t charge; /* sum of costs if limits matter; compared first */
};

struct sum { /* sums over the offers from..to-1 */
        size_t from, to;
        uint64_t tasks;
        struct gres_sums gres; /* units of --gpus */
        size_t required;
        struct deal *deal; /* assignment of counted features; NULL: none */
};

static int run_by_index(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        return x->node->index < y->node->index ? -1 : x->node->index > y->node->index;
}

static size_t count_required(const struct search *s) {
        size_t n = 0;

        for (size_t i = 0; i < s->n_offers; i++)
                n += s->offers[i].required;
        return n;
}

static bool stretch_is_better(const struct stretch *a, const struct stretch *b) {
        if (b->n == 0 || a->charge != b->charge)
                return b->n == 0 || a->charge < b->charge;
        if (a->distance != b->distance)
                return a->distance < b->distance;
        if (a->victims != b->victims)
                return a->victims < b->victims;
        if (a->weight != b->weight)
                return a->weight < b->weight;
        return a->n != b->n ? a->n < b->n : a->run < b->run;
}

static struct stretch stretch_of(const struct search *s, const struct sum *sum, size_t run) {
        struct stretch st = { .from = sum->from, .n = sum->to - sum->from, .run = run };

        for (size_t i = sum->from; i < sum->to; i++) {
                st.distance = MAX(st.distance, place_distance(&s->offers[i]));
                st.victims += s->offers[i].needs_victims;
                st.weight = MAX(st.weight, s->offers[i].node->weight);
                st.charge += s->lightest ? s->offers[i].charge[s->lightest == LIGHTEST_NAMED ? 0
                                                                                             : 1]
                                         : 0;
        }
        return st;
}

static void sum_add(const struct search *s, struct sum *sum) {
        size_t i = sum->to++;

        sum->tasks += s->offers[i].tasks;
        gres_sums_add(&sum->gres, &s->offers[i].gres);
        sum->required += s->offers[i].required;
        if (sum->deal)
                place_deal_add(sum->deal);
}

static void sum_drop_first(const struct search *s, struct sum *sum) {
        size_t i = sum->from++;

        sum->tasks -= s->offers[i].tasks;
        gres_sums_minus(&sum->gres, &s->offers[i].gres);
        sum->required -= s->offers[i].required;
        if (sum->deal)
                place_deal_drop(sum->deal);
}

static bool sum_suffices(const struct search *s, const struct sum *sum, size_t required) {
        size_t n = sum->to - sum->from;

        return n >= s->min_nodes && sum->tasks >= s->num_tasks && sum->required >= required &&
               gres_sums_do(&sum->gres, &s->total) &&
               (!sum->deal || place_deal_suffices(sum->deal)) &&
               (s->total.n < 2 || place_kinds_do(s, sum->from, n));
}

/* Looks at one run of neighbours: for each first node at the shortest sufficient stretch. */
static void look_at_run(const struct search *s, size_t from, size_t to, size_t required,
                struct deal *deal, struct stretch *best) {
        struct sum sum = { .from = from, .to = from, .deal = deal };

        if (deal)
                place_deal_begin(deal, from);
        for (; sum.from < to; sum_drop_first(s, &sum)) {
                bool enough;
                while (!(enough = sum_suffices(s, &sum, required)) && sum.to < to)
                        sum_add(s, &sum);
                if (!enough)
                        return;
                if (sum.to - sum.from <= s->max_nodes) {
                        struct stretch st = stretch_of(s, &sum, to - from);
                        if (stretch_is_better(&st, best))
                                *best = st;
                }
        }
}

/* Extends the stretch for a range of nodes (-N2-4); returns the number of nodes. */
static size_t stretch_extend(const struct search *s, const struct stretch *st) {
        size_t n = st->n;

        for (size_t i = st->from + n; n < s->want_nodes && i < s->n_offers; i++, n++)
                if (s->offers[i].node->index != s->offers[i - 1].node->index + 1 ||
                                s->offers[i].needs_victims ||
                                place_distance(&s->offers[i]) > st->distance)
                        break;
        return n;
}

size_t place_choose_run(struct search *s) {
        size_t required = count_required(s);
        struct stretch best = { 0 };

        if (s->n_offers == 0)
                return 0;
        list_sort(s->offers, s->n_offers, sizeof s->offers[0], run_by_index);
        _cleanup_(place_deal_freep) struct deal *deal = place_deal_new(s);
        for (size_t from = 0, to; from < s->n_offers; from = to) {
                for (to = from + 1; to < s->n_offers; to++)
                        if (s->offers[to].node->index != s->offers[to - 1].node->index + 1)
                                break;
                look_at_run(s, from, to, required, deal, &best);
        }
        if (best.n == 0)
                return 0;
        size_t n = stretch_extend(s, &best);
        memmove(s->offers, s->offers + best.from, n * sizeof s->offers[0]);
        s->n_offers = n;
        return n;
}
