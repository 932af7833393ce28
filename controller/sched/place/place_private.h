/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/place/place_private.h - the search for a place, and its three parts
 *
 *   place.c         the question: what the job asks for
 *   place_offer.c   what each node can give
 *   place_choose.c  which offers are taken
 *   place_settle.c  what exactly the job gets on them
 *
 * place_near.c tells place_offer.c and place_settle.c which cores are near which units.  Where the
 * combination of nodes matters other files choose: place_run.c, place_tree.c, place_counts.c,
 * place_kinds.c, place_mix.c, place_layers.c; where limits forbid the choice place_limits.c and
 * place_within.c, with the costs of nodes from place_loads.c.
 *
 * Rules that depend on a node alone belong to offers, so that place_capacity(), and with it the
 * plan, respects them, too; rules on the combination of nodes belong to choosing. */
#pragma once

#include "controller/model/account.h"
#include "controller/model/spec.h"
#include "controller/sched/place/place.h"

struct offer {
        struct node *node;
        uint32_t tasks; /* tasks that fit */
        uint32_t given; /* tasks that it gets */
        bool needs_victims;
        bool taken;              /* place_choose_kinds() has chosen it */
        bool required;           /* --nodelist, or a count of features: taken before others */
        uint32_t idle;           /* idle units, for LLN */
        struct gres_parts gres;  /* units of --gpus that it has */
        struct gres_parts dealt; /* units of --gpus that it gives */
        bool reboot;             /* must be rebooted for the job's features */
        uint32_t depth;          /* number of jobs on the units of its first task */
        /* rank: place_by_switch(): order of its leaf; place_choose_mixed(): tasks for one GPU;
           place_loads(): its kind. at: place_by_switch(): its index before. */
        size_t rank, at;
        /* place_lightest_first(): costs of a task there, compared in this order. */
        uint64_t charge[4];
        /* LIGHTEST_NAMED: tasks, and units of --gpus, that cost no more than the first one. */
        uint32_t light;
        struct gres_parts light_gres;
};

struct largest { /* a heap of indexes of search.offers, the smallest offer first */
        size_t *of;
        size_t n, allocated;
        size_t seen; /* the first ones that were considered; their order stays */
        uint64_t tasks;
        struct gres_sums gres;
};

