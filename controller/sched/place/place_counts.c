/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features with counts: "[a*2&b*3]" takes two nodes with a and three other nodes with b: a
 * bipartite matching. Each count takes the first possible offers. If a count lacks an offer,
 * another count hands over a replaceable offer (an augmenting path). */
#include "controller/sched/place/place_private.h"

#include "controller/model/feature.h"

#define NO_COUNT SIZE_MAX

_Static_assert(FEATURES_MAX <= 64, "a mask has all counts");

struct deal {
        const struct search *s;
        size_t from, to;  /* the range of offers */
        uint64_t *suits;  /* suitable counts of each offer, as bits */
        size_t *of;       /* count assigned to each offer, or NO_COUNT */
        uint32_t *lacks;  /* missing offers of each count */
        uint64_t lacking; /* sum of lacks[] */
        uint64_t visited; /* counts on the current path */
};

static uint64_t suitable_counts(const struct search *s, size_t offer) {
        enum features_when when = s->mode == PLACE_EVER ? FEATURES_EVER : FEATURES_NOW;
        uint64_t mask = 0;

        for (size_t k = 0; k < features_counts(s->features); k++)
                mask |= (uint64_t)features_is_counted(s->features, k, s->offers[offer].node, when)
                        << k;
        return mask;
}

struct deal *place_deal_new(const struct search *s) {
        size_t counts = features_counts(s->features);

        if (!counts)
                return NULL;
        struct deal *d = xnew0(struct deal, 1);
        d->s = s;
        d->suits = xnew(uint64_t, s->n_offers + 1);
        d->of = xnew(size_t, s->n_offers + 1);
        d->lacks = xnew(uint32_t, counts);
        for (size_t i = 0; i < s->n_offers; i++)
                d->suits[i] = suitable_counts(s, i);
        place_deal_begin(d, 0);
        return d;
}

struct deal *place_deal_free(struct deal *d) {
        if (d) {
                free(d->suits);
                free(d->of);
                free(d->lacks);
        }
        free(d);
        return NULL;
}

void place_deal_begin(struct deal *d, size_t from) {
        d->from = d->to = from;
        d->lacking = 0;
        for (size_t k = 0; k < features_counts(d->s->features); k++)
                d->lacking += d->lacks[k] = features_count(d->s->features, k);
}

/* Finds a further offer for count. */
static bool count_take(struct deal *d, size_t count) {
        uint64_t bit = (uint64_t)1 << count;

        d->visited |= bit;
        for (size_t i = d->from; i < d->to; i++)
                if (d->of[i] == NO_COUNT && d->suits[i] & bit) {
                        d->of[i] = count;
                        return true;
                }
        for (size_t i = d->from; i < d->to; i++) {
                size_t other = d->of[i];
                if (other == NO_COUNT || !(d->suits[i] & bit) || d->visited >> other & 1 ||
                                !count_take(d, other))
                        continue;
                d->of[i] = count;
                return true;
        }
        return false;
}

static bool count_fill(struct deal *d, size_t count) {
        if (!count_take(d, count))
                return false;
        d->lacks[count]--;
        d->lacking--;
        return true;
}

/* Adding or dropping an offer changes at most one assignment. Counts without a path stay visited
   for the next count. */
static void deal_make_up(struct deal *d) {
        d->visited = 0;
        for (size_t k = 0; d->lacking && k < features_counts(d->s->features); k++)
                if (d->lacks[k] && !(d->visited >> k & 1) && count_fill(d, k))
                        return;
}

void place_deal_add(struct deal *d) {
        size_t i = d->to++;

        d->of[i] = NO_COUNT;
        if (d->suits[i])
                deal_make_up(d);
}

void place_deal_drop(struct deal *d) {
        size_t count = d->of[d->from++];

        if (count == NO_COUNT)
                return;
        d->lacks[count]++;
        d->lacking++;
        deal_make_up(d);
}

bool place_deal_suffices(const struct deal *d) {
        return !d->lacking;
}

static bool deal_offer_required(const struct offer *o) {
        return o->required;
}

/* Takes the first suitable offers, without augmenting paths. */
static void count_take_first(struct deal *d, size_t count) {
        for (size_t i = d->from; i < d->to && d->lacks[count]; i++)
                if (d->of[i] == NO_COUNT && d->suits[i] >> count & 1) {
                        d->of[i] = count;
                        d->lacks[count]--;
                        d->lacking--;
                }
}

bool place_count_features(struct search *s) {
        _cleanup_(place_deal_freep) struct deal *d = place_deal_new(s);

        for (; d->to < s->n_offers; d->to++)
                d->of[d->to] = NO_COUNT;
        for (size_t k = 0; k < features_counts(s->features); k++) {
                count_take_first(d, k);
                for (; d->lacks[k]; d->visited = 0)
                        if (!count_fill(d, k))
                                return false;
        }
        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].required |= d->of[i] != NO_COUNT;
        place_partition(s, 0, deal_offer_required);
        return true;
}
