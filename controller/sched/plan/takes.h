/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/takes.h - what a plan takes of each of its nodes: units, memory, generic
 * resources, by number
 *
 * A plan without takes has its nodes, or its parts of nodes (parts.h), as a whole. */
#pragma once

#include "controller/sched/place/place.h"

struct take {
        uint32_t units, n_gres;
        uint64_t memory;               /* MB */
        const struct node_range *gres; /* from: the item of the node's; n: how many */
};

static inline bool plan_goes_by_numbers(const struct job_plan *p) {
        return p->n_takes > 0;
}

/* Adds to p, which may move, what where has of each of its nodes. */
struct job_plan *plan_add_takes(struct job_plan *p, const struct placement *where);
/* What p, which has takes, takes of node; it lasts as long as p. */
struct take plan_take_of(const struct job_plan *p, size_t node);