struct search {
        struct cluster *c;
        const struct job *j;
        enum place_mode mode;
        struct period when;              /* it would run */
        const struct features *features; /* of --constraint or --prefer */
        size_t alternative;              /* index in "[a|b]" */
        bool all;                        /* all offers are made before some are taken */
        /* of when.room: nodes of layers with enough alone; nodes of a layer are counted */
        bool narrow, counted;
        bool few; /* of when.room: no more nodes than would do, all of which it may have together */
        /* Idle nodes may be rebooted for its features; these are offered now. */
        bool may_reboot, reboots;
        struct yield base;           /* jobs that are out of the way: place_after() */
        struct yield of;             /* possible victims and base: place_instead() */
        bool stops;                  /* of has more than base */
        struct place_memo *memo;     /* of this request and base; NULL: none */
        unsigned select;             /* enum select_param of its partition */
        const struct topology *tree; /* of its partition; NULL: not place_heeds_switches() */
        bool lln;                    /* the least loaded nodes first */
        bool by_socket;              /* the usable units of a node depend on its sockets */
        /* Units of other jobs are offered where it may share them (jobs/alloc.h). */
        bool shares;
        /* Respects cores that reservations keep while the job would run, not only its own
           reservation. */
        bool reserved;
        bool limits; /* limits of its QOS and associations apply */
        /* Limits count as they would without some jobs; NULL: as they are. */
        const struct limits_without *without;
        /* Most of its nodes that may lack power (max_powered_nodes); SIZE_MAX: no limit. */
        size_t power;
        /* Nodes that count as powered: powered_for_good(); NULL: those that are now. */
        const struct bitset *sleepless;
        enum lightest { /* limits forbid the preferred nodes: take those that cost least */
                LIGHTEST_NOT,
                LIGHTEST_CPUS,
                LIGHTEST_NAMED,  /* by generic resources that are counted by type, then CPUs */
                LIGHTEST_WITHIN, /* any nodes within all limits: place_within.c */
                LIGHTEST_MAX
        } lightest;
        bool evenly;      /* no node gets more tasks than have cores near its part of --gpus */
        bool mixed;       /* nodes give parts of different size: place_mix.c */
        bool dealt;       /* the tasks and units of each node have been chosen with the nodes */
        bool unsure;      /* place_choose_within() gave up */
        uint64_t weighed; /* number of calls of place_loads() */
        bool whole;       /* whole nodes: select/linear, EXCLUSIVE, --exclusive */
        uint32_t min_nodes, max_nodes, num_tasks, cpus_per_task;
        uint32_t least_cpus;  /* a node with fewer CPUs is of no use */
        uint32_t group;       /* tasks that stay together on a node: --ntasks-per-gpu, else 1 */
        uint64_t most_of_cpu; /* MaxMemPerCPU, with memory per unit of --gpus; else 0 */
        uint32_t want_nodes;  /* of -N2-4: as many as are up without preemption */
        struct offer *offers;
        size_t n_offers, a_offers;
        uint64_t tasks; /* of all offers */
        /* By --gpus and by tasks, if there are more offers than possible nodes. */
        struct largest largest[2];
        bool largest_do;               /* these are enough */
        struct gres_total total;       /* --gpus */
        struct gres_sums gres;         /* units of it in all offers */
        struct bitset *blocked;        /* scratch: units of one node */
        struct resv_kept *kept;        /* cores of reservations; NULL: not computed yet */
        struct place_answers *answers; /* place_alike.c; NULL: none yet */
};

/* ---- place.c ---- */
/* The question of job j, for all three parts; the caller calls place_search_done(). */
struct search place_search(struct cluster *c, const struct job *j, enum place_mode mode);
void place_search_done(struct search *s);

/* ---- place_sockets.c ---- */
struct room {                         /* units of a node for the job */
        uint32_t free;                /* free units */
        uint32_t units;               /* free units that it can use */
        uint32_t tasks;               /* tasks that fit, by its request for sockets */
        const struct bitset *blocked; /* units that it cannot get; NULL: none */
};

bool place_by_socket(const struct job *j, unsigned select);
/* blocked: units that the job cannot get; NULL: none. */
struct room place_room(const struct search *s, const struct node *n, const struct bitset *blocked);
/* Units that tasks take on n, in the order of distribution; for at least least CPUs. */
uint32_t place_units_for(const struct search *s, const struct node *n, const struct bitset *blocked,
                uint32_t tasks, uint32_t least);
/* Takes up to want units that are not blocked for tasks, and returns how many are missing.  at:
   index of n's first unit in units. */
uint32_t place_take_units(const struct search *s, const struct node *n,
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t want,
                uint32_t tasks);
/* Takes a free core near each side without one, or of its socket, up to *left; false: a side has
   none.  at: as above. */
bool place_take_of_each(const struct search *s, const struct node *n, uint32_t sides,
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t *left);
/* --ntasks-per-socket spreads tasks over sockets. */
bool place_keeps_tasks_apart(const struct search *s);

/* ---- place_offer.c ---- */
/* Adds an offer of n, if it can give anything. */
void place_offer(struct search *s, struct node *n, bool required);
/* Leaves nodes in set that could serve j if they were empty and in service, with any features that
   they may have.  Neighbours with the same number in run are built alike.  Returns the fewest of
   them that j needs. */
uint32_t place_could_serve(struct cluster *c, const struct job *j, const uint32_t *run,
                struct bitset *set);
