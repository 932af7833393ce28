/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/memory_rules.h - which limits cgroup.conf gives to so much memory  (pure)
 *
 * AllowedRAMSpace, AllowedSwapSpace, MaxRAMPercent, MaxSwapPercent, MinRAMSpace, MemorySwappiness,
 * and of ConstrainRAMSpace and ConstrainSwapSpace which of them act. */
#pragma once

#include "cgroup/system.h"

struct memory_rules {
        bool ram, swap;                   /* ConstrainRAMSpace, ConstrainSwapSpace */
        double allowed_ram, allowed_swap; /* percent of what was given */
        double max_ram, max_swap;         /* percent of total; max_swap: of RAM and swap */
        uint64_t min;                     /* MB, no limit is lower */
        uint64_t total;                   /* MB of the node; 0: not known */
        bool set_swappiness;
        uint32_t swappiness;
};

/* What is in force before the controller has said anything: Slurm's defaults, no limits. */
void memory_rules_init(struct memory_rules *r);
/* Memory and swap of *l for mb MB; 0: all that the node has. */
void memory_rules_limit(const struct memory_rules *r, uint64_t mb, struct cg_limits *l);
