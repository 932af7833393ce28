/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/partition.h - a partition: which nodes, for whom, in what order, and how its jobs may be stopped */
#pragma once

#include "lib/bitset.h"
#include "lib/config.h"

enum partition_state { /* bits: may jobs be queued, may they start */
        PARTITION_SUBMIT = 1,
        PARTITION_SCHED = 2,
        PARTITION_UP = 3,
        PARTITION_DOWN = 1,
        PARTITION_DRAIN = 2,
        PARTITION_INACTIVE = 0,
};

struct partition {
        uint32_t index; /* configuration order */
        char *name;
        bool is_default, hidden, root_only, disable_root_jobs, power_down_on_idle;
        struct bitset *nodes;
        unsigned state; /* enum partition_state */
        usec_t max_time, default_time;
        uint32_t min_nodes, max_nodes;
        uint32_t priority_tier, priority_job_factor;
        enum oversubscribe oversubscribe;
        uint32_t oversubscribe_max;
        unsigned preempt_mode; /* own, or PREEMPT_UNSET */
        usec_t suspend_time, suspend_timeout, resume_timeout;
        uint64_t def_mem_per_node, def_mem_per_cpu, max_mem_per_node, max_mem_per_cpu;
        uint32_t grace_time;
};

const char *partition_state_text(unsigned state);
int partition_state_parse(const char *word); /* -EINVAL */
struct partition *partition_free(struct partition *p);
