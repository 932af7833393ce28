/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_list.h - steps that list the node of each task
 * (--distribution=arbitrary) */
#pragma once

#include "controller/model/job.h"
#include "lib/errors.h"
#include "lib/step/tasklist.h"
#include "proto/slumber.pb-c.h"

/* Replaces the node and task options of spec by the list l of at least one task. nodes: text of the
   list, borrowed by spec. */
void step_list_ask(const struct task_list *l, char *nodes, Slumber__StepSpec *spec);
/* Lays listed tasks out on n positions of j->placed.alloc: exactly the nodes of the list, in the
   job's order. room[]: tasks fitting now; most[]: as if no step ran; cpus[]: tasks with CPUs,
   perhaps fewer, as in Slurm. Fills ret_count[n] and *ret_place, the index of each task's position;
   the caller frees *ret_place. SLUMBER_NODES_BUSY: not now. */
enum slumber_error step_list_lay_out(const struct task_list *l, const struct job *j,
                const size_t *at, size_t n, const uint32_t *room, const uint32_t *most,
                const uint32_t *cpus, uint32_t *ret_count, uint32_t **ret_place, struct fail *fail);
