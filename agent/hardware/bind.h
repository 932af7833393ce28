/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/hardware/bind.h - the CPUs which each task of a step may use (srun --cpu-bind,
 * TaskPlugin=task/affinity), and the NUMA nodes of its memory (--mem-bind)
 *
 * CPUs and NUMA nodes have the machine's (operating system's) numbers. */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"

struct cpu {
        uint32_t number, core, socket;
        uint32_t ldom; /* kernel's number of the NUMA node */
};

struct cpu_map {
        struct cpu *list;      /* sorted by socket, then core */
        size_t n, bits;        /* bits: largest number + 1 */
        uint32_t cores, ldoms; /* largest number + 1 */
        struct bitset *memory; /* NUMA nodes whose memory slumberd may use; NULL: unknown */
};

struct cpu_map *cpu_map_free(struct cpu_map *m); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct cpu_map *, cpu_map_free)
/* Returns the CPUs of cores "0-1" of a node with cores_of_node cores in slurm.conf. The numbers
   are the machine's cores; if slurm.conf has more cores than the machine, its CPUs. NULL: the
   machine has fewer CPUs. The caller frees. */
struct bitset *cpu_map_cores(const struct cpu_map *m, uint32_t cores_of_node, const char *cores);

/* Distribution of CPUs to tasks over sockets, and over cores; values as in the protocol. */
enum bind_deal {
        DEAL_DEFAULT, /* sockets: cyclic; cores: in order */
        DEAL_BLOCK,   /* fills a socket or core first */
        DEAL_CYCLIC,  /* each task begins at the next socket or core */
        DEAL_FCYCLIC, /* each CPU comes from the next socket or core */
};

struct bind_ask {
        /* --cpu-bind without verbose and quiet; "": the unit that matches the tasks, or
           otherwise */
        const char *how;
        const char *otherwise; /* default unit: none, threads, cores or sockets; NULL: none */
        bool one_thread;       /* uses one thread of each core */
        enum bind_deal sockets, cores;
        bool strict;  /* refuse map_ and mask_ lists with CPUs outside the step */
        size_t tasks; /* tasks on this node */
        uint32_t cpus_per_task;
};

struct bind_plan {
        char **masks; /* "0x0003" of each task; if fewer than tasks, used cyclically */
        size_t n;
        /* SLURM_CPU_BIND as shown to tasks: "mask_cpu:0x1,0x2", "map_cpu:0,1", "rank", "none" */
        char *how;
};

/* have: the step's CPUs, not empty. -EINVAL with fail set: refused as strict. */
int bind_make(const struct cpu_map *m, const struct bitset *have, const struct bind_ask *ask,
                struct bind_plan *ret, struct fail *fail);
void bind_done(struct bind_plan *p);

/* Binds memory. how: type of --mem-bind: "local", "rank", "map_mem:0,1*2", "mask_mem:3". cpus:
   CPU binding of the tasks; without masks each task has all of have. ret->masks are NUMA nodes.
   -EINVAL with fail set: the machine lacks a NUMA node. */
int bind_memory(const struct cpu_map *m, const struct bitset *have, const struct bind_plan *cpus,
                const char *how, size_t tasks, struct bind_plan *ret, struct fail *fail);