/* These tasks and units of --gpus are all that the job asks for. */
bool place_does_alone(const struct search *s, uint32_t tasks, const struct gres_parts *gres);
/* CPUs of n, free or not, that memory left by y and the partition's MaxCPUsPerNode allow. */
uint32_t place_most_cpus(const struct search *s, const struct node *n, const struct yield *y);
/* Memory of n in MB that is free or held by jobs of y. */
uint64_t place_free_memory(const struct search *s, const struct node *n, const struct yield *y);
/* Units of n that the job cannot get if the jobs of y yield; NULL: none.  Valid until the next
   call. */
struct bitset *place_block(struct search *s, const struct node *n, const struct yield *y);
/* An empty set for n's units; valid until the next call. */
struct bitset *place_scratch(struct search *s, const struct node *n);

/* ---- place_alike.c ---- */
struct place_answer {
        uint32_t number;
        struct gres_parts gres;
};

/* A cache of answers: place_ask() begins a key, place_ask_word() and place_ask_set() append all
   that the answer depends on, place_answered() looks it up, and place_answer() stores a missing
   answer, once. */
void place_ask(struct search *s);
void place_ask_word(struct search *s, uint64_t word);
void place_ask_set(struct search *s, const struct bitset *set, size_t bits); /* set NULL: empty */
bool place_answered(const struct search *s, struct place_answer *ret);
void place_answer(struct search *s, const struct place_answer *answer);
struct place_answers *place_answers_free(struct place_answers *a); /* takes NULL, returns NULL */

/* ---- place_near.c ---- */
/* Some requested units are near only some of n's cores, and the job has no
   --gres-flags=disable-binding. */
bool place_heeds_sides(const struct search *s, const struct node *n);
/* ... and it may have no others: --gres-flags=enforce-binding. */
bool place_keeps_to_sides(const struct search *s, const struct node *n);
/* Of tasks (and *gres, units of --gpus) that n could have otherwise, those that fit near its
   sides. */
uint32_t place_tasks_near(struct search *s, const struct node *n, const struct yield *y,
                uint32_t tasks, struct gres_parts *gres);
/* Tasks that fit on the offer if it gives gpus of --gpus; with enforce-binding near these. */
uint32_t place_tasks_with(struct search *s, const struct offer *o, const struct gres_parts *gpus);
/* Of tasks, those with cores near their units when these are on as few sides as those of one
   task. */
uint32_t place_tasks_beside(struct search *s, const struct offer *o, uint32_t tasks);
/* The sides with enough units and cores for the node's part, as bits; 0: there are none. */
uint32_t place_sides(struct search *s, const struct offer *o);
/* The fewest of --gpus that its tasks there need, as each side has few cores; empty: one of any
   kind is enough. */
struct gres_parts place_fewest_near(struct search *s, const struct offer *o);
/* CPUs of a job that gets a core near each of these sides, whatever its tasks need; 0: it does
   not. */
uint32_t place_least_of_sides(const struct search *s, const struct node *n, uint32_t sides,
                const struct bitset *blocked);
/* Units of w for tasks on a node that gives dealt of --gpus. */
static inline uint64_t place_gres_for(const struct gres_want *w, uint32_t tasks,
                const struct gres_parts *dealt) {
        uint64_t count = MAX(w->per_node, gres_of_tasks(w, MAX(tasks, 1u)));

        return w->per_job ? MAX(count, (uint64_t)dealt->of[w->of_job]) : count;
}

/* ---- place_choose.c ---- */
/* Makes offers of the nodes that the job names; -EBUSY: one of them can give nothing. */
int place_required(struct search *s, const struct bitset *usable);
/* Makes offers of usable nodes in order of preference, until they are enough. */
void place_offers(struct search *s, const struct bitset *usable);
/* The distance of an offered node: its power state, nearest first. */
size_t place_distance(const struct offer *o);
/* Moves offers with f before the others, from first on; a stable partition. */
void place_partition(struct search *s, size_t first, bool (*f)(const struct offer *o));
/* CPUs for gpus units on a node: --cpus-per-gpu, and those that MaxMemPerCPU needs for their
   memory. */
