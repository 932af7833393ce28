/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/place/place_private.h - the search for a place, and its three parts
 *
 * place.c says what is asked; place_offer.c what a node can give, place_choose.c which of the offers are taken, and
 * place_settle.c what exactly the job gets there (place_near.c tells the first and the last what lies near what).  Where it matters
 * which nodes come together, others choose: place_run.c, place_tree.c, place_counts.c, place_kinds.c, place_mix.c, and where limits
 * are in the way place_limits.c and place_within.c, for which place_loads.c knows what nodes count for.  What depends
 * on a node alone goes to offers (so that place_capacity(), and with it the plan, knows it too), what depends on which nodes
 * come together to choosing. */
#pragma once

#include "controller/accounts/limits.h"
#include "controller/sched/place/place.h"

struct offer {
        struct node *node;
        uint32_t tasks; /* that fit */
        uint32_t given; /* tasks dealt to it */
        bool needs_victims;
        bool taken;    /* place_choose_kinds() has chosen it */
        bool required; /* --nodelist, or needed for a count of features: it is taken before others */
        uint32_t idle; /* units, for LLN */
        struct gres_parts gres; /* of what the job asks for altogether (--gpus): there are so many */
        struct gres_parts dealt; /* and so many it gives */
        bool reboot;   /* for the job's features */
        uint32_t depth; /* how many others hold the units of its first task there already */
        size_t rank, at; /* place_by_switch(): in which turn its leaf comes, and its place before; place_choose_mixed(): tasks for one GPU;
                            place_loads(): its kind */
        uint64_t charge[4]; /* place_lightest_first(): what a task there counts for, the first what is looked at first */
        uint32_t light; /* LIGHTEST_NAMED: so many tasks, and of --gpus, count for no more than the first one */
        struct gres_parts light_gres;
};

struct largest { /* a heap of offers by their place in search.offers, the least of them first */
        size_t *of;
        size_t n, allocated;
        size_t seen; /* so many, the first ones, have been asked to join; the order of these stays */
        uint64_t tasks;
        struct gres_sums gres;
};

struct search {
        struct cluster *c;
        const struct job *j;
        enum place_mode mode;
        struct period when; /* it would run */
        const struct features *features; /* what is asked for, or preferred */
        size_t alternative;              /* of "[a|b]": this one */
        bool all;                        /* all offers are looked at before some are taken */
        bool may_reboot, reboots; /* idle nodes for its features; those are offered now */
        struct yield base; /* these are out of the way anyhow: place_after() */
        struct yield of;   /* so are these, if need be: place_instead() */
        bool stops;        /* of is more than base */
        struct place_memo *memo; /* what is known of nodes with those of base; NULL: nothing */
        unsigned select; /* enum select_param, in force for its partition */
        bool tree; /* place_heeds_switches() */
        bool lln;        /* the least loaded first */
        bool by_socket;  /* what can be used of a node depends on its sockets */
        bool shares;       /* units that others hold are offered where it may share them (lives/alloc.h) */
        bool reserved; /* heeds what reservations keep of nodes while the job would run, not only that it is to keep to its own */
        bool limits;   /* those of its QOS and associations count */
        /* Limits count as they would without some jobs; NULL: as they are. */
        const struct limits_without *without;
        size_t power;  /* so many of its nodes may lack power (max_powered_nodes); SIZE_MAX: any number */
        const struct bitset *sleepless; /* these alone would have it: powered_for_good(); NULL: those that have it now */
        enum lightest { /* they forbid what it would like best: what counts least is taken */
                LIGHTEST_NOT,
                LIGHTEST_CPUS,
                LIGHTEST_NAMED, /* of generic resources that are counted by their type, then CPUs */
                LIGHTEST_WITHIN, /* whatever is within all limits: place_within.c */
                LIGHTEST_MAX
        } lightest;
        bool evenly; /* no node has more tasks than have cores near its part of --gpus */
        bool mixed;  /* ... or nodes have parts of different size: place_mix.c */
        bool dealt;  /* what each node gives, and its tasks, have been chosen with the nodes */
        bool unsure; /* place_choose_within() has come to no end */
        uint64_t weighed; /* so often has place_loads() been called */
        bool whole; /* whole nodes: select/linear, EXCLUSIVE, --exclusive */
        uint32_t min_nodes, max_nodes, num_tasks, cpus_per_task;
        uint32_t least_cpus; /* a node with fewer than that is of no use */
        uint32_t group; /* tasks of it come together to a node: --ntasks-per-gpu, else 1 */
        uint64_t most_of_cpu; /* MaxMemPerCPU, where memory goes by how many of --gpus a node gives; else 0 */
        uint32_t want_nodes; /* of -N2-4: as many as there are without waiting for them */
        struct offer *offers;
        size_t n_offers, a_offers;
        uint64_t tasks;         /* of all offers */
        struct largest largest[2]; /* of them, by --gpus and by tasks, where there are more than there may be nodes */
        bool largest_do;        /* they are enough */
        struct gres_total total; /* --gpus */
        struct gres_sums gres;   /* of it, of all offers */
        struct bitset *blocked; /* scratch, of the size of the last node */
        struct resv_kept *kept; /* by reservations of cores; NULL: they have not been asked yet */
        struct place_answers *answers; /* place_alike.c; NULL: nothing has been asked yet */
};

