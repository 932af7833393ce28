/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/sockets.h - the sockets of a node's units, and the threads used by a job's tasks
 *
 * Units are numbered socket by socket. */
#pragma once

#include <stdint.h>

struct job;
struct node;

/* The number of sockets, all with equal numbers of units; 1 if none are configured. */
uint32_t node_sockets(const struct node *n);
/* CPUs of a unit of n used by j's tasks: all, unless reduced by --threads-per-core or
   --ntasks-per-core.  No job gets the unused CPUs. */
uint32_t job_threads_used(const struct job *j, const struct node *n);
/* The number of CPUs that --mem-per-cpu counts: excludes threads unused because of
   --threads-per-core. */
uint64_t job_memory_cpus(const struct job *j, const struct node *n, uint64_t cpus);
/* The number of tasks with cpus_per_task CPUs (0: one) fitting in j's CPUs on n. */
uint32_t job_tasks_in(const struct job *j, const struct node *n, uint32_t cpus,
                uint32_t cpus_per_task);
