/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/place/place.h - where a job could run: nodes, units and victims */
#pragma once

#include "controller/jobs/alloc.h"

enum place_mode {
        PLACE_FREE, /* on free nodes and units */
        PLACE_EVER, /* as if the cluster were empty and all nodes in service */
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
        struct job **victims; /* place_instead(): jobs holding units or memory needed by j */
        size_t n_victims;
        /* charged layers of hierarchical resources (period.room) */
        struct countlist *layers;
        size_t license; /* index of the chosen license in a list with "|"; set by the caller */
        bool preferred; /* the nodes satisfy --prefer */
        enum job_reason limit; /* -EDQUOT: the exceeded limit */
        usec_t limit_again;    /* -EDQUOT: time at which the limit allows j by itself; 0: never */
        /* REASON_MAX_POWERED_NODES: j would fit if all nodes allowed to sleep were asleep. */
        bool awaits_power;
        uint32_t switches; /* number of leaf switches of the nodes; 0 without topology/tree */
};

/* Finds a placement of j on nodes of usable for the period when. Limits are checked at the
   beginning of the period; cores reserved for other jobs during the period are not used; when.room
   (may be NULL) must have enough hierarchical resources.

     0        success: *ret is a placement
     -EBUSY   not now
     -ENOENT  never: even all of usable is not enough (too few nodes, or none fits)
     -EDQUOT  a limit of QOS or associations forbids all possible nodes; preemption does not help

   Nodes are taken in the order of the preemption guide: up before waking before off, lower weight
   first, then node order. If a limit forbids these nodes, the cheapest nodes for the limit are
   tried, then any nodes within all limits. The caller frees *ret by placement_done(). */
int place(struct cluster *c, const struct job *j, const struct bitset *usable, struct period when,
                enum place_mode mode, struct placement *ret);
/* place() with PLACE_FREE, without limits, as if the jobs with these indexes in c->active were
   gone. */
int place_after(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct bitset *gone, struct placement *ret);
/* Assumptions of place_then(). */
struct supposed {
        /* indexes in c->active of jobs assumed to have ended */
        const struct bitset *gone;
        const struct limits_without *limits; /* usage counted by limits then */
        /* max_powered_nodes: the nodes assumed to have power; NULL: as in place() */
        const struct bitset *powered;
};
/* place_after() with limits, including max_powered_nodes. */
int place_then(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct supposed *then, struct placement *ret);
/* A component of a heterogeneous job (or a hypothetical copy) and its possible nodes. */
struct together {
        const struct job *j;
        struct bitset *usable; /* owned by the caller, like the placements */
        struct period when;
        struct hres_room *room; /* owned; equals when.room. NULL: the resources free now */
        struct placement where;
};
/* place() for n components at once, on distinct nodes (guide "Heterogeneous job support",
   "limitations"). Each component counts for the limits and max_powered_nodes of later components.
   gone: as in place_after(), or NULL. The search is complete for few nodes and bounded for many
   (place_together.c). Returns 0 with `where` set for each component; otherwise the error of
   component *ret_why, whose `where` has the limit, and no component has a placement. */
int place_together(struct cluster *c, struct together *of, size_t n, enum place_mode mode,
                const struct bitset *gone, size_t *ret_why);
/* Returns a limit exceeded by the components on their nodes, each counted with the components
   before; REASON_NONE: none. */
enum job_reason place_together_limit(struct cluster *c, const struct together *of, size_t n,
                usec_t now);
void together_free(struct together *of, size_t n); /* with all sets and placements; takes NULL */
struct place_node {
        uint64_t moment, yielding; /* set and compared by the caller */
        uint32_t tasks, idle;      /* as in struct offer */
        struct gres_parts gres;
        bool known;
};

/* place_instead()'s memory of each node, for one kind of request and one base. The caller drops an
   entry when the node, or a job of base on the node, changes. */
struct place_memo {
        struct place_node *of;
        struct bitset *none;          /* nodes known to hold no task */
        const struct bitset *touched; /* nodes with a job in `of` but not in base */
};
/* place() as if the jobs of base were gone, and, if necessary, the jobs of `of`, a superset of
   base. The necessary jobs are the victims; among equal nodes, nodes without victims are preferred.
   memo may be NULL and is updated. */
