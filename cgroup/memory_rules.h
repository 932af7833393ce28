/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/memory_rules.h - limits of cgroup.conf for a given amount of memory (pure)
 *
 * AllowedRAMSpace, AllowedSwapSpace, MaxRAMPercent, MaxSwapPercent, MinRAMSpace, MemorySwappiness;
 * active by ConstrainRAMSpace and ConstrainSwapSpace. */
#pragma once

#include "cgroup/system.h"

struct memory_rules {
        bool ram, swap;                   /* ConstrainRAMSpace, ConstrainSwapSpace */
        double allowed_ram, allowed_swap; /* percent of the allocated memory */
        double max_ram, max_swap;         /* percent of total; max_swap: of RAM plus swap */
        uint64_t min;                     /* MB, lower bound */
        uint64_t total;                   /* MB of the node; 0: unknown */
        bool set_swappiness;
        uint32_t swappiness;
};

/* Sets Slurm's defaults without limits, in force until the controller sends settings. */
void memory_rules_init(struct memory_rules *r);
/* Sets memory and swap of *l for mb MB; 0: the node's whole memory. */
void memory_rules_limit(const struct memory_rules *r, uint64_t mb, struct cg_limits *l);
