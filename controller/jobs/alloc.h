/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/alloc.h - which job holds which units of which node
 *
 * A job suspended for a preemptor lends units only to jobs allowed to preempt the job; a job
 * suspended by hand lends units to all jobs. Both keep memory (preemption guide, "memory of
 * suspended jobs"), except memory given on request (job_memory.h). */
#pragma once

#include "controller/indexes/yield.h"
#include "controller/model/cluster.h"

/* Returns the MB of v's memory on n not counted by y: the part v could give, plus the part given
   already; 0 if y does not ask v for memory. */
uint64_t yield_memory(const struct yield *y, const struct job *v, const struct node *n);

/* ---- which jobs may share units: decided here only ---- */

/* Returns how many jobs of j's partition may hold j's units at once: n with OverSubscribe=FORCE:n,
   and with YES:n if j asks for --oversubscribe; else 1. Without time slices and preemption, jobs of
   other sharing partitions count, too. */
uint32_t alloc_rows(const struct job *j);
/* Returns whether the partitions of j and v allow both jobs to hold the same units. */
bool alloc_may_share(const struct cluster *c, const struct job *j, const struct job *v);
/* Returns whether a job on n holds units that other jobs may share. */
bool alloc_has_rows(const struct node *n);
/* Returns whether j and v hold a common unit on n and must not run at the same time. Without time
   slices (PreemptMode without GANG) jobs that share units run at the same time. */
bool alloc_in_the_way(const struct cluster *c, const struct job *j, const struct job *v,
                const struct node *n);

/* Returns whether gang scheduling counts CPUs instead of units (CR_CPU, neither ConstrainCores nor
   task/affinity): jobs take turns if together they have more CPUs than the node. */
bool alloc_counts_cpus(const struct cluster *c);
/* Returns whether the jobs w on n accepted by runs(..., user) leave j no room: a job w conflicts
   with j or, with counted CPUs, j and all jobs w together exceed the node. */
typedef bool alloc_test(const struct cluster *c, const struct job *j, const struct job *w,
                const struct node *n, void *user);
bool alloc_crowded(const struct cluster *c, const struct job *j, const struct node *n,
                alloc_test *runs, void *user);

/* Sets set to the units of n blocked for j by jobs not yielding. With shares, units with a free row
   are not in set. set has n->units bits and is cleared first. */
void alloc_blocked(const struct cluster *c, const struct node *n, const struct job *j,
                const struct yield *y, bool shares, struct bitset *set);
/* Counts for each unit of n the jobs not yielding; depth has n->units entries. */
void alloc_depths(const struct node *n, const struct job *j, const struct yield *y,
                uint32_t *depth);
/* Returns the MB of n that jobs hold, without jobs in y->gone and without memory to be given by
   jobs in y->give. */
uint64_t alloc_memory(const struct node *n, const struct yield *y);
/* Returns whether j and v hold a common unit on n. */
bool alloc_overlap(const struct job *j, const struct job *v, const struct node *n);
/* alloc_take() puts j on the nodes of j->placed.alloc. alloc_release_node() releases j's part of
   one node; a second call changes nothing. */
void alloc_take(struct cluster *c, struct job *j, usec_t now);
void alloc_release_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* Recounts n's used units, memory and gres (node.h), for instance after a job on n was suspended or
   resumed. */
void alloc_recount(struct cluster *c, struct node *n, usec_t now);
