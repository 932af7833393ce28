/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/job_reason.h"

#include "lib/base.h"

#define PLAIN(name, word) [REASON_##name] = (word),
#define OF_LIMIT(limit, before, cpu, mem, behind, end_cpu, end_mem, end_node)                      \
        [REASON_##limit##_CPU] = before cpu behind end_cpu,                                        \
        [REASON_##limit##_MEM] = before mem behind end_mem,                                        \
        [REASON_##limit##_NODE] = before "Node" behind end_node,                                   \
        [REASON_##limit##_BILLING] = before "Billing" behind,                                      \
        [REASON_##limit##_GRES] = before "GRES" behind,                                            \
        [REASON_##limit##_LICENSE] = before "License" behind,
#define OF_NODE_LIMIT(limit, before, mem)                                                          \
        [REASON_##limit##_CPU] = before "CpuPerNode",                                              \
        [REASON_##limit##_MEM] = before mem "PerNode",                                             \
        [REASON_##limit##_GRES] = before "GRESPerNode",

static const char *const words[REASON_MAX] = { JOB_REASONS(PLAIN) LIMIT_REASONS(OF_LIMIT)
                        NODE_LIMIT_REASONS(OF_NODE_LIMIT) };
DEFINE_STRTAB(job_reason, words)
