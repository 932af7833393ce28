/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/place/place_private.h - the parts of the search for nodes
 *
 *   place.c         the question: the job's request
 *   place_offer.c   an offer: what a node can give
 *   place_choose.c  which offers are taken
 *   place_settle.c  the units, memory and tasks on each node
 *
 * place_near.c computes for place_offer.c and place_settle.c which cores are near which units of
 * generic resources. If the combination of nodes matters, other files choose: place_run.c,
 * place_tree.c, place_counts.c, place_kinds.c, place_mix.c, place_layers.c. If limits forbid the
 * choice: place_limits.c and place_within.c, with the costs of nodes from place_loads.c.
 *
 * Rules about a single node belong to offers, so that place_capacity() and the plan respect the
 * rules, too; rules about the combination of nodes belong to choosing. */
#pragma once

#include "controller/model/account.h"
#include "controller/model/spec.h"
#include "controller/sched/place/place.h"

struct offer {
        struct node *node;
        uint32_t tasks; /* tasks fitting on the node */
        uint32_t given; /* tasks placed on the node */
        bool needs_victims;
        bool taken; /* chosen by place_choose_kinds() */
        /* named by --nodelist, or needed for a count of features: taken first */
        bool required;
        uint32_t idle;           /* idle units, for LLN */
        struct gres_parts gres;  /* available units of --gpus */
        struct gres_parts dealt; /* units of --gpus given to the job */
        bool reboot;             /* needs a reboot for the job's features */
        uint32_t depth;          /* number of jobs on the units of the first task */
        /* rank: place_by_switch(): order of the leaf switch; place_choose_mixed(): tasks for one
           GPU; place_loads(): the kind. at: place_by_switch(): the former index. */
        size_t rank, at;
        /* place_lightest_first(): costs of a task, compared in this order. */
        uint64_t charge[4];
        /* LIGHTEST_NAMED: tasks and units of --gpus as cheap as the first. */
        uint32_t light;
        struct gres_parts light_gres;
};

struct largest { /* a heap of indexes of search.offers, the smallest offer first */
        size_t *of;
        size_t n, allocated;
        size_t seen; /* number of offers considered; the order of these offers is fixed */
        uint64_t tasks;
        struct gres_sums gres;
};

struct search {
        struct cluster *c;
        const struct job *j;
        enum place_mode mode;
        struct period when;              /* planned run time */
        const struct features *features; /* from --constraint or --prefer */
        size_t alternative;              /* index in "[a|b]" */
        bool all;                        /* make all offers before choosing */
        /* when.room: narrow: only nodes in layers with enough resources (MODE_1); counted: a layer
           has too little for all of its nodes (MODE_3) */
        bool narrow, counted;
        bool few; /* when.room: offer only a limited number of nodes, all allowed together */
        /* may_reboot: idle nodes may be rebooted for features; reboots: such nodes are being
           offered. */
        bool may_reboot, reboots;
        struct yield base;       /* jobs assumed gone: place_after() */
        struct yield of;         /* base and possible victims: place_instead() */
        bool stops;              /* possible victims exist */
        struct place_memo *memo; /* depends on the kind of request and base; NULL: none */
        unsigned select;         /* enum select_param of the partition */
        /* topology of the partition; NULL if not place_heeds_switches() */
        const struct topology *tree;
        bool lln;       /* the least loaded nodes first */
        bool by_socket; /* usable units of a node depend on sockets */
        /* Units held by other jobs are offered too, if sharing is allowed (jobs/alloc.h). */
        bool shares;
        /* Respects cores reserved for others during the run, not only the job's own reservation. */
        bool reserved;
        bool limits; /* limits of QOS and associations apply */
        /* Usage for limits without some jobs; NULL: the current usage. */
        const struct limits_without *without;
        /* Maximum number of nodes to be powered up (max_powered_nodes); SIZE_MAX: no limit. */
        size_t power;
        /* Nodes counted as powered, e.g. powered_for_good(); NULL: the nodes powered now. */
        const struct bitset *sleepless;
        enum lightest { /* limits forbid the preferred nodes: take the cheapest */
                LIGHTEST_NOT,
                LIGHTEST_CPUS,
                LIGHTEST_NAMED,  /* generic resources counted by type, then CPUs */
                LIGHTEST_WITHIN, /* any nodes within all limits: place_within.c */
                LIGHTEST_MAX
        } lightest;
        bool evenly;      /* no node gets more tasks than cores near its part of --gpus allow */
        bool mixed;       /* nodes give parts of different size: place_mix.c */
        bool dealt;       /* tasks and units of each node were chosen together with the nodes */
        bool unsure;      /* place_choose_within() gave up */
        uint64_t weighed; /* number of calls of place_loads() */
        bool whole;       /* whole nodes: select/linear, EXCLUSIVE, --exclusive */
        uint32_t min_nodes, max_nodes, num_tasks, cpus_per_task;
        uint32_t least_cpus;  /* a node with fewer CPUs is useless */
        uint32_t group;       /* number of tasks kept on one node: --ntasks-per-gpu, else 1 */
        uint64_t most_of_cpu; /* MaxMemPerCPU, if memory is requested per GPU; else 0 */
        uint32_t want_nodes;  /* -N2-4: the number wanted if available without preemption */
        struct offer *offers;
        size_t n_offers, a_offers;
        uint64_t tasks; /* sum over all offers */
        /* Largest offers by --gpus and by tasks, if there are more offers than max_nodes. */
        struct largest largest[2];
        bool largest_do;               /* the largest offers are enough */
        struct gres_total total;       /* --gpus */
        struct gres_sums gres;         /* sum of units of --gpus in all offers */
        struct bitset *blocked;        /* scratch set: units of one node */
        struct resv_kept *kept;        /* reserved cores; NULL: not computed yet */
        struct place_answers *answers; /* cache of place_alike.c; NULL: none yet */
};

