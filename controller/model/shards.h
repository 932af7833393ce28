/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/shards.h - gres/shard: parts of GPUs, which jobs share
 *
 * The shards of a node are numbered GPU by GPU, and held as any other units are (model/gres.h);
 * what is theirs alone: a job's shards on a node are all of one GPU, the first that has so many,
 * and a GPU and its shards are not given out at the same time. */
#pragma once

#include "controller/model/gres.h"

struct gres_device;

/* From devices of g's node, which are in the order of its items: g's shards of each GPU. No-op for
   anything else. */
void shards_configure(struct node_gres *g, const struct gres_device *device);
/* The most that are not in taken (NULL: nothing is) on one GPU. */
uint64_t shards_most(const struct node_gres *g, const struct bitset *taken);
/* The same, the most on one GPU of each side: left[] is raised to it. */
void shards_most_by_side(const struct node_gres *g, const struct bitset *taken,
                uint64_t left[GRES_SIDES_MAX]);
/* Leaves those of one GPU alone, of the first that has count of them (of same's if that is not
   NULL); else all are taken. */
void shards_leave_one_gpu(const struct node_gres *g, uint64_t count, const struct bitset *same,
                struct bitset *taken);
/* What of an item of n is not free because of that share of another item: shards of a GPU that it
   has, or the GPU of its shards.  Added to taken, which is of the item's size. */
void shards_add_crossed(const struct node *n, uint32_t item, const struct gres_share *share,
                struct bitset *taken);
/* Does one of them have a GPU, and the other one shards of it? */
bool shards_cross(const struct node *n, const struct gres_share *a, const struct gres_share *b);
/* "2/4,0/4": of each GPU with shards how many of its units are among those; the caller frees. */
char *shards_text(const struct node_gres *g, const struct bitset *units);
