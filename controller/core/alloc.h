/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/alloc.h - who holds which units of which node
 *
 * A job that a preemptor stopped keeps its units against its equals and lends them to its betters; one suspended by
 * hand lends them to everybody; both keep their memory (preemption guide, "memory of suspended jobs"). */
#pragma once

#include "controller/core/cluster.h"

/* Units of n that j cannot have: set is cleared first, its size is n->units.  With preempt, those of jobs that
   j may stop count as free; gone: so do those of these jobs (places in c->active; NULL: of none). */
void alloc_blocked(const struct cluster *c, const struct node *n, const struct job *j, bool preempt,
                const struct bitset *gone, struct bitset *set);
/* MB of n that jobs hold, without those in gone. */
uint64_t alloc_memory(const struct node *n, const struct bitset *gone);
/* j would stop v where they meet. */
bool alloc_may_stop(const struct cluster *c, const struct job *j, const struct job *v);
/* j and v hold a common unit on n. */
bool alloc_overlap(const struct job *j, const struct job *v, const struct node *n);
/* Gives j what its alloc, units and nodes say; takes back one node's part, or all of it. */
void alloc_take(struct cluster *c, struct job *j, usec_t now);
void alloc_release_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* Recounts cpus_used and memory_used after a job on n was suspended or resumed. */
void alloc_recount(struct cluster *c, struct node *n, usec_t now);
