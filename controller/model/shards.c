/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/shards.h"

#include "controller/model/cluster.h"
#include "lib/config/config.h"
#include "lib/wordlist.h"

void shards_configure(struct node_gres *g, const struct gres_device *device) {
        free(TAKE(g->shards));
        g->n_gpus = 0;
        if (!device->shards)
                return;
        g->n_gpus = (uint32_t)device->n_shards;
        g->shards = xnew0(uint32_t, device->n_shards + 1);
        for (uint32_t i = 0; i < g->n_gpus; i++)
                g->shards[i + 1] = g->shards[i] + device->shards[i];
}

/* The GPU of a shard; n_gpus: none, if the node has fewer GPUs than configured. */
static uint32_t shard_gpu(const struct node_gres *g, size_t unit) {
        return (uint32_t)FIRST_NOT(g->n_gpus, i, g->shards[i + 1] <= unit);
}

static uint64_t shards_count_free(const struct node_gres *g, uint32_t gpu,
                const struct bitset *taken) {
        uint64_t n = 0;

        for (uint32_t i = g->shards[gpu]; i < g->shards[gpu + 1]; i++)
                n += !taken || !bitset_has(taken, i);
        return n;
}

uint64_t shards_most(const struct node_gres *g, const struct bitset *taken) {
        uint64_t most = 0;

        for (uint32_t i = 0; i < g->n_gpus; i++)
                most = MAX(most, shards_count_free(g, i, taken));
        return most;
}

void shards_most_by_side(const struct node_gres *g, const struct bitset *taken,
                uint64_t left[GRES_SIDES_MAX]) {
        for (uint32_t i = 0; i < g->n_gpus; i++) {
                uint64_t *of = &left[g->side && g->shards[i] < g->shards[i + 1]
                                                     ? g->side[g->shards[i]]
                                                     : 0];
                *of = MAX(*of, shards_count_free(g, i, taken));
        }
}

void shards_leave_one_gpu(const struct node_gres *g, uint64_t count, const struct bitset *same,
                struct bitset *taken) {
        uint32_t gpu = same ? shard_gpu(g, bitset_next(same, 0)) : 0;

        while (!same && gpu < g->n_gpus && shards_count_free(g, gpu, taken) < count)
                gpu++;
        if (gpu >= g->n_gpus || shards_count_free(g, gpu, taken) < count) {
                bitset_fill(taken);
                return;
        }
        bitset_add_range(taken, 0, g->shards[gpu]);
        bitset_add_range(taken, g->shards[gpu + 1], g->count - g->shards[gpu + 1]);
}

static bool gres_kinds_cross(const struct node_gres *a, const struct node_gres *b) {
        return (a->shards && streq(b->name, "gpu")) || (b->shards && streq(a->name, "gpu"));
}

/* The GPU that is the unit, or to which the shard belongs, numbered over all types of the node. */
static uint32_t gpu_with(const struct node_gres *g, size_t unit) {
        return g->shards ? shard_gpu(g, unit) : g->first + (uint32_t)unit;
}

void shards_add_crossed(const struct node *n, uint32_t item, const struct gres_share *share,
                struct bitset *taken) {
        const struct node_gres *g = &n->gres_items[item], *of = &n->gres_items[share->item];

        if (!gres_kinds_cross(g, of) || !share->units)
                return;
        bitset_for_each(unit, share->units) {
                uint32_t gpu = gpu_with(of, unit);
                if (g->shards && gpu < g->n_gpus)
                        bitset_add_range(taken, g->shards[gpu],
                                        g->shards[gpu + 1] - g->shards[gpu]);
                else if (!g->shards && gpu >= g->first && gpu - g->first < g->count)
                        bitset_add(taken, gpu - g->first);
        }
}

bool shards_cross(const struct node *n, const struct gres_share *a, const struct gres_share *b) {
        const struct node_gres *g = &n->gres_items[a->item];

        if (!gres_kinds_cross(g, &n->gres_items[b->item]) || !a->units)
                return false;
        _cleanup_(bitset_freep) struct bitset *taken = bitset_new(a->units->bits);
        shards_add_crossed(n, a->item, b, taken);
        return bitset_overlaps(taken, a->units);
}

char *shards_text(const struct node_gres *g, const struct bitset *units) {
        char *text = xstrdup("");

        for (uint32_t i = 0; i < g->n_gpus; i++) {
                uint64_t all = g->shards[i + 1] - g->shards[i];
                if (all)
                        text_add_word(&text, ",", "%llu/%llu",
                                        (unsigned long long)(all - shards_count_free(g, i, units)),
                                        (unsigned long long)all);
        }
        return text;
}
