/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/lives/alloc.h - which job holds which units of which node
 *
 * A job that a preemptor stopped keeps its units against its equals and lends them to its betters; one suspended by
 * hand lends them to all; both keep their memory (preemption guide, "memory of suspended jobs"), unless they have been
 * asked to give of it (job_memory.h). */
#pragma once

#include "controller/indexes/yield.h"
#include "controller/model/cluster.h"

/* MB of its memory there that it would not hold: what it could give, and has given. */
uint64_t yield_memory(const struct yield *y, const struct job *v, const struct node *n);

/* ---- which jobs may share: the one place ---- */

/* How many jobs of its partition may hold the units of j at once (the rows): FORCE:n, and YES:n if it asked for it; 1: none but j.
   Without time slices and preemption those of other such partitions may have them too, as many as those say. */
uint32_t alloc_rows(const struct job *j);
/* Their partitions let them hold the same units. */
bool alloc_may_share(const struct cluster *c, const struct job *j, const struct job *v);
/* On n a job holds units that others may have as well. */
bool alloc_has_rows(const struct node *n);
/* j and v hold a common unit on n and must not run at the same time.  Jobs that share do so without time slices (PreemptMode
   without GANG): they share in earnest. */
bool alloc_in_the_way(const struct cluster *c, const struct job *j, const struct job *v, const struct node *n);

/* With CR_CPU, and neither ConstrainCores nor task/affinity, cores belong to no job: jobs that take turns meet where they have
   more CPUs together than the node, on whichever units they were placed. */
bool alloc_counts_cpus(const struct cluster *c);
/* Those of n's jobs for which runs() is true leave j no room there: one of them is in its way, or where CPUs are counted all of them. */
typedef bool alloc_test(const struct cluster *c, const struct job *j, const struct job *w, const struct node *n, void *user);
bool alloc_crowded(const struct cluster *c, const struct job *j, const struct node *n, alloc_test *runs, void *user);

/* Units of n that j cannot have, were it for others than those that yield; shares: those in rows that are not full it can
   have.  set is cleared first, its size is n->units. */
void alloc_blocked(const struct cluster *c, const struct node *n, const struct job *j, const struct yield *y, bool shares,
                struct bitset *set);
/* By how many each unit of n is held, of those that do not yield; depth has n->units. */
void alloc_depths(const struct node *n, const struct job *j, const struct yield *y, uint32_t *depth);
/* MB of n that jobs hold, without those that are gone and what others can give. */
uint64_t alloc_memory(const struct node *n, const struct yield *y);
/* j and v hold a common unit on n. */
bool alloc_overlap(const struct job *j, const struct job *v, const struct node *n);
/* Gives j what its alloc, units and nodes say; takes back one node's part, or all of it. */
void alloc_take(struct cluster *c, struct job *j, usec_t now);
void alloc_release_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* Recounts cpus_used and memory_used after a job on n was suspended or resumed. */
void alloc_recount(struct cluster *c, struct node *n, usec_t now);