/* ---- place.c ---- */
/* Returns the search for job j; the caller calls place_search_done(). */
struct search place_search(struct cluster *c, const struct job *j, enum place_mode mode);
void place_search_done(struct search *s);

/* ---- place_sockets.c ---- */
struct room {                         /* units of a node usable by the job */
        uint32_t free;                /* free units */
        uint32_t units;               /* free units usable by the job */
        uint32_t tasks;               /* tasks fitting, by the request for sockets */
        const struct bitset *blocked; /* units not available to the job; NULL: none */
};

bool place_by_socket(const struct job *j, unsigned select);
/* blocked: units not available to the job; NULL: none. */
struct room place_room(const struct search *s, const struct node *n, const struct bitset *blocked);
/* Returns the number of units for tasks on n, in the order of distribution, with at least `least`
   CPUs. */
uint32_t place_units_for(const struct search *s, const struct node *n, const struct bitset *blocked,
                uint32_t tasks, uint32_t least);
/* Takes up to `want` unblocked units for tasks; returns the number missing. at: index of n's first
   unit in units. */
uint32_t place_take_units(const struct search *s, const struct node *n,
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t want,
                uint32_t tasks);
/* Takes a free core near each side without one (with CR_Socket the socket's units), up to *left;
   returns false if a side has no free core. at: index of n's first unit in units. */
bool place_take_of_each(const struct search *s, const struct node *n, uint32_t sides,
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t *left);
/* Returns whether --ntasks-per-socket spreads tasks over sockets. */
bool place_keeps_tasks_apart(const struct search *s);

/* ---- place_offer.c ---- */
/* Adds an offer of n, if n can hold a task. */
void place_offer(struct search *s, struct node *n, bool required);
/* Removes nodes from set which could not serve j even if empty, in service and with any available
   features. Consecutive nodes with the same number in run are built alike. Returns the minimum
   number of nodes for j. */
uint32_t place_could_serve(struct cluster *c, const struct job *j, const uint32_t *run,
                struct bitset *set);
/* Returns whether these tasks and units of --gpus are all the job needs. */
bool place_does_alone(const struct search *s, uint32_t tasks, const struct gres_parts *gres);
/* Returns the CPUs of n, free or not, allowed by the memory left without the jobs of y and by
   MaxCPUsPerNode. */