static inline uint32_t place_cpus_of_gpus(const struct search *s, uint64_t gpus) {
        uint64_t cpus = s->j->needs.cpus_per_gpu * gpus;

        if (s->most_of_cpu)
                cpus = MAX(cpus, DIV_ROUND_UP(s->j->needs.mem_per_gpu * gpus, s->most_of_cpu));
        return (uint32_t)MIN(cpus, UINT32_MAX);
}
/* CPUs of tasks on a node; with --overcommit all share those of one. */
static inline uint64_t place_cpus_used(const struct search *s, uint64_t tasks) {
        return (s->j->asked.overcommit ? 1 : tasks) * s->cpus_per_task;
}
/* Orders of offers by size, required ones first.  There are several: the offer with the most GPUs
   may have hardly a CPU. */
struct size_order {
        int (*largest)(const void *a, const void *b), (*smallest)(const void *a, const void *b);
};
/* The least number of first offers of which the largest, in one of these orders, are enough; 0: all
   are too few. */
size_t place_fewest_first(const struct search *s, const struct size_order **ret);
/* Sorts offers and returns how many of the first are taken; 0: all together are not enough. */
size_t place_choose(struct search *s);

/* ---- place_layers.c ---- */
/* Takes nodes out of set that it cannot have by s->when.room. */
void place_heed_layers(const struct search *s, struct bitset *set);
/* Leaves nodes in set, in order of preference, that it may have together: more than it asks for,
   but not all; those that it names are not among them, but count. */
void place_thin_out(const struct search *s, struct bitset *set);
/* narrow leaves nodes out that it could have beside others. */
bool place_may_widen(const struct search *s, const struct bitset *usable);
/* As place_choose(), within s->when.room. */
size_t place_choose_layers(struct search *s);

/* ---- place_kinds.c ---- */
/* As place_choose(), for several kinds of --gpus. */
size_t place_choose_kinds(struct search *s);
/* Whether n offers from from on can together give all kinds. */
bool place_kinds_do(const struct search *s, size_t from, size_t n);

/* ---- place_mix.c ---- */
/* Only parts of --gpus of different size may be enough. */
bool place_may_mix(const struct search *s);
/* As place_choose(); also sets the tasks and units that each gives. */
size_t place_choose_mixed(struct search *s);

/* ---- place_limits.c ---- */
/* What limits count of j there; it borrows. */
struct tres_holding place_holding(const struct job *j, const struct placement *p);
/* 0, or -EDQUOT: p is emptied, except for the limit. */
int place_heed_limits(const struct search *s, struct placement *p);
/* n counts as unpowered in this search. */
bool place_must_be_woken(const struct search *s, const struct node *n);
/* As place_heed_limits(), for max_powered_nodes. */
int place_heed_power(const struct search *s, struct placement *p);
/* Sorts offers by cost, required ones first, and drops unpowered nodes beyond those that may be
   woken. */
void place_lightest_first(struct search *s);
/* Limits count generic resources of that type by the type. */
bool place_is_named(const struct search *s, const char *name, const char *type);
/* As place_choose(), after place_lightest_first(). */
size_t place_choose_lightest(struct search *s);

/* The TRES of the job at p, with licenses; a job with whole nodes counts all generic resources of
   them. */
void place_held(const struct search *s, const struct placement *p, struct tres_set *ret,
                struct tres_set *ret_node);

/* ---- place_loads.c ---- */
#define LOADS_MAX (3 * TRES_MAX + GRES_KINDS_MAX + 4) /* one of each */

struct load_part {
        uint32_t tasks;
        struct gres_parts gpus;
        uint64_t *of; /* n */
};

struct load_kind {
        /* Number of offers; index of its first part, and how many. */
        size_t offers, first, parts;
        size_t as;     /* its own index, or that of the equal kind it was merged into */
        bool required; /* such kinds come first */
};

/* What offers contribute and cost, as numbers that can be added.  Equal offers are one kind; a part
   is a possible share of one of them. */
