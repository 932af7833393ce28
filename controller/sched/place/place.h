/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/place/place.h - where a job could run: nodes, units on them, and its victims */
#pragma once

#include "controller/jobs/alloc.h"

enum place_mode {
        PLACE_FREE, /* on free nodes and units */
        PLACE_EVER, /* as if the cluster were empty and every node in service */
};

struct limits_without;

struct placement {
        struct bitset *nodes;
        struct job_node *alloc;
        size_t n_alloc;
        struct bitset *units;
        struct gres_share *gres;
        size_t n_gres;
        uint32_t num_cpus;
        struct job **victims; /* place_instead(): jobs on units, or with memory, that it needs */
        size_t n_victims;
        /* layers of hierarchical resources that it is charged for there (period.room) */
        struct countlist *layers;
        size_t license; /* index of the chosen license in a list with "|"; set by the caller */
        bool preferred; /* it satisfies --prefer */
        enum job_reason limit; /* -EDQUOT: the limit that forbids it */
        usec_t limit_again;    /* ... when it will allow it by time alone; 0: never */
        /* REASON_MAX_POWERED_NODES: j would fit if all nodes that may sleep slept. */
        bool awaits_power;
        uint32_t switches; /* number of leaf switches of its nodes; 0 without topology/tree */
};

/* Finds a placement of j within usable for the period when: limits are checked as of its beginning,
   cores that reservations keep from j during it are not used, and when.room has enough for it.
     0        a placement
     -EBUSY   not now
     -ENOENT  never: even all of usable would not do (too few nodes, or none fits)
     -EDQUOT  a limit of its QOS or associations forbids all possible ones; preemption does not help
   Nodes are taken in the order of the preemption guide: up before waking before off, lower weight
   first, then node order.  If a limit forbids these, those that the job is charged the least for,
   else any within all limits. */
int place(struct cluster *c, const struct job *j, const struct bitset *usable, struct period when,
                enum place_mode mode, struct placement *ret);
/* place() with PLACE_FREE, as if the jobs with these indexes in c->active were gone; without
   limits. */
int place_after(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct bitset *gone, struct placement *ret);
/* What place_then() supposes: of active jobs these have ended. */
struct supposed {
        const struct bitset *gone;           /* their places in c->active */
        const struct limits_without *limits; /* what limits count then */
        /* max_powered_nodes: these nodes alone have power then; NULL: as place() */
        const struct bitset *powered;
};
/* The same with limits, max_powered_nodes too. */
int place_then(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct supposed *then, struct placement *ret);
/* A component of a heterogeneous job, or such a value of it, and where it may be. */
struct together {
        const struct job *j;
        struct bitset *usable; /* the caller's, as placements are */
        struct period when;
        struct hres_room *room; /* own; when.room, or NULL: what is free now */
        struct placement where;
};
/* place() of all at once, on distinct nodes (guide "Heterogeneous job support", "limitations"),
   limits and max_powered_nodes counting each with those before it; gone: as place_after(), or NULL.
   If there is a way to place them all, it is found where few nodes count; with many nodes the
   search is bounded (place_together.c).  0: each has its where; else the answer of the component
   *ret_why (its where says which limit), and none has. */
int place_together(struct cluster *c, struct together *of, size_t n, enum place_mode mode,
                const struct bitset *gone, size_t *ret_why);
/* A limit that they would exceed on those nodes, each counted with those before it. */
enum job_reason place_together_limit(struct cluster *c, const struct together *of, size_t n,
                usec_t now);
void together_free(struct together *of, size_t n); /* with its sets; takes NULL */
struct place_node {
        uint64_t moment, yielding; /* set and compared by the caller */
        uint32_t tasks, idle;      /* as in struct offer */
        struct gres_parts gres;
        bool known;
};

/* What place_instead() has found out about each node, for one kind of request and one base.  An
   entry is invalid when the node, or the jobs of base on it, have changed. */
struct place_memo {
        struct place_node *of;
        struct bitset *none;          /* nodes known to give nothing */
        const struct bitset *touched; /* nodes with a job that is in of, but not in base */
};
/* place() as if the jobs of base were out of the way, and, where necessary, those of of, which
   includes base.  The necessary jobs are its victims; among equal nodes those without victims are
   taken first.  memo may be NULL; it is updated. */
