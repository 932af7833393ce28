/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/spec.h - cores and memory of a node reserved for the system
 *
 * Slurm's core specialization: CoreSpecCount, CpuSpecList and MemSpecLimit of the node.  With
 * AllowSpecResourcesUsage a job may set the number of cores (--core-spec, --thread-spec) on nodes
 * which the job then has alone.  Cores are units of the node; a thread reserves its whole core. */
#pragma once

#include "lib/bitset.h"

struct config_node;
struct job;
struct job_node;
struct node;

/* Sets the reserved units from the configuration, after the node's units are known; jobs holding
   such cores keep them.  first: SchedulerParameters=spec_cores_first. */
void node_set_spec(struct node *n, const struct config_node *from, bool first);
/* Adds the units unavailable to jobs. */
void node_add_spec(const struct node *n, struct bitset *set);
/* The CPUs of the reserved units in slurm.conf's numbering, "6-7,12-15"; the caller frees the
   text. */
char *node_spec_text(const struct node *n);
/* CPUs, and memory in MB, of n available to jobs. */
uint32_t node_job_cpus(const struct node *n);
uint64_t node_job_memory(const struct node *n);
/* Computes cpus_used from units_used, within the CPUs available to jobs. */
void node_count_used(struct node *n);
/* The number of units of n left for j after j's own reservation, ... */
uint32_t job_units_on(const struct job *j, const struct node *n);
/* ... and the units reserved by j, added to set. */
void job_add_spec(const struct job *j, const struct node *n, struct bitset *set);
/* Maximum of CPUs available to j on a node of the partition; examines no node. */
uint32_t job_most_cpus(const struct job *j);
/* True with --core-spec or --thread-spec: no other job gets a unit of j's nodes. */
bool job_has_spec(const struct job *j);
/* ---- units held by a job on jn's node: given units, or all if the job has such cores ---- */

/* The first unit at or after from; SIZE_MAX: none. */
size_t job_next_unit(const struct job *j, const struct job_node *jn, size_t from);
#define job_for_each_unit(i, j, jn)                                                                \
        for (size_t i = job_next_unit((j), (jn), 0); i != SIZE_MAX;                                \
                        i = job_next_unit((j), (jn), i + 1))
/* Adds the units to set, which has a bit for each unit of the node. */
void job_add_units(const struct job *j, const struct job_node *jn, struct bitset *set);
/* True if a held unit is in set, with the node's units starting at bit at. */
bool job_meets(const struct job *j, const struct job_node *jn, const struct bitset *set, size_t at);
/* True if both jobs hold a common unit; a and b are on the same node. */
bool job_units_meet(const struct job *j, const struct job_node *a, const struct job *v,
                const struct job_node *b);
