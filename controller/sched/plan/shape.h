/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/shape.h - what jobs ask of a node, whatever the number of nodes: which
 * nodes could serve the jobs
 *
 * Many pending jobs share few shapes. A shape records where its jobs did not fit, so that a
 * larger or longer job is not tried there again. */
#pragma once

#include "controller/preempt/request.h"
#include "controller/sched/place/place.h"

struct failure { /* `count` nodes for `duration` were not free before `before` */
        uint32_t count;
        usec_t duration, before;
        usec_t sound; /* no room before this time has become free since */
};

struct refusal {
        uint32_t count, most, tasks;
        usec_t duration;
};

enum refused {
        REFUSED_IN_PART,      /* a start now on nodes in partial use */
        REFUSED_BY_FORCE,     /* a start now by preemption */
        REFUSED_AFTER_EXEMPT, /* a start by preemption when PreemptExemptTime is over (exempt.c) */
        REFUSED_MAX,
};

struct shape {
        struct request ask; /* the request on each node */
        /* features_moment of the cluster for the members below; 0: they do not depend on
           features */
        uint64_t features_moment;
        struct bitset *nodes; /* nodes that could hold a task if empty */
        uint32_t least, most; /* least and most tasks on a node */
        uint32_t *tasks;      /* tasks on each node; NULL: the same number on all */
        /* --gpus: gres on each node, and the most of each kind; NULL: not asked for */
        struct gres_parts *gres, most_gres;
        uint32_t of_one; /* place_capacity_of_one() */
        bool whole;      /* the job has whole nodes */
        /* place_goes_by_numbers(): the rest of a node is free for further jobs */
        bool numbers;
        /* one of the nodes, if all are of one build; NULL: builds differ */
        const struct node *alike;
        struct failure *failures[2]; /* [0]: on nodes with power; [1]: on all nodes */
        size_t n_failures[2], a_failures[2];
        struct refusals {
                struct refusal *list;
                size_t n, allocated;
                uint64_t at; /* valid as long as the moment of shape_refuse() equals this */
        } refusals[REFUSED_MAX];
};

struct shapes;

struct shapes *shapes_new(void);
struct shapes *shapes_free(struct shapes *s); /* takes NULL, returns NULL */
void shapes_clear(struct shapes *s);          /* nodes or partitions have changed */
/* Returns the shape of j, made if missing; valid until the next call. */
struct shape *shape_of(struct shapes *s, struct cluster *c, const struct job *j);
/* Returns whether nodes may have to serve different parts of the request (heterogeneous nodes):
   then the combination of nodes matters. */
bool shape_mixes(const struct shape *s, const struct job *j);
/* Returns the fewest tasks of the job on each node. */
uint32_t shape_least_tasks(const struct shape *s, const struct job *j);
/* Returns the fewest nodes for the job; UINT32_MAX: more than the shape has. */
uint32_t shape_nodes(const struct shape *s, const struct job *j);

/* Returns the earliest start not ruled out by failures; records a failure. all: on all nodes,
   not only on nodes with power. */
usec_t shape_not_before(const struct shape *s, bool all, uint32_t count, usec_t duration,
                usec_t now);
void shape_failed_before(struct shape *s, bool all, uint32_t count, usec_t duration, usec_t before,
                usec_t now);
/* Notes that room has become free from time from on. */
void shapes_freed(struct shapes *s, usec_t from);
/* Notes that more nodes have power, usable from time from on. */
void shapes_powered(struct shapes *s, usec_t from, usec_t now);
/* Records that j was refused: valid for j and all larger requests while moment is the same. */
void shape_refuse(struct shape *s, enum refused what, const struct job *j, usec_t duration,
                uint64_t moment);
bool shape_is_refused(const struct shape *s, enum refused what, const struct job *j,
                usec_t duration, uint64_t moment);
