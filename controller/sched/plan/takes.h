/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/takes.h - what a plan takes of each of its nodes: units, memory, generic
 * resources, by number
 *
 * A plan without takes has its nodes, or its parts of nodes (parts.h), as a whole. */
#pragma once

#include "controller/sched/plan/parts.h"

struct take {
        uint32_t units, n_gres, n_parts;
        uint64_t memory;               /* MB */
        const struct node_range *gres; /* from: the item of the node's; n: how many */
        /* where the node has several parts (parts.h), from: which of them; n: units of it */
        const struct node_range *parts;
};

static inline bool plan_goes_by_numbers(const struct job_plan *p) {
        return p->n_takes > 0;
}

/* How many units where has of jn, which is one of its nodes; among: of these alone, NULL: of all.
 */
uint32_t takes_units(const struct placement *where, const struct job_node *jn,
                const struct bitset *among);
/* Adds to p, which may move, what where has of each of its nodes. */
struct job_plan *plan_add_takes(struct job_plan *p, const struct parts *parts,
                const struct placement *where);
/* What p, which has takes, takes of node; it lasts as long as p. */
struct take plan_take_of(const struct job_plan *p, size_t node);