uint32_t place_most_cpus(const struct search *s, const struct node *n, const struct yield *y);
/* Returns the memory of n in MB free or held by jobs of y. */
uint64_t place_free_memory(const struct search *s, const struct node *n, const struct yield *y);
/* Returns the units of n not available to the job if the jobs of y yield; NULL: none. Valid until
   the next call. */
struct bitset *place_block(struct search *s, const struct node *n, const struct yield *y);
/* Returns an empty set for n's units; valid until the next call. */
struct bitset *place_scratch(struct search *s, const struct node *n);

/* ---- place_alike.c ---- */
struct place_answer {
        uint32_t number;
        struct gres_parts gres;
};

/* A cache of answers: place_ask() begins a key, place_ask_word() and place_ask_set() append
   everything the answer depends on, place_answered() looks the key up, and place_answer() stores a
   missing answer, once per key. */
void place_ask(struct search *s);
void place_ask_word(struct search *s, uint64_t word);
void place_ask_set(struct search *s, const struct bitset *set, size_t bits); /* set NULL: empty */
bool place_answered(const struct search *s, struct place_answer *ret);
void place_answer(struct search *s, const struct place_answer *answer);
struct place_answers *place_answers_free(struct place_answers *a); /* takes NULL, returns NULL */

/* ---- place_near.c ---- */
/* Returns whether some requested units are near only some of n's cores, and
   --gres-flags=disable-binding is not set. */
bool place_heeds_sides(const struct search *s, const struct node *n);
/* Returns whether, in addition, only near cores may be used: --gres-flags=enforce-binding. */
bool place_keeps_to_sides(const struct search *s, const struct node *n);
/* Returns the number of tasks (of `tasks`) fitting near the sides of n; reduces *gres, units of
   --gpus, accordingly. */
uint32_t place_tasks_near(struct search *s, const struct node *n, const struct yield *y,
                uint32_t tasks, struct gres_parts *gres);
/* Returns the number of tasks fitting on the offer if the node gives gpus of --gpus; with
   enforce-binding near these GPUs. */
uint32_t place_tasks_with(struct search *s, const struct offer *o, const struct gres_parts *gpus);
/* Returns the number of tasks with cores near their units, if the units are on as few sides as the
   units of one task. */
uint32_t place_tasks_beside(struct search *s, const struct offer *o, uint32_t tasks);
/* Returns the sides with enough units and cores for the node's part, as bits; 0: none. */
uint32_t place_sides(struct search *s, const struct offer *o);
/* Returns the fewest units of --gpus for the node's tasks, given the cores of each side; empty: one
   unit of any kind is enough. */
struct gres_parts place_fewest_near(struct search *s, const struct offer *o);
/* Returns the CPUs of a job getting a core near each of these sides, independent of tasks; 0: the
   rule does not apply. */
uint32_t place_least_of_sides(const struct search *s, const struct node *n, uint32_t sides,
                const struct bitset *blocked);
/* Returns the units of w for tasks on a node giving `dealt` of --gpus. */
static inline uint64_t place_gres_for(const struct gres_want *w, uint32_t tasks,
                const struct gres_parts *dealt) {
        uint64_t count = MAX(w->per_node, gres_of_tasks(w, MAX(tasks, 1u)));

        return w->per_job ? MAX(count, (uint64_t)dealt->of[w->of_job]) : count;
}

/* ---- place_choose.c ---- */
/* Makes offers of the nodes named by the job. -EBUSY: a named node can hold no task; -ENOENT: a
   named node is not usable. */
int place_required(struct search *s, const struct bitset *usable);
/* Makes offers of usable nodes in order of preference, until the offers are enough. */
void place_offers(struct search *s, const struct bitset *usable);
/* Returns the distance of an offered node: the power state, nearest first. */
size_t place_distance(const struct offer *o);
/* Moves the offers satisfying f before the others, from index first on; a stable partition. */
void place_partition(struct search *s, size_t first, bool (*f)(const struct offer *o));
/* Returns the CPUs for gpus units on a node: --cpus-per-gpu, or more if MaxMemPerCPU requires CPUs
   for the units' memory. */
