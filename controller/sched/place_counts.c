/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features with counts: "[a*2&b*3]" takes two nodes that have a and three others that have b.  Each count takes the first
 * offers that it can; where that leaves one short, nodes are passed on: another count gives one that it can do without. */
#include "controller/sched/place_private.h"

#include "controller/core/feature.h"

#define NOBODY SIZE_MAX

struct deal {
        struct search *s;
        size_t *of;    /* per offer: which count has it */
        bool *visited; /* per count: it is being asked for a node */
};

static bool suits(const struct deal *d, size_t count, size_t offer) {
        const struct search *s = d->s;

        return features_is_counted(s->features, count, s->offers[offer].node,
                        s->mode == PLACE_EVER ? FEATURES_EVER : FEATURES_NOW);
}

/* One more offer for it. */
static bool take(struct deal *d, size_t count) {
        d->visited[count] = true;
        for (size_t i = 0; i < d->s->n_offers; i++)
                if (d->of[i] == NOBODY && suits(d, count, i)) {
                        d->of[i] = count;
                        return true;
                }
        for (size_t i = 0; i < d->s->n_offers; i++) {
                size_t other = d->of[i];
                if (other == NOBODY || d->visited[other] || !suits(d, count, i) || !take(d, other))
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

        for (size_t i = 0; i < d->s->n_offers && n < wanted; i++)
                if (d->of[i] == NOBODY && suits(d, count, i)) {
                        d->of[i] = count;
                        n++;
                }
        return n;
}

bool place_count_features(struct search *s) {
        size_t counts = features_counts(s->features);
        _cleanup_free_ size_t *of = xnew(size_t, s->n_offers + 1);
        _cleanup_free_ bool *visited = xnew0(bool, counts + 1);
        struct deal d = { s, of, visited };

        for (size_t i = 0; i < s->n_offers; i++)
                of[i] = NOBODY;
        for (size_t k = 0; k < counts; k++)
                for (uint32_t n = take_first(&d, k, features_count(s->features, k)); n < features_count(s->features, k); n++) {
                        memset(visited, 0, counts * sizeof visited[0]);
                        if (!take(&d, k))
                                return false;
                }
        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].required |= of[i] != NOBODY;
        place_partition(s, 0, is_required);
        return true;
}
