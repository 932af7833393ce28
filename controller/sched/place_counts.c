/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features with counts: "[a*2&b*3]" takes two nodes that have a and three others that have b.  Each count takes the first
 * offers that it can; where that leaves one short, nodes are passed on: another count gives one that it can do without. */
#include "controller/sched/place_private.h"

#include "controller/core/feature.h"

#define NOBODY SIZE_MAX

struct deal {
        const struct search *s;
        size_t from, to; /* of these offers */
        size_t *of;    /* per offer: which count has it */
        bool *visited; /* per count: it is being asked for a node */
};

bool place_suits_count(const struct search *s, size_t count, size_t offer) {
        return features_is_counted(s->features, count, s->offers[offer].node,
                        s->mode == PLACE_EVER ? FEATURES_EVER : FEATURES_NOW);
}

/* One more offer for it. */
static bool take(struct deal *d, size_t count) {
        d->visited[count] = true;
        for (size_t i = d->from; i < d->to; i++)
                if (d->of[i] == NOBODY && place_suits_count(d->s, count, i)) {
                        d->of[i] = count;
                        return true;
                }
        for (size_t i = d->from; i < d->to; i++) {
                size_t other = d->of[i];
                if (other == NOBODY || d->visited[other] || !place_suits_count(d->s, count, i) || !take(d, other))
                        continue;
                d->of[i] = count;
                return true;
        }
        return false;
}

static bool is_required(const struct offer *o) {
        return o->required;
}

/* How many of its nodes a count gets at the first go. */
static uint32_t take_first(struct deal *d, size_t count, uint32_t wanted) {
        uint32_t n = 0;

        for (size_t i = d->from; i < d->to && n < wanted; i++)
                if (d->of[i] == NOBODY && place_suits_count(d->s, count, i)) {
                        d->of[i] = count;
                        n++;
                }
        return n;
}

static bool deal(struct deal *d, bool *visited) {
        size_t counts = features_counts(d->s->features);

        d->visited = visited;
        for (size_t i = d->from; i < d->to; i++)
                d->of[i] = NOBODY;
        for (size_t k = 0; k < counts; k++) {
                uint32_t wanted = features_count(d->s->features, k);
                for (uint32_t n = take_first(d, k, wanted); n < wanted; n++) {
                        memset(visited, 0, counts * sizeof visited[0]);
                        if (!take(d, k))
                                return false;
                }
        }
        return true;
}

bool place_counts_suffice(const struct search *s, size_t from, size_t to) {
        _cleanup_free_ size_t *of = xnew(size_t, s->n_offers + 1);
        _cleanup_free_ bool *visited = xnew0(bool, features_counts(s->features) + 1);

        return deal(&(struct deal){ .s = s, .from = from, .to = to, .of = of }, visited);
}

bool place_count_features(struct search *s) {
        _cleanup_free_ size_t *of = xnew(size_t, s->n_offers + 1);
        _cleanup_free_ bool *visited = xnew0(bool, features_counts(s->features) + 1);

        if (!deal(&(struct deal){ .s = s, .to = s->n_offers, .of = of }, visited))
                return false;
        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].required |= of[i] != NOBODY;
        place_partition(s, 0, is_required);
        return true;
}