/* ---- place.c ---- */
/* What depends on nothing but the job, for all three parts; ends with search_done(). */
struct search place_search(struct cluster *c, const struct job *j, enum place_mode mode);
void place_search_done(struct search *s);

/* ---- place_sockets.c ---- */
struct room { /* on a node */
        uint32_t free;  /* units */
        uint32_t units; /* of these: what it can use */
        uint32_t tasks; /* that may run there, by what it says of sockets */
        const struct bitset *blocked; /* units that it cannot have; NULL: none */
};

bool place_by_socket(const struct job *j, unsigned select);
/* blocked NULL: nothing is. */
struct room place_room(const struct search *s, const struct node *n, const struct bitset *blocked);
/* Units that so many tasks take there, as they are handed out; for so many CPUs at least. */
uint32_t place_units_for(const struct search *s, const struct node *n, const struct bitset *blocked, uint32_t tasks, uint32_t least);
/* Takes up to want units for so many tasks out of what is not blocked; returns how many are still wanted.  at: where n's begin
   in units. */
uint32_t place_take_units(const struct search *s, const struct node *n, const struct bitset *blocked, struct bitset *units,
                size_t at, uint32_t want, uint32_t tasks);
/* A core that is not blocked of each of n's sides that it has none of, or its socket, up to *left; false: one has none.  at: as above. */
bool place_take_of_each(const struct search *s, const struct node *n, uint32_t sides, const struct bitset *blocked, struct bitset *units,
                size_t at, uint32_t *left);
/* By --ntasks-per-socket. */
bool place_keeps_tasks_apart(const struct search *s);

/* ---- place_offer.c ---- */
/* Adds what n can give, if it is anything. */
void place_offer(struct search *s, struct node *n, bool required);
/* So many tasks, and so much of --gpus, are all that it asks for. */
bool place_does_alone(const struct search *s, uint32_t tasks, const struct gres_parts *gres);
/* CPUs of n, if some yield, that it may be charged for by its memory and its partition's MaxCPUsPerNode, whether they are free or not. */
uint32_t place_most_cpus(const struct search *s, const struct node *n, const struct yield *y);
/* MB of n that are held by those that yield or by none. */
uint64_t place_free_memory(const struct search *s, const struct node *n, const struct yield *y);
/* Units of n that it cannot have, if some yield; NULL: it can have all.  It lasts until the next call. */
struct bitset *place_block(struct search *s, const struct node *n, const struct yield *y);
/* Of the size of n's units; it lasts until the next call. */
struct bitset *place_scratch(struct search *s, const struct node *n);

/* ---- place_alike.c ---- */
struct place_answer {
        uint32_t number;
        struct gres_parts gres;
};

/* A question, word for word; then whether it is answered, and if not the answer, once.  Words are all that the answer follows from,
   beside the search itself. */
void place_ask(struct search *s);
void place_ask_word(struct search *s, uint64_t word);
void place_ask_set(struct search *s, const struct bitset *set, size_t bits); /* set NULL: empty */
bool place_answered(const struct search *s, struct place_answer *ret);
void place_answer(struct search *s, const struct place_answer *answer);
struct place_answers *place_answers_free(struct place_answers *a); /* takes NULL, returns NULL */

