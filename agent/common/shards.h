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
/* Returns the part of its GPU that held is allocated, in percent, at least 1; 0 where held is not
   gres/shard or gres/mps, or its GPU is unknown. */
unsigned shards_percent(Slumber__GresDevice *const *devices, size_t n,
                const struct gres_item *held);