static inline uint32_t place_cpus_of_gpus(const struct search *s, uint64_t gpus) {
        uint64_t cpus = s->j->needs.cpus_per_gpu * gpus;

        if (s->most_of_cpu)
                cpus = MAX(cpus, DIV_ROUND_UP(s->j->needs.mem_per_gpu * gpus, s->most_of_cpu));
        return (uint32_t)MIN(cpus, UINT32_MAX);
}
/* Returns the CPUs of tasks on a node; with --overcommit all tasks share the CPUs of one task. */
static inline uint64_t place_cpus_used(const struct search *s, uint64_t tasks) {
        return (s->j->asked.overcommit ? 1 : tasks) * s->cpus_per_task;
}
/* Orders of offers by size, required offers first. Several orders are tried: the offer with the
   most GPUs may have hardly a CPU. */
struct size_order {
        int (*largest)(const void *a, const void *b), (*smallest)(const void *a, const void *b);
};
/* Returns the smallest number of first offers whose largest offers, in one of the orders, are
   enough; 0: all offers are too few. */
size_t place_fewest_first(const struct search *s, const struct size_order **ret);
/* Sorts offers and returns how many of the first are taken; 0: all offers together are not
   enough. */
size_t place_choose(struct search *s);

/* ---- place_layers.c ---- */
/* Removes nodes from set which s->when.room does not allow. */
void place_heed_layers(const struct search *s, struct bitset *set);
/* Reduces set to preferred nodes which the layers allow together: more nodes than requested, but
   not all. Named nodes are not added, but count in the layers. */
void place_thin_out(const struct search *s, struct bitset *set);
/* Returns whether narrow excludes nodes which the job could have beside others. */
bool place_may_widen(const struct search *s, const struct bitset *usable);
/* place_choose() within s->when.room. */
size_t place_choose_layers(struct search *s);

/* ---- place_kinds.c ---- */
/* place_choose() for several kinds of --gpus. */
size_t place_choose_kinds(struct search *s);
/* Returns whether n offers, beginning with `from`, can together give all kinds of --gpus. */
bool place_kinds_do(const struct search *s, size_t from, size_t n);

/* ---- place_mix.c ---- */
/* Returns whether parts of --gpus of different size may be needed. */
bool place_may_mix(const struct search *s);
/* place_choose(); also sets each offer's tasks and units. */
size_t place_choose_mixed(struct search *s);

/* ---- place_limits.c ---- */
/* Returns j's usage on these nodes as counted by limits; the result borrows from j and p. */
struct tres_holding place_holding(const struct job *j, const struct placement *p);
/* Returns 0, or -EDQUOT with p emptied except for the limit. */
int place_heed_limits(const struct search *s, struct placement *p);
/* Returns whether n counts as unpowered in this search. */
bool place_must_be_woken(const struct search *s, const struct node *n);
/* place_heed_limits() for max_powered_nodes. */
int place_heed_power(const struct search *s, struct placement *p);
/* Sorts offers by cost, required offers first, and drops unpowered nodes beyond the number allowed
   to be powered up. */
void place_lightest_first(struct search *s);
/* Returns whether limits count generic resources of this type separately. */
bool place_is_named(const struct search *s, const char *name, const char *type);
/* place_choose() after place_lightest_first(). */
size_t place_choose_lightest(struct search *s);

/* Sets *ret to the TRES of the job at p, with licenses; *ret_node: the maximum on a node (may be
   NULL). A job with whole nodes counts all generic resources of the nodes. */
void place_held(const struct search *s, const struct placement *p, struct tres_set *ret,
                struct tres_set *ret_node);

/* ---- place_loads.c ---- */
#define LOADS_MAX (3 * TRES_MAX + GRES_KINDS_MAX + 4) /* one of each load */

struct load_part {
        uint32_t tasks;
        struct gres_parts gpus;
        uint64_t *of; /* n values */
};

struct load_kind {
        /* Number of offers; index of the first part, and the number of parts. */
        size_t offers, first, parts;
        size_t as;     /* own index, or the index of the equal kind merged with */
        bool required; /* required kinds come first */
};

/* Contributions and costs of offers, as numbers to be added up. Equal offers are one kind; a part
   is a possible share of a node of the kind. */