/* ---- place_near.c ---- */
/* Some of what it asks for lies near some of n's cores alone, and it does not want that left aside. */
bool place_heeds_sides(const struct search *s, const struct node *n);
/* ... and it is to have no others: --gres-flags=enforce-binding. */
bool place_keeps_to_sides(const struct search *s, const struct node *n);
/* Of so many tasks (and of --gpus, *gres), as n could have otherwise, those that can be kept to its sides. */
uint32_t place_tasks_near(struct search *s, const struct node *n, const struct yield *y, uint32_t tasks, struct gres_parts *gres);
/* Tasks there, if it gives so many of --gpus, which are near their cores if it keeps to its sides. */
uint32_t place_tasks_with(struct search *s, const struct offer *o, const struct gres_parts *gpus);
/* Of so many tasks those that have cores near its units there when these are of as few sides as one task's. */
uint32_t place_tasks_beside(struct search *s, const struct offer *o, uint32_t tasks);
/* The sides with enough units and cores for the node's part, as bits; 0: there are none. */
uint32_t place_sides(struct search *s, const struct offer *o);
/* So many of --gpus must its tasks there have at least: its sides' cores are few.  Nothing: one of any kind does. */
struct gres_parts place_fewest_near(struct search *s, const struct offer *o);
/* CPUs of a job that is given a core of each of these sides whatever its tasks need; 0: it is not. */
uint32_t place_least_of_sides(const struct search *s, const struct node *n, uint32_t sides, const struct bitset *blocked);
/* Of a want, for so many tasks there and so many of --gpus. */
static inline uint64_t place_gres_for(const struct gres_want *w, uint32_t tasks, const struct gres_parts *dealt) {
        uint64_t count = MAX(w->per_node, gres_of_tasks(w, MAX(tasks, 1u)));

        return w->per_job ? MAX(count, (uint64_t)dealt->of[w->of_job]) : count;
}

/* ---- place_choose.c ---- */
/* Offers of the nodes that the job names; -EBUSY: not all of them can give anything. */
int place_required(struct search *s, const struct bitset *usable);
/* Those of usable in order of preference, until they are enough. */
void place_offers(struct search *s, const struct bitset *usable);
/* How far away an offered node is: the power states in their order. */
size_t place_distance(const struct offer *o);
/* Those that f is true of come first, otherwise order stays. */
void place_partition(struct search *s, size_t first, bool (*f)(const struct offer *o));
/* CPUs that so many of --gpus on a node want: --cpus-per-gpu, and those that MaxMemPerCPU wants for their memory. */
static inline uint32_t place_cpus_of_gpus(const struct search *s, uint64_t gpus) {
        uint64_t cpus = s->j->cpus_per_gpu * gpus;

        if (s->most_of_cpu)
                cpus = MAX(cpus, DIV_ROUND_UP(s->j->mem_per_gpu * gpus, s->most_of_cpu));
        return (uint32_t)MIN(cpus, UINT32_MAX);
}
/* What so many tasks use on a node; with --overcommit all share what one of them wants. */
static inline uint64_t place_cpus_used(const struct search *s, uint64_t tasks) {
        return (s->j->spec.overcommit ? 1 : tasks) * s->cpus_per_task;
}
/* The orders in which fewer, larger ones may be enough, required ones first: one that has most to give of --gpus may have hardly a CPU
   for it. */
struct size_order {
        int (*largest)(const void *a, const void *b), (*smallest)(const void *a, const void *b);
};
/* So many of the offers, the first ones, must there be for the largest of them, in such an order, to be enough; 0: all are too few. */
size_t place_fewest_first(const struct search *s, const struct size_order **ret);
/* How many offers, the first ones then, are taken; 0: all together are not enough. */
size_t place_choose(struct search *s);

/* ---- place_kinds.c ---- */
/* As place_choose(), where several kinds are asked for altogether. */
size_t place_choose_kinds(struct search *s);
/* Offers from that place on: could each give something, so that they give all that is asked for? */
bool place_kinds_do(const struct search *s, size_t from, size_t n);

/* ---- place_mix.c ---- */
/* It may be that nodes do with parts of --gpus of different size alone. */
bool place_may_mix(const struct search *s);
/* As place_choose(); what they give and how many tasks they have is settled too. */
size_t place_choose_mixed(struct search *s);

/* ---- place_limits.c ---- */
/* 0, or -EDQUOT: p is emptied, and says why. */
int place_heed_limits(const struct search *s, struct placement *p);
/* It lacks power, as far as the search knows. */
bool place_must_be_woken(const struct search *s, const struct node *n);
/* As place_heed_limits() where more nodes would have to be woken than may be. */
int place_heed_power(const struct search *s, struct placement *p);
/* What the job would be charged the least for comes first, required ones before; of nodes without power no more than may be woken. */
void place_lightest_first(struct search *s);
/* Generic resources of that type are counted by it. */
bool place_is_named(const struct search *s, const char *name, const char *type);
/* As place_choose() does, of these. */
size_t place_choose_lightest(struct search *s);

