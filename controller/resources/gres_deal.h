/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/gres_deal.h - what a job wants of all its nodes together (--gpus=4, --gpus=a100:2,v100:1), and their parts of it
 *
 * Each kind is dealt out to the unit, and each node gives one unit at least, of whichever kind.  Where there are enough it gives one
 * of each kind that it has; the first nodes give more. */
#pragma once

#include "lib/base.h"

#define GRES_KINDS_MAX 4 /* each offer of a node tells of all; a cluster has as many types of GPUs, as a rule */

struct gres_wants;

/* What a job wants of all its nodes. */
struct gres_total {
        uint32_t n; /* kinds; 0: nothing */
        uint64_t of[GRES_KINDS_MAX];
};

/* What a node has, or gives, of them; what is beyond the kinds is 0. */
struct gres_parts {
        uint32_t of[GRES_KINDS_MAX];
        uint32_t most; /* of what it has: no more than so many altogether; of what it gives: nothing */
};

/* What some nodes have. */
struct gres_sums {
        uint64_t of[GRES_KINDS_MAX];
};

struct gres_total gres_total_of(const struct gres_wants *w);

static inline uint64_t gres_total_sum(const struct gres_total *t) {
        uint64_t sum = 0;

        for (uint32_t k = 0; k < t->n; k++)
                sum += t->of[k];
        return sum;
}

static inline uint64_t gres_parts_sum(const struct gres_parts *p) {
        uint64_t sum = 0;

        for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                sum += p->of[k];
        return sum;
}

static inline void gres_sums_add(struct gres_sums *s, const struct gres_parts *p) {
        for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                s->of[k] += p->of[k];
}

static inline void gres_sums_minus(struct gres_sums *s, const struct gres_parts *p) {
        for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                s->of[k] -= p->of[k];
}

/* Of each kind there is enough; whether each node has something to give then, gres_deal() says. */
static inline bool gres_sums_do(const struct gres_sums *s, const struct gres_total *t) {
        for (uint32_t k = 0; k < t->n; k++)
                if (s->of[k] < t->of[k])
                        return false;
        return true;
}

/* Of each kind so many at most. */
struct gres_parts gres_parts_upto(const struct gres_parts *p, uint32_t most);
/* The most of one kind. */
uint32_t gres_parts_largest(const struct gres_parts *p);
/* The next of all that a node which has upto can give, *p being one of them, or 0: then the first; false: there is no other. */
bool gres_parts_next(struct gres_parts *p, const struct gres_parts *upto);

/* How many units of a choice of kinds (as bits) some nodes can give: of its own, and no more than each may altogether.  Where that is
   enough for every choice, all can be had of them, were it no matter that some give none (a bottleneck of few nodes would be one of a
   choice of kinds). */
struct gres_reach {
        uint64_t of[1 << GRES_KINDS_MAX];
};
void gres_reach_add(struct gres_reach *r, const struct gres_total *t, const struct gres_parts *has); /* one more node */
/* How many of all kinds they cannot give. */
uint64_t gres_lacking(const struct gres_total *t, const struct gres_reach *r);
/* What each of n nodes gives: least[] of it anyhow (NULL: nothing in particular), then up to first[] (NULL: as above), then up to has[].
   False: they have too little, or are too many, or least[] is; ret is of no use then. */
bool gres_deal(const struct gres_total *t, const struct gres_parts *has, const struct gres_parts *least, const struct gres_parts *first, size_t n,
                struct gres_parts *ret);
