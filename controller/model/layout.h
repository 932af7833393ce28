/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/layout.h - layout of tasks: numbers and ranks of tasks on each node */
#pragma once

#include "lib/base.h"

#define LAYOUT_PACKED UINT32_MAX

struct job;

/* True with --distribution=arbitrary: req_nodes lists the node of each task, with repetitions. */
bool layout_is_listed(const struct job *j);

/* Distributes tasks over n nodes, at most room[i] on each (NULL: unlimited), in rounds of chunk
   tasks (0: one) per node, but so that the last nodes get a task too.  LAYOUT_PACKED: a task for
   each node, then the first node is filled, then the second, and so on.  Returns false if the tasks
   exceed room.  With over, returns true: the excess is distributed beyond room, or, with chunks,
   all tasks are. */
bool layout_tasks(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk, bool over,
                uint32_t *ret_count);
/* Returns the global ranks of all tasks: count[0] ranks of the first node, count[1] of the second,
   and so on.  Ranks of a node are consecutive, or, with chunk, distributed in rounds of chunk.  The
   caller frees the array. */
uint32_t *layout_ranks(const uint32_t *count, size_t n, uint32_t chunk);
/* Like layout_ranks(), from the node of each task in place. */
uint32_t *layout_ranks_at(const uint32_t *place, uint32_t tasks, const uint32_t *count, size_t n);
/* PMI_process_mapping of the ranks from layout_ranks(): "(vector,(0,2,4),...)" is 4 ranks on each
   of 2 nodes from node 0, and so on; the list repeats for further ranks.  The caller frees the
   text. */
char *layout_mapping(const uint32_t *ranks, const uint32_t *count, size_t n);
/* "2(x3),1": tasks per node.  The caller frees the text. */
char *layout_text(const uint32_t *count, size_t n);