struct loads {
        size_t n; /* requirements and limits */
        struct load {
                enum load_of {
                        LOAD_NODES, /* requirements */
                        LOAD_TASKS,
                        LOAD_GPUS,
                        LOAD_LEAST,  /* MinTRES */
                        LOAD_PLACES, /* limits; here the number of nodes */
                        LOAD_WOKEN,
                        LOAD_MOST,
                        LOAD_COST,
                } what;
                size_t of;     /* index of the kind of --gpus, or of the resource */
                uint64_t room; /* amount required, or left of the limit */
        } of[LOADS_MAX];
        size_t n_parts, a_parts;
        struct load_part *parts;
        size_t n_kinds, a_kinds;
        struct load_kind *kinds;
        bool whole; /* the shares of nodes do not matter and are set later by place_settle() */
};
/* Sets each offer's rank to the offer's kind. -ENOENT: limits forbid all; -E2BIG: too many kinds.
   The caller calls place_loads_done() in any case. */
int place_loads(struct search *s, struct loads *ret);
void place_loads_done(struct loads *l);

/* ---- place_within.c ---- */
/* Returns whether any combination of nodes is possible for the job. */
bool place_may_be_within(const struct search *s);
/* place_choose() for offers in order of preference; also sets each offer's tasks and units. */
size_t place_choose_within(struct search *s);

/* ---- place_counts.c ---- */
/* Marks as many offers as the counted features need as required and moves these offers first;
   returns false if there are too few. */
bool place_count_features(struct search *s);
/* Assignment of counts to a sliding range of offers; NULL: there are no counts. */
struct deal;
struct deal *place_deal_new(const struct search *s);
struct deal *place_deal_free(struct deal *d);
DEFINE_CLEANUP(struct deal *, place_deal_free)
void place_deal_begin(struct deal *d, size_t from); /* an empty range */
void place_deal_add(struct deal *d);                /* adds the next offer */
void place_deal_drop(struct deal *d);               /* removes the first offer */
bool place_deal_suffices(const struct deal *d);     /* each count has enough offers */

/* ---- place_run.c ---- */
/* place_choose() with neighbouring nodes as the first offers. */
size_t place_choose_run(struct search *s);

/* ---- place_tree.c ---- */
/* Keeps the offers below one switch, ordered so that the first offers are on few leaves; returns
   false if no switch has enough. */
bool place_by_switch(struct search *s);
/* Returns the number of leaf switches of the first n offers. */
uint32_t place_count_switches(const struct search *s, size_t n);

/* ---- place_settle.c ---- */
/* Returns the CPUs charged for tasks with units. With CR_CPU only the CPUs in use are charged,
   unless no other job could use the rest. */
uint32_t place_charge(const struct search *s, const struct node *n, uint32_t tasks, uint32_t units,
                uint32_t least);
/* Returns whether the job gets all generic resources of the nodes: --exclusive, or EXCLUSIVE
   partition. */
bool place_takes_all_gres(const struct search *s);
/* Gives generic resources on the node with index place; returns false if enforce-binding finds no
   cores near the resources. */
bool place_give_gres(struct search *s, struct placement *p, const struct offer *o, uint32_t place);
/* Sets tasks, units, memory and victims of the first n offers. -EBUSY, -EDOM: the offers do not fit
   together, and p is empty. */
int place_settle(struct search *s, size_t n, struct placement *p);
/* place_settle() for one offer with `dealt` units. */
int place_settle_one(struct search *s, const struct offer *o, struct placement *p);

/* ---- place_share.c ---- */
struct shares {
        size_t n, kinds;
        const uint32_t *wants; /* nodes of each component */
        const uint32_t *size;  /* nodes of each kind */
        /* component * kinds + kind: the component can use nodes of the kind */
        const struct bitset *has;
        bool first;    /* prefer the first kinds */
        uint32_t *ret; /* result: nodes for each component and kind */
};
/* Distributes the nodes of each kind among components, so that each component gets the number
   wanted. -ENOENT: impossible; -E2BIG: unknown, the search was too large. */
int place_share_out(const struct shares *s);
