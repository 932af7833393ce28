/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_shape.h - what a step asks of each of its nodes, compared with what its
 * job has there: CPUs, sockets, cores, threads, temporary disk */
#pragma once

#include "controller/model/job.h"
#include "proto/slumber.pb-c.h"

/* The job has at place at of j->placed.alloc what s asks of a node: --mincpus, --sockets-per-node,
   --cores-per-socket,
   --threads-per-core, --tmp. */
bool step_shape_fits(const struct job *j, const Slumber__StepSpec *s, size_t at);
/* Threads of a core that the job may use there. */
uint32_t step_threads(const struct job *j, size_t at);
/* How many of s's tasks so many of the job's CPUs there can hold, by --cpus-per-task,
   --threads-per-core,
   --ntasks-per-core and --ntasks-per-socket. */
uint32_t step_tasks_in(const struct job *j, const Slumber__StepSpec *s, size_t at, uint32_t cpus);
/* How many of them may be there by --ntasks-per-core and --ntasks-per-socket alone; UINT32_MAX:
 * any.
 */
uint32_t step_tasks_allowed(const struct job *j, const Slumber__StepSpec *s, size_t at,
                uint32_t cpus);
/* CPUs of the job there that so many tasks may use, even if other steps have them. */
uint32_t step_cpus(const struct job *j, const Slumber__StepSpec *s, size_t at, uint32_t tasks);