struct loads {
        size_t n; /* requirements and limits */
        struct load {
                enum load_of {
                        LOAD_NODES, /* requirements */
                        LOAD_TASKS,
                        LOAD_GPUS,
                        LOAD_LEAST,  /* MinTRES */
                        LOAD_PLACES, /* limits: nodes */
                        LOAD_WOKEN,
                        LOAD_MOST,
                        LOAD_COST,
                } what;
                size_t of;     /* index of the kind of --gpus, or of the resource */
                uint64_t room; /* how much is required, or left */
        } of[LOADS_MAX];
        size_t n_parts, a_parts;
        struct load_part *parts;
        size_t n_kinds, a_kinds;
        struct load_kind *kinds;
        bool whole; /* the shares of nodes do not matter: they are set later, as elsewhere */
};
/* Sets each offer's rank to its kind.  -ENOENT: limits forbid all; -E2BIG: too many kinds.
   place_loads_done() in any case. */
int place_loads(struct search *s, struct loads *ret);
void place_loads_done(struct loads *l);

/* ---- place_within.c ---- */
/* Any combination of its nodes is possible. */
bool place_may_be_within(const struct search *s);
/* As place_choose(), for offers in order of preference; also sets the tasks and units that each
   gives. */
size_t place_choose_within(struct search *s);

/* ---- place_counts.c ---- */
/* Marks as many offers as counted features need as required and moves them first; false: there are
   too few. */
bool place_count_features(struct search *s);
/* The assignment of counts to a sliding row of offers; NULL: there are no counts. */
struct deal;
struct deal *place_deal_new(const struct search *s);
struct deal *place_deal_free(struct deal *d);
DEFINE_CLEANUP(struct deal *, place_deal_free)
void place_deal_begin(struct deal *d, size_t from); /* an empty row */
void place_deal_add(struct deal *d);                /* adds the next offer */
void place_deal_drop(struct deal *d);               /* removes the first offer */
bool place_deal_suffices(const struct deal *d);     /* each count has enough offers of its own */

/* ---- place_run.c ---- */
/* As place_choose(): the first offers are neighbours. */
size_t place_choose_run(struct search *s);

/* ---- place_tree.c ---- */
/* Keeps the offers below one switch, in an order in which the first ones are on few leaves; false:
   no switch has enough. */
bool place_by_switch(struct search *s);
/* The number of leaf switches of the first n offers. */
uint32_t place_count_switches(const struct search *s, size_t n);

/* ---- place_settle.c ---- */
/* CPUs that tasks with units are charged for: with CR_CPU those that they use, unless no other job
   could use the rest. */
uint32_t place_charge(const struct search *s, const struct node *n, uint32_t tasks, uint32_t units,
                uint32_t least);
/* The job gets all generic resources of its nodes: --exclusive, or its partition is EXCLUSIVE. */
bool place_takes_all_gres(const struct search *s);
/* Gives it generic resources on the node at index place; false: enforce-binding finds no cores near
   them. */
bool place_give_gres(struct search *s, struct placement *p, const struct offer *o, uint32_t place);
/* Sets tasks, units, memory and victims of the first n offers.  -EBUSY: they do not fit together,
   and p is empty. */
int place_settle(struct search *s, size_t n, struct placement *p);
/* The same for one offer, with its dealt units. */
int place_settle_one(struct search *s, const struct offer *o, struct placement *p);

/* ---- place_share.c ---- */
struct shares {
        size_t n, kinds;
        const uint32_t *wants;    /* nodes, of each component */
        const uint32_t *size;     /* nodes of each kind */
        const struct bitset *has; /* component * kinds + kind: it could have some of it */
        bool first;               /* kinds that come first are taken first */
        uint32_t *ret;            /* ... how many it gets */
};
/* -ENOENT: there is no way to give each so many, distinct ones; -E2BIG: not known, it is too much
   to look at. */
int place_share_out(const struct shares *s);
