/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_list.h - steps that list the node of each task
 * (--distribution=arbitrary) */
#pragma once

#include "controller/model/job.h"
#include "lib/errors.h"
#include "lib/step/tasklist.h"
#include "proto/slumber.pb-c.h"

/* What a step with this list asks for: nodes, the list's, which is borrowed, and tasks, whatever
   else was asked.  l has a task. */
void step_list_ask(const struct task_list *l, char *nodes, Slumber__StepSpec *spec);
/* The tasks that were listed on each of n places of j->placed.alloc: all nodes of the list, no
   other, in the job's order.  room[]: tasks that fit there now, most[]: were there no other step;
   cpus[]: for which of these there are CPUs: they may be fewer than the tasks, as in Slurm.  Fills
   ret_count[n] and *ret_place, for each task which of the places, which the caller frees.
   SLUMBER_NODES_BUSY: not now. */
enum slumber_error step_list_lay_out(const struct task_list *l, const struct job *j,
                const size_t *at, size_t n, const uint32_t *room, const uint32_t *most,
                const uint32_t *cpus, uint32_t *ret_count, uint32_t **ret_place, struct fail *fail);
