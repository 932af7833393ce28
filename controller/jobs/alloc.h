/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/alloc.h - which job holds which units of which node
 *
 * A job that is suspended for a preemptor lends its units only to jobs that may preempt it; one
 * suspended by hand lends them to all.  Both keep their memory (preemption guide, "memory of
 * suspended jobs"), except what they have been asked for (job_memory.h). */
#pragma once

#include "controller/indexes/yield.h"
#include "controller/model/cluster.h"

/* MB of v's memory on n that y does not count: what v could give, and has given. */
uint64_t yield_memory(const struct yield *y, const struct job *v, const struct node *n);

/* ---- which jobs may share: the one place ---- */

/* The rows of j: how many jobs of its partition may hold its units at once: FORCE:n, and YES:n with
   --oversubscribe; 1: only j. Without time slices and preemption jobs of other such partitions may
   share them, too, as many as these allow. */
uint32_t alloc_rows(const struct job *j);
/* Their partitions allow j and v to hold the same units. */
bool alloc_may_share(const struct cluster *c, const struct job *j, const struct job *v);
/* A job on n holds units that others may share. */
bool alloc_has_rows(const struct node *n);
/* j and v hold a common unit on n and must not run at the same time.  Without time slices
   (PreemptMode without GANG) jobs that share run at the same time. */
bool alloc_in_the_way(const struct cluster *c, const struct job *j, const struct job *v,
                const struct node *n);

/* With CR_CPU, and neither ConstrainCores nor task/affinity, CPUs are counted instead of units:
   jobs take turns where they have more CPUs together than the node. */
bool alloc_counts_cpus(const struct cluster *c);
/* n's jobs with runs() leave j no room: one of them conflicts with it, or with counted CPUs all of
   them together. */
typedef bool alloc_test(const struct cluster *c, const struct job *j, const struct job *w,
                const struct node *n, void *user);
bool alloc_crowded(const struct cluster *c, const struct job *j, const struct node *n,
                alloc_test *runs, void *user);

/* Sets set to the units of n that j cannot get because of jobs that do not yield; shares: units
   with a free row are allowed. set has n->units bits and is cleared first. */
void alloc_blocked(const struct cluster *c, const struct node *n, const struct job *j,
                const struct yield *y, bool shares, struct bitset *set);
/* For each unit of n the number of its jobs that do not yield; depth has n->units entries. */
void alloc_depths(const struct node *n, const struct job *j, const struct yield *y,
                uint32_t *depth);
/* MB of n held by jobs, without gone ones and without what others can give. */
uint64_t alloc_memory(const struct node *n, const struct yield *y);
/* j and v hold a common unit on n. */
bool alloc_overlap(const struct job *j, const struct job *v, const struct node *n);
/* Allocates to j its alloc, units and nodes; releases the part of one node, or all of it. */
void alloc_take(struct cluster *c, struct job *j, usec_t now);
void alloc_release_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* Recounts n's used units and memory (node.h) after a job on n was suspended or resumed. */
void alloc_recount(struct cluster *c, struct node *n, usec_t now);
