/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/shape.h - what jobs ask of a node, whatever their number of nodes: which
 * nodes could serve them
 *
 * Many pending jobs are of few shapes.  With each goes what is known about where such jobs did not
 * fit, so that a larger or longer one is not tried there again. */
#pragma once

#include "controller/preempt/request.h"
#include "controller/sched/place/place.h"

struct failure { /* so many nodes for so long were not free before */
        uint32_t count;
        usec_t duration, before;
        usec_t sound; /* nothing has become free before this since */
};

struct refusal {
        uint32_t count, most, tasks;
        usec_t duration;
};

enum refused {
        REFUSED_IN_PART,      /* to start now on nodes in part use */
        REFUSED_BY_FORCE,     /* to start now by stopping others */
        REFUSED_AFTER_EXEMPT, /* ... when PreemptExemptTime is over (exempt.c) */
        REFUSED_MAX,
};

struct shape {
        struct request ask; /* of each node */
        /* of the cluster, when the following was found; 0: it does not depend on it */
        uint64_t features_moment;
        struct bitset *nodes; /* that could hold a task, were they empty */
        uint32_t least, most; /* tasks on one of them */
        uint32_t *tasks;      /* on each node, where least is not most; else NULL */
        /* --gpus: how many each node has, the most of each kind; NULL: not asked for */
        struct gres_parts *gres, most_gres;
        uint32_t of_one;             /* place_capacity_of_one() */
        bool whole;                  /* has its nodes for itself */
        bool numbers;                /* place_goes_by_numbers(): the rest is for others */
        const struct node *alike;    /* one of its nodes, built as all of them; NULL: they differ */
        struct failure *failures[2]; /* on nodes that have power; on all */
        size_t n_failures[2], a_failures[2];
        struct refusals {
                struct refusal *list;
                size_t n, allocated;
                uint64_t at; /* they hold as long as moment of shape_refuse() is this */
        } refusals[REFUSED_MAX];
};

struct shapes;

struct shapes *shapes_new(void);
struct shapes *shapes_free(struct shapes *s); /* takes NULL, returns NULL */
void shapes_clear(struct shapes *s);          /* nodes or partitions have changed */
/* j's; it lasts until the next call. */
struct shape *shape_of(struct shapes *s, struct cluster *c, const struct job *j);
/* Nodes may have to give different parts of what it asks for altogether: which come together
   matters then. */
bool shape_mixes(const struct shape *s, const struct job *j);
/* The fewest tasks that it has on each of its nodes. */
uint32_t shape_least_tasks(const struct shape *s, const struct job *j);
/* The fewest nodes that it needs; more than there are: UINT32_MAX. */
uint32_t shape_nodes(const struct shape *s, const struct job *j);

/* The earliest start worth a look; and what was found. */
usec_t shape_not_before(const struct shape *s, bool all, uint32_t count, usec_t duration,
                usec_t now);
void shape_failed_before(struct shape *s, bool all, uint32_t count, usec_t duration, usec_t before,
                usec_t now);
/* Something is free from then on that was not. */
void shapes_freed(struct shapes *s, usec_t from);
/* More nodes have power, and can be had with it from then on. */
void shapes_powered(struct shapes *s, usec_t from, usec_t now);
/* It could not be done; true of j and of all that ask for more, as long as moment is the same. */
void shape_refuse(struct shape *s, enum refused what, const struct job *j, usec_t duration,
                uint64_t moment);
bool shape_is_refused(const struct shape *s, enum refused what, const struct job *j,
                usec_t duration, uint64_t moment);
