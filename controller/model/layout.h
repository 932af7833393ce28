/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/layout.h - tasks over nodes: how many on each, and which ranks */
#pragma once

#include "lib/base.h"

#define LAYOUT_PACKED UINT32_MAX

struct job;

/* --distribution=arbitrary: the job's req_nodes has the node of each task, names repeated. */
bool layout_is_listed(const struct job *j);

/* Deals tasks out over n nodes, each at most room[i] (NULL: any number), chunk (0: one) to each in
   turn until none is left, but so that the last ones have one too; LAYOUT_PACKED: each gets one,
   then the first is filled, and so on.  false: they do not all fit (if over is true all fit: the
   rest is dealt out beyond room, or, where there are chunks, all of them). */
bool layout_tasks(const uint32_t *room, size_t n, uint32_t tasks, uint32_t chunk, bool over,
                uint32_t *ret_count);
/* Global ranks of all tasks, count[0] of the first node, then count[1] of the second, and so on:
   those of a node in a row, or (chunk) so many to each node in turn; the caller frees. */
uint32_t *layout_ranks(const uint32_t *count, size_t n, uint32_t chunk);
/* Likewise where place has for each of the tasks the node. */
uint32_t *layout_ranks_at(const uint32_t *place, uint32_t tasks, const uint32_t *count, size_t n);
/* "(vector,(0,2,4),...)", as PMI_process_mapping says where ranks are, which are those of
   layout_ranks(): 4 on each of 2 nodes from node 0, and so on, again from the beginning when more
   are left; the caller frees. */
char *layout_mapping(const uint32_t *ranks, const uint32_t *count, size_t n);
/* "2(x3),1"; the caller frees. */
char *layout_text(const uint32_t *count, size_t n);
