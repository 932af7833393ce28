/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/takes.h - the amounts that a plan takes of each node: units, memory,
 * generic resources
 *
 * A plan without takes has nodes, or parts of nodes (parts.h), as a whole. */
#pragma once

#include "controller/sched/plan/parts.h"

struct take {
        uint32_t units, n_gres, n_parts;
        uint64_t memory;               /* MB */
        const struct node_range *gres; /* from: index in the node's gres items; n: amount */
        /* nodes with several parts (parts.h): from: index of a part, n: units of the part */
        const struct node_range *parts;
};

static inline bool plan_goes_by_numbers(const struct job_plan *p) {
        return p->n_takes > 0;
}

/* Returns how many units of the node of jn the placement has; among: counts only these units,
   NULL: all. */
uint32_t takes_units(const struct placement *where, const struct job_node *jn,
                const struct bitset *among);
/* Adds the amounts on each node of where to p, which may be moved; returns p. */
struct job_plan *plan_add_takes(struct job_plan *p, const struct parts *parts,
                const struct placement *where);
/* Returns the amounts that p takes of node; p must have takes; valid as long as p. */
struct take plan_take_of(const struct job_plan *p, size_t node);
