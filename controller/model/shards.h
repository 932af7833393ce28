/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/shards.h - gres/shard: parts of GPUs shared by jobs
 *
 * The shards of a node are numbered GPU by GPU, and held like all units (model/gres.h), with two
 * special rules: a job's shards on a node are all on a single GPU, the first with enough free
 * shards; and a GPU is never given out together with its own shards. */
#pragma once

#include "controller/model/gres.h"

struct gres_device;

/* Sets g's shards of each GPU from the devices of g's node, which are in the order of the items.
   No-op unless g is gres/shard. */
void shards_configure(struct node_gres *g, const struct gres_device *device);
/* The maximum of shards outside taken (NULL: nothing taken) on a single GPU. */
uint64_t shards_most(const struct node_gres *g, const struct bitset *taken);
/* Raises left[] to the maximum on a single GPU of each side. */
void shards_most_by_side(const struct node_gres *g, const struct bitset *taken,
                uint64_t left[GRES_SIDES_MAX]);
/* Adds to taken all shards but those of a single GPU: the first with count shards free (if same is
   not NULL: the GPU of same).  Without such a GPU, all shards are taken. */
void shards_leave_one_gpu(const struct node_gres *g, uint64_t count, const struct bitset *same,
                struct bitset *taken);
/* Adds to taken the units of item that are blocked by a share of a different item: shards of a held
   GPU, or the GPU of held shards.  taken has the item's size. */
void shards_add_crossed(const struct node *n, uint32_t item, const struct gres_share *share,
                struct bitset *taken);
/* True if a has a GPU and b has shards of a's GPU, or vice versa. */
bool shards_cross(const struct node *n, const struct gres_share *a, const struct gres_share *b);
/* "2/4,0/4": shards in units, and all shards, of each GPU with shards.  The caller frees the
   text. */
char *shards_text(const struct node_gres *g, const struct bitset *units);
