/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/alloc.h - who holds which units of which node
 *
 * A job that a preemptor stopped keeps its units against its equals and lends them to its betters; one suspended by
 * hand lends them to everybody; both keep their memory (preemption guide, "memory of suspended jobs"). */
#pragma once

#include "controller/core/cluster.h"

/* Jobs that are looked past, by their places in c->active; NULL: none are. */
struct yield {
        const struct bitset *gone; /* they hold nothing any more: ended */
        const struct bitset *lent; /* they hold their memory alone: suspended for somebody */
};
bool yield_gone(const struct yield *y, const struct job *v);
bool yield_units(const struct yield *y, const struct job *v); /* gone or lent */

/* Units of n that j cannot have, were it for others than those who yield: set is cleared first, its size is n->units. */
void alloc_blocked(const struct node *n, const struct job *j, const struct yield *y, struct bitset *set);
/* MB of n that jobs hold, without those that are gone. */
uint64_t alloc_memory(const struct node *n, const struct yield *y);
/* j and v hold a common unit on n. */
bool alloc_overlap(const struct job *j, const struct job *v, const struct node *n);
/* Gives j what its alloc, units and nodes say; takes back one node's part, or all of it. */
void alloc_take(struct cluster *c, struct job *j, usec_t now);
void alloc_release_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* Recounts cpus_used and memory_used after a job on n was suspended or resumed. */
void alloc_recount(struct cluster *c, struct node *n, usec_t now);