/* What the job would have there, licenses too; a job that gets all generic resources of its nodes gets them as if no other had some of them. */
void place_held(const struct search *s, const struct placement *p, struct tres_set *ret, struct tres_set *ret_node);

/* ---- place_loads.c ---- */
#define LOADS_MAX (3 * TRES_MAX + GRES_KINDS_MAX + 4) /* one of each */

/* What nodes do, and count for, in numbers that can be added up.  Offers that are alike are of one kind; a part is what the job may be
   given of one of them. */
struct loads {
        size_t n; /* things that are needed or limited */
        struct load {
                enum load_of {
                        LOAD_NODES, /* needed: so many */
                        LOAD_TASKS,
                        LOAD_GPUS,
                        LOAD_LEAST, /* MinTRES */
                        LOAD_PLACES, /* limited, as what follows: nodes again */
                        LOAD_WOKEN,
                        LOAD_MOST,
                        LOAD_COST,
                } what;
                size_t of; /* which kind of --gpus, or resource */
                uint64_t room; /* so much is needed, or left */
        } of[LOADS_MAX];
        size_t n_parts, a_parts;
        struct load_part {
                uint32_t tasks;
                struct gres_parts gpus;
                uint64_t *of; /* n */
        } *parts;
        size_t n_kinds, a_kinds;
        struct load_kind {
                size_t offers, first, parts; /* so many offers; its parts, from the first one on */
                size_t as; /* itself, or the kind that it has turned out to be: then there are no offers of it */
                bool required; /* such kinds come first */
        } *kinds;
        bool whole; /* what a node is given, and its tasks, do not matter: they are dealt later, as elsewhere */
};
/* Each offer's rank becomes its kind.  -ENOENT: limits forbid all; -E2BIG: there is too much of it.  place_loads_done() is for those, too. */
int place_loads(struct search *s, struct loads *ret);
void place_loads_done(struct loads *l);

/* ---- place_within.c ---- */
/* Of its nodes any may come together. */
bool place_may_be_within(const struct search *s);
/* As place_choose(), of offers in order of preference; what they give and how many tasks they have is settled too. */
size_t place_choose_within(struct search *s);

/* ---- place_counts.c ---- */
/* So many of the offers as features with counts want become required ones, which come first; false: there are too few. */
bool place_count_features(struct search *s);
/* Which count has which of a row of offers, as these come and go at its ends; NULL: there are no counts. */
struct deal;
struct deal *place_deal_new(const struct search *s);
struct deal *place_deal_free(struct deal *d);
DEFINE_CLEANUP(struct deal *, place_deal_free)
void place_deal_begin(struct deal *d, size_t from); /* an empty row */
void place_deal_add(struct deal *d);                /* the next offer comes */
void place_deal_drop(struct deal *d);               /* the first one goes */
bool place_deal_suffices(const struct deal *d);     /* each count has offers of its own */

/* ---- place_run.c ---- */
/* As place_choose(): the first n are neighbours. */
size_t place_choose_run(struct search *s);

/* ---- place_tree.c ---- */
/* Leaves the offers below one switch, so ordered that the first that are enough are on few leaves; false: no switch leads to
   enough. */
bool place_by_switch(struct search *s);
/* On how many are the first n. */
uint32_t place_count_switches(const struct search *s, size_t n);

/* ---- place_settle.c ---- */
/* CPUs that so many tasks with so many units are charged for: with CR_CPU what they use, unless no other job could use the
   rest. */
uint32_t place_charge(const struct search *s, const struct node *n, uint32_t tasks, uint32_t units, uint32_t least);
/* The job has the node for itself, by --exclusive or its partition. */
bool place_takes_all_gres(const struct search *s);
/* Its generic resources on the node at place, or all of them; false: they have no cores near them, as it wants. */
bool place_give_gres(struct search *s, struct placement *p, const struct offer *o, uint32_t place);
/* Tasks, units, memory and victims of the first n offers.  -EBUSY: they do not go together as it wants, and p is empty. */
int place_settle(struct search *s, size_t n, struct placement *p);
/* The same of one offer, with what is dealt to it. */
int place_settle_one(struct search *s, const struct offer *o, struct placement *p);
