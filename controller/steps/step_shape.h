/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_shape.h - per-node options of a step compared with the job's resources:
 * CPUs, sockets, cores, threads, temporary disk */
#pragma once

#include "controller/model/job.h"
#include "proto/slumber.pb-c.h"

/* Returns whether the job has, at position at of j->placed.alloc, what s asks of a node: --mincpus,
   --sockets-per-node, --cores-per-socket, --threads-per-core, --tmp. */
bool step_shape_fits(const struct job *j, const Slumber__StepSpec *s, size_t at);
/* Returns how many threads of a core the job may use there. */
uint32_t step_threads(const struct job *j, size_t at);
/* Returns how many tasks of s fit into cpus CPUs of the job there, by --cpus-per-task,
   --threads-per-core, --ntasks-per-core and --ntasks-per-socket. */
uint32_t step_tasks_in(const struct job *j, const Slumber__StepSpec *s, size_t at, uint32_t cpus);
/* Returns how many tasks --ntasks-per-core and --ntasks-per-socket allow there; UINT32_MAX: any. */
uint32_t step_tasks_allowed(const struct job *j, const Slumber__StepSpec *s, size_t at,
                uint32_t cpus);
/* Returns how many CPUs of the job there the tasks may use, even if in use by running steps. */
uint32_t step_cpus(const struct job *j, const Slumber__StepSpec *s, size_t at, uint32_t tasks);
