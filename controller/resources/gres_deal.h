/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/gres_deal.h - splits a request for all nodes together (--gpus=4,
 * --gpus=a100:2,v100:1) into parts of the nodes
 *
 * The parts add up to the request of each kind exactly, and each node gives at least one unit of
 * any kind.  If possible a node gives one unit of each kind that the node has; the first nodes give
 * more. */
#pragma once

#include "lib/base.h"

/* Each node's offer has an entry per kind; usually the number of GPU types of a cluster. */
#define GRES_KINDS_MAX 4

/* A request for one name and type. */
struct gres_want {
        char *name, *type; /* type NULL: any */
        uint64_t per_node, per_task;
        uint32_t sharers; /* tasks sharing per_task: --ntasks-per-gpu, else 1 */
        uint64_t per_job; /* for all nodes together */
        uint32_t of_job;  /* index among the wants with per_job */
};

struct gres_wants {
        size_t n;
        struct gres_want list[];
};

/* The request for all nodes together. */
struct gres_total {
        uint32_t n; /* number of kinds; 0: no request */
        uint64_t of[GRES_KINDS_MAX];
};

/* Units of each kind that a node has, or gives; entries beyond the kinds are 0. */
struct gres_parts {
        uint32_t of[GRES_KINDS_MAX];
        uint32_t most; /* maximum of all kinds together, for available units */
};

/* Units of several nodes. */
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

/* Returns whether s has enough of each kind; gres_deal() decides whether each node can give a
   unit. */
static inline bool gres_sums_do(const struct gres_sums *s, const struct gres_total *t) {
        for (uint32_t k = 0; k < t->n; k++)
                if (s->of[k] < t->of[k])
                        return false;
        return true;
}

/* Returns p with at most `most` of each kind. */
struct gres_parts gres_parts_upto(const struct gres_parts *p, uint32_t most);
/* Returns the largest number of any kind. */
uint32_t gres_parts_largest(const struct gres_parts *p);
/* Advances *p (initially 0) in an enumeration of all parts that a node with upto can give; false:
   no more. */
bool gres_parts_next(struct gres_parts *p, const struct gres_parts *upto);

/* The units of each set of kinds (as bits) that some nodes can give, limited by each
   node's maximum.  If the units are enough for every set, the nodes can give all kinds, apart from
   the rule of one unit per node (a max-flow min-cut argument). */
struct gres_reach {
        uint64_t of[1 << GRES_KINDS_MAX];
};
/* Adds a node to the sums. */
void gres_reach_add(struct gres_reach *r, const struct gres_total *t, const struct gres_parts *has);
/* Returns the number of units that the nodes cannot give. */
uint64_t gres_lacking(const struct gres_total *t, const struct gres_reach *r);
/* Sets the part of each of n nodes: at least least[] (NULL: no minimum), then up to first[] (NULL:
   none), then up to has[].  False: the nodes have too little, or the number of nodes or least[] is
   too large; ret is undefined then. */
bool gres_deal(const struct gres_total *t, const struct gres_parts *has,
                const struct gres_parts *least, const struct gres_parts *first, size_t n,
                struct gres_parts *ret);