int place_instead(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct yield *base, const struct yield *of,
                struct place_memo *memo, struct placement *ret);
/* How many tasks of j each node could hold if it were empty and in service, with the features that
   it has or could be rebooted into; 0: it cannot serve j.  tasks and gres have c->n_nodes entries;
   gres: how many of --gpus. */
void place_capacity(struct cluster *c, const struct job *j, uint32_t *tasks,
                struct gres_parts *gres);
/* The tasks that each node can hold for one GPU, where the number of tasks near its GPUs depends on
   the number of GPUs, so that nodes may have to give different parts of --gpus; else UINT32_MAX.
   tasks as above. */
uint32_t place_capacity_of_one(struct cluster *c, const struct job *j, const uint32_t *tasks);
/* The same of these nodes, which could all serve it, without the cores that reservations keep
   from it then. */
void place_capacity_then(struct cluster *c, const struct job *j, const struct bitset *nodes,
                struct period when, uint32_t *tasks, struct gres_parts *gres);
/* The limit of QOS or association that j would exceed there; REASON_NONE: none.  ret_again as
   limit_again. */
enum job_reason place_limit(const struct cluster *c, const struct job *j,
                const struct placement *where, usec_t now, usec_t *ret_again);
/* Of licenses with "|": keeps where->license if limits allow it, else chooses the first after it
   that is_free accepts and limits allow.  -EDQUOT as place(): there is none. */
typedef bool place_license_free(const struct job *j, size_t choice, void *user);
int place_heed_license_limits(const struct cluster *c, const struct job *j, usec_t now,
                place_license_free *is_free, void *user, struct placement *where);
/* The combination of nodes matters, not only the number of possible ones: "[a|b]", counts,
   --contiguous, --switches, unconnected switches, or several kinds of --gpus. */
bool place_is_particular(const struct cluster *c, const struct job *j);
/* j is placed by switches: on few leaves below one switch (topology/tree). */
bool place_heeds_switches(const struct cluster *c, const struct job *j);
/* Until then no node is rebooted for j's features (--delay-boot); 0: it need not wait for that. */
usec_t place_boots_from(const struct job *j, usec_t now);
/* j gets whole nodes: select/linear, OverSubscribe=EXCLUSIVE, --exclusive. */
bool place_wants_whole(const struct cluster *c, const struct job *j);
/* Numbers of units, memory and generic resources that are free tell whether j fits on a node: it
   has not the node for itself, and it does not matter which ones it gets. */
bool place_goes_by_numbers(const struct cluster *c, const struct job *j);
#define PLACE_ALL_MEMORY UINT64_MAX /* of its node */
struct place_need {
        uint64_t units, memory; /* MB */
        uint32_t tasks;
};
/* The least that j takes of a node built as n, if it has so many tasks there, or more. */
void place_least(struct cluster *c, const struct job *j, const struct node *n, uint32_t tasks,
                struct place_need *ret);
/* MaxMemPerNode of the partition or the cluster, in MB; UINT64_MAX: none. */
uint64_t place_max_memory(const struct cluster *c, const struct job *j);
/* The most nodes of j by its request, its partition and --gpus (each node gives one at least);
   UINT32_MAX: no limit. */
uint32_t place_most_nodes(const struct job *j);
/* It takes more nodes than it needs, where there are (-N2-4, --spread-job). */
bool place_takes_more(const struct job *j);
/* The fewest nodes that j needs, where each holds so many tasks, 1 or more, and so many of --gpus
   at most. */
uint32_t place_fewest_nodes(const struct job *j, uint32_t tasks, const struct gres_parts *gres);
/* The fewest CPUs of n that j takes: its mincpus, and those that MaxMemPerCPU adds if it takes all
   memory of n. */
uint32_t place_least_cpus(const struct cluster *c, const struct job *j, const struct node *n);
/* The node has the numbers of sockets, cores and threads that spec asks for. */
bool place_shape_fits(const struct job_spec *spec, const struct node_hardware *h);
void placement_done(struct placement *p);
