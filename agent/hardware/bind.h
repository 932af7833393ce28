/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/hardware/bind.h - which CPUs each task of a step may use (srun --cpu-bind,
 * TaskPlugin=task/affinity), and the memory of which NUMA nodes (--mem-bind)
 *
 * CPUs and NUMA nodes are the machine's, by the numbers that they have there. */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"

struct cpu {
        uint32_t number, core, socket;
        uint32_t ldom; /* the kernel's number of its NUMA node */
};

struct cpu_map {
        struct cpu *list;      /* socket by socket, core by core */
        size_t n, bits;        /* bits: one more than the largest number */
        uint32_t cores, ldoms; /* one more than the largest number */
        struct bitset *memory; /* NUMA nodes whose memory slumberd may use; NULL: not known */
};

struct cpu_map *cpu_map_free(struct cpu_map *m); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct cpu_map *, cpu_map_free)
/* The CPUs of cores "0-1" of a node that has so many in slurm.conf: the machine's cores, or its
   CPUs where slurm.conf has more.  NULL: the machine has not so many.  The caller frees. */
struct bitset *cpu_map_cores(const struct cpu_map *m, uint32_t cores_of_node, const char *cores);

/* How CPUs are dealt to tasks over sockets, and over cores; the numbers are those of the wire. */
enum bind_deal {
        DEAL_DEFAULT, /* of sockets: in turn; of cores: as they come */
        DEAL_BLOCK,   /* one after the other */
        DEAL_CYCLIC,  /* the next task begins at the next one */
        DEAL_FCYCLIC, /* each CPU is of the next one */
};

struct bind_ask {
        /* --cpu-bind without verbose and quiet; "": as tasks match, else otherwise */
        const char *how;
        const char *otherwise; /* none, threads, cores or sockets; NULL: none */
        bool one_thread;       /* of each core */
        enum bind_deal sockets, cores;
        bool strict;  /* a list of CPUs that has others than these is refused */
        size_t tasks; /* on this node */
        uint32_t cpus_per_task;
};

struct bind_plan {
        char **masks; /* "0x0003" of each task; where there are fewer they begin again */
        size_t n;
        char *how; /* as tasks are told: "mask_cpu:0x1,0x2", "map_cpu:0,1", "rank", "none" */
};

/* have: CPUs that the step has; not empty.  -EINVAL with fail: strict. */
int bind_make(const struct cpu_map *m, const struct bitset *have, const struct bind_ask *ask,
                struct bind_plan *ret, struct fail *fail);
void bind_done(struct bind_plan *p);

/* how: --mem-bind without its other words: "local", "rank", "map_mem:0,1*2", "mask_mem:3".  cpus:
   of the same tasks; where that has no masks all have have.  ret->masks are NUMA nodes.  -EINVAL
   with fail: the machine has not all of them. */
int bind_memory(const struct cpu_map *m, const struct bitset *have, const struct bind_plan *cpus,
                const char *how, size_t tasks, struct bind_plan *ret, struct fail *fail);
