/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/shards.h - which GPUs a step's shards (gres/shard) are parts of */
#pragma once

#include "lib/bitset.h"
#include "lib/gres.h"
#include "lib/wire.h"

/* Adds to gpus, which are numbered over all types of the node, those that held ("shard:2(IDX:4-5)")
   has shards of; nothing for what is no shards.  devices: the node's part of gres.conf. */
void shards_gpus(Slumber__GresDevice *const *devices, size_t n, const struct gres_item *held,
                struct bitset *gpus);
/* What held has of its GPU, in percent of the parts that this has, 1 at least; 0: it is no shards,
   or its GPU is not known. */
unsigned shards_percent(Slumber__GresDevice *const *devices, size_t n,
                const struct gres_item *held);
