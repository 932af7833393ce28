/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/shards.h - the GPUs containing a step's shards (gres/shard) */
#pragma once

#include "lib/bitset.h"
#include "lib/gres.h"
#include "lib/wire.h"

/* Adds to gpus, numbered over all types of the node, the GPUs of held ("shard:2(IDX:4-5)"); no-op
   for different resources. devices: the node's part of gres.conf. */
void shards_gpus(Slumber__GresDevice *const *devices, size_t n, const struct gres_item *held,
                struct bitset *gpus);
/* Returns the share of the GPU allocated by held, in percent, at least 1; 0 if held is not
   gres/shard or gres/mps, or the GPU is unknown. */
unsigned shards_percent(Slumber__GresDevice *const *devices, size_t n,
                const struct gres_item *held);
