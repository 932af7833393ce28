/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cgroup/memory_rules.h"

#define MB (UINT64_C(1) << 20)

void memory_rules_init(struct memory_rules *r) {
        *r = (struct memory_rules){ .allowed_ram = 100,
                .max_ram = 100,
                .max_swap = 100,
                .min = 30 };
}

static uint64_t memory_percent(uint64_t bytes, double of) {
        return (uint64_t)((double)bytes * of / 100);
}

/* The lower bound has precedence: below it no program could start. */
static uint64_t memory_limit_bound(const struct memory_rules *r, uint64_t bytes, double max) {
        if (r->total)
                bytes = MIN(bytes, memory_percent(r->total * MB, max));
        return MAX(bytes, r->min * MB);
}

/* Limits swap; without ConstrainRAMSpace memory and swap together, as in Slurm. */
static void limit_swap(const struct memory_rules *r, uint64_t base, struct cg_limits *l) {
        uint64_t ram = memory_limit_bound(r, memory_percent(base, r->allowed_ram), r->max_ram),
                 both = memory_limit_bound(r,
                                 memory_percent(base, r->allowed_ram) +
                                                 memory_percent(base, r->allowed_swap),
                                 r->max_swap);

        both = MAX(both, ram);
        l->limit_swap = true;
        l->memory = r->ram ? ram : both;
        l->swap = r->ram ? both - ram : 0;
        l->set_swappiness = r->set_swappiness;
        l->swappiness = r->swappiness;
}

void memory_rules_limit(const struct memory_rules *r, uint64_t mb, struct cg_limits *l) {
        bool part = mb || r->max_ram < 100; /* the whole memory needs no limit */
        uint64_t base = mb ? mb * MB : memory_percent(r->total * MB, r->max_ram);

        if (r->ram && part && base)
                l->memory = memory_limit_bound(r, memory_percent(base, r->allowed_ram), r->max_ram);
        if (r->ram && mb && r->allowed_ram > 100)
                l->soft = MIN(l->memory, MAX(base, r->min * MB));
        if (r->swap && base)
                limit_swap(r, base, l);
}
