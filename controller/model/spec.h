/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/spec.h - cores and memory of a node that are kept for the system
 *
 * Slurm's core specialization: CoreSpecCount, CpuSpecList and MemSpecLimit of the node; with
 * AllowSpecResourcesUsage a job may say how many cores instead (--core-spec, --thread-spec), on
 * nodes that it then has alone. Cores are units of the node; a thread keeps its whole core. */
#pragma once

#include "lib/bitset.h"

struct config_node;
struct job;
struct job_node;
struct node;

/* Of the configuration, after the node's units are known; jobs that have such cores keep them.
   first: SchedulerParameters has spec_cores_first. */
void node_set_spec(struct node *n, const struct config_node *from, bool first);
/* Adds the units that jobs do not get. */
void node_add_spec(const struct node *n, struct bitset *set);
/* Their CPUs, "6-7,12-15", as slurm.conf numbers them; the caller frees. */
char *node_spec_text(const struct node *n);
/* What jobs may have of it: CPUs, and MB. */
uint32_t node_job_cpus(const struct node *n);
uint64_t node_job_memory(const struct node *n);
/* cpus_used by units_used, of what jobs may have. */
void node_count_used(struct node *n);
/* Its units that are kept from j in particular: how many there are left for it, ... */
uint32_t job_units_on(const struct job *j, const struct node *n);
/* ... and which ones are kept, added to set. */
void job_add_spec(const struct job *j, const struct node *n, struct bitset *set);
/* CPUs that j gets of one node of its partition at most; no node is looked at. */
uint32_t job_most_cpus(const struct job *j);
/* It says itself what is kept: no other job gets any unit of its nodes. */
bool job_has_spec(const struct job *j);
/* ---- units that a job holds on jn's node: its own, or all where it has such cores ---- */

/* The first at or after from; SIZE_MAX where there is none. */
size_t job_next_unit(const struct job *j, const struct job_node *jn, size_t from);
#define job_for_each_unit(i, j, jn)                                                                \
        for (size_t i = job_next_unit((j), (jn), 0); i != SIZE_MAX;                                \
                        i = job_next_unit((j), (jn), i + 1))
/* Adds them to set, which has a bit for each unit of the node. */
void job_add_units(const struct job *j, const struct job_node *jn, struct bitset *set);
/* One of them is in set at its place from at on. */
bool job_meets(const struct job *j, const struct job_node *jn, const struct bitset *set, size_t at);
/* Both jobs hold one of them; a and b are of the same node. */
bool job_units_meet(const struct job *j, const struct job_node *a, const struct job *v,
                const struct job_node *b);
