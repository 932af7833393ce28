/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/sockets.h - how a node's units lie in sockets, and what of a core a job's
 * tasks use
 *
 * Units are numbered socket by socket. */
#pragma once

#include <stdint.h>

struct job;
struct node;

/* Of equally many units; 1 where the configuration knows of none. */
uint32_t node_sockets(const struct node *n);
/* CPUs of one of n's units that j's tasks run on: all, but for --threads-per-core and
   --ntasks-per-core.  What they do not use no other job gets. */
uint32_t job_threads_used(const struct job *j, const struct node *n);
/* For how many of so many CPUs there --mem-per-cpu counts: the threads that --threads-per-core
   leaves alone need none. */
uint64_t job_memory_cpus(const struct job *j, const struct node *n, uint64_t cpus);
/* How many tasks of so many CPUs each (0: one) the CPUs given to it there can hold. */
uint32_t job_tasks_in(const struct job *j, const struct node *n, uint32_t cpus,
                uint32_t cpus_per_task);
