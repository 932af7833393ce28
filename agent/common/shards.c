/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/shards.h"

#include "lib/config/config.h"

/* Returns the GPU of a shard, numbered over all types; SIZE_MAX: none. */
static size_t gpu_of(Slumber__GresDevice *const *devices, size_t n, size_t shard) {
        for (size_t i = 0; i < n; i++) {
                const Slumber__GresDevice *d = devices[i];
                uint64_t end = 0;
                if (!gres_is_shard(d->name))
                        continue;
                for (size_t gpu = 0; gpu < d->n_shards; gpu++)
                        if ((end += d->shards[gpu]) > shard)
                                return gpu;
                shard -= MIN(shard, (size_t)d->count);
        }
        return SIZE_MAX;
}

unsigned shards_percent(Slumber__GresDevice *const *devices, size_t n,
                const struct gres_item *held) {
        _cleanup_(bitset_freep) struct bitset *gpus = bitset_new(GRES_SHARDS_MAX);
        uint64_t all = 0;

        shards_gpus(devices, n, held, gpus);
        bitset_for_each(gpu, gpus)
                for (size_t i = 0; i < n; i++)
                        if (streq(devices[i]->name, held->name) && gpu < devices[i]->n_shards)
                                all += devices[i]->shards[gpu];
        return all ? (unsigned)MAX(MIN(held->count * 100 / all, (uint64_t)100), (uint64_t)1) : 0;
}

void shards_gpus(Slumber__GresDevice *const *devices, size_t n, const struct gres_item *held,
                struct bitset *gpus) {
        _cleanup_(bitset_freep) struct bitset *units = bitset_new(GRES_SHARDS_MAX);

        if (!gres_is_shard(held->name) || !held->units || bitset_parse(units, held->units) < 0)
                return;
        bitset_for_each(unit, units) {
                size_t gpu = gpu_of(devices, n, unit);
                if (gpu < gpus->bits)
                        bitset_add(gpus, gpu);
        }
}