int place_instead(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct yield *base, const struct yield *of,
                struct place_memo *memo, struct placement *ret);
/* Counts the tasks of j that each node could hold if empty and in service, with features available
   now or after a reboot; 0: the node cannot serve j. gres: units of --gpus. tasks and gres have
   c->n_nodes entries. */
void place_capacity(struct cluster *c, const struct job *j, uint32_t *tasks,
                struct gres_parts *gres);
/* Returns the fewest tasks per node for a single GPU, if the tasks near a node's GPUs depend on the
   number of GPUs, so that nodes may have to give different parts of --gpus; otherwise UINT32_MAX.
   tasks: from place_capacity(). */
uint32_t place_capacity_of_one(struct cluster *c, const struct job *j, const uint32_t *tasks);
/* place_capacity() for nodes known to serve j, without the cores reserved for other jobs during
   when. Entries of other nodes are not written. */
void place_capacity_then(struct cluster *c, const struct job *j, const struct bitset *nodes,
                struct period when, uint32_t *tasks, struct gres_parts *gres);
/* Returns the limit of QOS or association exceeded by j on these nodes; REASON_NONE: none.
   *ret_again as limit_again. */
enum job_reason place_limit(const struct cluster *c, const struct job *j,
                const struct placement *where, usec_t now, usec_t *ret_again);
/* Licenses with "|": keeps where->license if the limits allow the license, otherwise chooses the
   first later license accepted by is_free and the limits. Returns 0, or -EDQUOT as place(). */
typedef bool place_license_free(const struct job *j, size_t choice, void *user);
int place_heed_license_limits(const struct cluster *c, const struct job *j, usec_t now,
                place_license_free *is_free, void *user, struct placement *where);
/* Returns whether the combination of nodes matters, not only the number of possible nodes: "[a|b]",
   counts, --contiguous, --switches, unconnected switches, or several kinds of --gpus. */
bool place_is_particular(const struct cluster *c, const struct job *j);
/* Returns whether j is placed by switches: on few leaves below one switch (topology/tree). */
bool place_heeds_switches(const struct cluster *c, const struct job *j);
/* Returns the time before which no node is rebooted for j's features (--delay-boot); 0: no
   delay. */
usec_t place_boots_from(const struct job *j, usec_t now);
/* Returns whether j gets whole nodes: select/linear, OverSubscribe=EXCLUSIVE, --exclusive. */
bool place_wants_whole(const struct cluster *c, const struct job *j);
/* Returns whether the numbers of free units, memory and generic resources decide if j fits on a
   node: j shares nodes and any units will do. */
bool place_goes_by_numbers(const struct cluster *c, const struct job *j);
#define PLACE_ALL_MEMORY UINT64_MAX /* all memory of the node */
struct place_need {
        uint64_t units, memory; /* MB */
        uint32_t tasks;
};
/* Sets *ret to the minimum for `tasks` tasks of j (at least --ntasks-per-node) on a node built like
   n. */
void place_least(struct cluster *c, const struct job *j, const struct node *n, uint32_t tasks,
                struct place_need *ret);
/* Returns MaxMemPerNode of the partition or the cluster, in MB; UINT64_MAX: no limit. */
uint64_t place_max_memory(const struct cluster *c, const struct job *j);
/* Returns the maximum number of nodes by j's request, partition and --gpus (each node gives at
   least one); UINT32_MAX: no limit. */
uint32_t place_most_nodes(const struct job *j);
/* Returns whether j takes more nodes than necessary, if available (-N2-4, --spread-job). */
bool place_takes_more(const struct job *j);
/* Returns the minimum number of nodes for j if each node holds at most `tasks` tasks (at least 1)
   and gres units of --gpus. */
uint32_t place_fewest_nodes(const struct job *j, uint32_t tasks, const struct gres_parts *gres);
/* Returns the minimum number of CPUs for j on n: --mincpus, or more if j takes all memory of n and
   MaxMemPerCPU applies. */
uint32_t place_least_cpus(const struct cluster *c, const struct job *j, const struct node *n);
/* Returns whether the hardware has the sockets, cores per socket and threads requested by spec. */
bool place_shape_fits(const struct job_spec *spec, const struct node_hardware *h);
void placement_done(struct placement *p);
