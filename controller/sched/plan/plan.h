/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/plan.h - the plan's state: plan.c keeps it right, fit.c looks for places in
   it; backfill.c decides by it */
#pragma once

#include "controller/accounts/bids.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt_known.h"
#include "controller/sched/place/place.h"
#include "controller/sched/plan/bounds.h"
#include "controller/sched/plan/freed.h"
#include "controller/sched/plan/leases.h"
#include "controller/sched/plan/parts.h"
#include "controller/sched/plan/profile.h"
#include "controller/sched/plan/shape.h"
#include "controller/sched/plan/track.h"
#include "controller/sched/plan/usable.h"

/* Work of one turn, in words of 64 nodes: 1 to 2 ms. */
#define BUDGET 1000000u
/* A node that should be free by now, its job completing or over its limit, is planned to be free so
   much later. */
#define OVERDUE (30 * USEC_PER_SEC)

struct node_plans { /* the plans that have a node, by their start and their number */
        uint32_t cpus_used;
        uint64_t memory_used, gres_used;
        size_t n_jobs; /* on it, then */
        struct job_plan **list;
        uint32_t n, allocated;
};

struct per_partition {
        uint32_t tested;
        const struct job_plan *reserved; /* bf_easy: the place that a job has */
};

struct per_user {
        uint64_t key; /* user_key() */
        uint32_t tested;
};

/* When a heterogeneous job is looked for, in one of its ways: from then on, after so many times. */
struct het_times {
        usec_t from;
        int round;
};

enum het_stage {
        HET_COUNTED,       /* could it ever run */
        HET_STARTS,        /* can it start now */
        HET_FITS,          /* where has it a place */
        HET_BEFORE_OTHERS, /* and where, if those behind it have none */
};

/* How far that is (backfill_het.c). */
struct het_search {
        uint32_t job;          /* the leader's id; 0: none is looked at */
        const struct bid *bid; /* where; it may be gone */
        uint64_t moment;       /* backfill.moment, when it began */
        enum het_stage stage;
        bool shorter; /* with less time (--time-min) */
        bool anew;    /* begun once more, as what was found is not there any more */
        size_t way;
        bool allowed; /* by limits, in some way */
        struct het_times times;
        bool found, best_shorter;
        size_t best;        /* which way */
        usec_t start, over; /* there; with its boot */
};

struct backfill {
        size_t n_nodes;
        struct parts *node_parts;
        struct profile *profile; /* of parts of nodes */
        /* each part, by what runs there, until then; 0: it is free, USEC_INFINITY: its node is out
           of service */
        usec_t *busy;
        struct shapes *shapes;
        struct leases *leases;
        struct node_plans *of;
        /* of each node: when the first of its plans begins; USEC_INFINITY: it has none */
        usec_t *first;
        /* of each part: as busy, as far as the profile knows; and when the first of what makes it
           so ends */
        usec_t *held, *first_end;
        struct track *tracks;              /* of each node */
        struct bitset *reheld, *retracked; /* whose jobs, or plans, have changed since */
        struct bounds *bounds;
        struct earliest earliest; /* scratch */
        struct track_scratch track_scratch;
        int64_t *rest_of_node, *take_of_node; /* scratch */
        size_t a_rest, a_take;
        struct freed freed_nodes, next_freed_nodes; /* for this sweep, and for the next one */
        struct bitset *in_part;                     /* nodes that jobs have a part of */
        struct bitset *up; /* that have power, as it was when it was looked at last */
        /* ... or will have it without being woken for others: jobs wait for their boots */
        struct bitset *powered;
        /* of each node of powered: until then it boots for a job; 0: it is up.  Other jobs may be
           allocated what the job leaves of the node before, and begin to run then. */
        usec_t *up_by;
        struct bitset *booting; /* the nodes that have an up_by */
        struct bitset *shifted; /* nodes that have got or lost a plan since it was shown last */
        struct bitset *scratch, *fit, *chosen;
        /* of parts; wanted, free: by the job that is looked at */
        struct bitset *parts_scratch, *wanted, *free;
        /* nodes of which reservations keep cores from the job that is looked at, while it would
           run */
        struct bitset *partly;
        uint32_t *tasks_then; /* how much of it these can hold then */
        struct gres_parts *gres_then;
        bool freed;               /* something is free that was not: a sweep is due */
        bool moved;               /* some plan is not where it was when the pass looked */
        bool no_power;            /* a job waits for max_powered_nodes */
        struct bitset *sleepless; /* powered_for_good(), in this turn */
        bool sweeping;            /* ... is under way: the cursor is before sound */
        /* what has become free for this sweep, or in it, ends by then; for the next one */
        usec_t reach, next_reach;
        /* by a limit: the last one that was, in this turn; scratch */
        struct request forbidden, asked_for;
        uint64_t moment;    /* counts whatever may let a job start now */
        usec_t again;       /* of this turn: a limit leaves room for a job then (GrpTRESRunMins) */
        usec_t swept, rest; /* when the last one ended; the pause after it */
        size_t turns;       /* that this one has taken */
        usec_t armed, next_start; /* when to come back; and for the next planned start */
        uint64_t laid;            /* the number of the plan that was laid last */
        struct job_plan **lifted; /* wait for their jobs' turn: lifted.c */
        size_t n_lifted, a_lifted;
        const struct job_plan *opened; /* out of the profile for a moment: plan_open() */
        bool warm_due;                 /* a plan has changed: other nodes may have to be up */
        usec_t warm_at;                /* the next of them must be woken then */
        uint64_t work, steps;          /* of this turn; of the profile, when it began */
        struct preempt_known *known;   /* for preempt_place(), in this turn */
        const struct job *asked;       /* the job of its_end */
        usec_t its_end;
        usec_t boot_max;          /* the longest boot of a node that has no power */
        uint32_t tested, started; /* in this sweep */
        struct plan_cycle cycle;  /* since the plan was whole */
        struct het_search het;    /* under way from one turn to the next */
        struct per_partition *parts;
        size_t n_parts;
        struct per_user *users;
        size_t n_users, a_users;
};

static inline void spend(struct backfill *b, uint64_t work) {
        b->work += work;
}

/* ---- plan.c ---- */
struct backfill *plan_keeper_new(const struct cluster *c);
void plan_keeper_free(struct backfill *b);
/* What core says has changed: nodes are busy longer or not so long, jobs have left the queue. */
void plan_take_up(struct cluster *c, struct backfill *b, usec_t now);
/* All anew: what runs, and no plan. */
void plan_rebuild(struct cluster *c, struct backfill *b, usec_t now);
/* Has the next plan_take_up() look at nodes with jobs that should be over by now. */
void plan_find_overdue(struct cluster *c, struct backfill *b, usec_t now);
/* Out of the profile and the nodes' lists, and in; the plan itself stays. */
void plan_lift(struct backfill *b, struct job_plan *p);
void plan_lay(struct backfill *b, struct job_plan *p);
/* p has been laid before, and is in the nodes' lists where it was. */
void plan_lay_again(struct backfill *b, struct job_plan *p);
/* Out of the profile alone, while a better place is looked for; and back, or out of the lists
   too. */
void plan_open(struct backfill *b, const struct job_plan *p);
void plan_shut(struct backfill *b, const struct job_plan *p);
void plan_lift_opened(struct backfill *b, struct job_plan *p);
/* aside.c: lift the plans of all jobs that would be behind j in the queue, which j is not in, and
   that begin before until; and lay them again where they were.  Both belong to one request: nothing
   else may be planned between them. */
struct aside {
        struct job_plan **of;
        size_t n, allocated;
};
struct aside plans_put_aside(struct cluster *c, struct backfill *b, const struct job *j,
                usec_t until);
void plans_put_back(struct backfill *b, struct aside *of); /* frees the list */
/* bf_easy: the first that must wait has no place any more, if that was it. */
void plan_release(struct backfill *b, struct job_plan *p);
/* Of a heterogeneous job both are done with the plans of all components. */
void plan_drop(struct backfill *b, struct job_plan *p); /* lifted if it is laid, and freed */
/* lifted: its job finds another place at its turn; late: as what it waits for lasts longer than it
   should */
void plan_displace(struct backfill *b, struct job_plan *p, bool late);
/* A plan is not there any more: something can be had in between that could not before. */
void plan_freed(struct backfill *b, usec_t from, usec_t until);
void plan_left(struct backfill *b, const struct job_plan *p); /* the same of its nodes alone */
/* As plan_job_until(), with boots that it waits for. */
usec_t plan_running_until(const struct cluster *c, struct job *j, usec_t now);
/* No job can be there before; 0: it can now, USEC_INFINITY: the node is out of service. */
usec_t plan_closed_until(const struct cluster *c, const struct node *n, usec_t now);
/* parts: of its nodes; licenses: what it is to have of them, or NULL; where: what it takes of its
   nodes, or NULL: all of its parts. */
struct job_plan *plan_new(const struct cluster *c, const struct backfill *b, const struct job *j,
                const struct bitset *nodes, const struct bitset *parts,
                const struct countlist *licenses, const struct placement *where, usec_t start,
                usec_t boot, usec_t until);
void plan_nodes(const struct job_plan *p, struct bitset *ret);
void plan_parts(const struct job_plan *p, struct bitset *ret);
/* The ranges of parts that p has; its ranges of nodes, if it has all parts of each node. */
static inline const struct node_range *plan_part_ranges(const struct job_plan *p, size_t *n) {
        *n = p->n_parts ? p->n_parts : p->n_ranges;
        return p->n_parts ? &p->ranges[p->n_ranges + p->n_licenses] : p->ranges;
}

/* Whether p has this part, which is one of its nodes'. */
static inline bool plan_has_part(const struct job_plan *p, size_t part) {
        const struct node_range *of = &p->ranges[p->n_ranges + p->n_licenses];

        if (p->n_parts == 0)
                return true;
        size_t at = FIRST_NOT(p->n_parts, i, of[i].from + of[i].n <= part);
        return at < p->n_parts && of[at].from <= part;
}

usec_t plan_limit(const struct job *j); /* how long it may run; without a limit a year, as Slurm */
/* It runs until then at most, its reservation's end included: its limit; OVERDUE from now where it
   should be over. */
usec_t plan_job_until(const struct job *j, usec_t now);

/* Of one job, or of components of one request, which are placed together. */
static inline bool plan_is_of(const struct job_plan *p, const struct job *j) {
        return p->job && job_is_with(p->job, j);
}

/* Every plan was made in its turn: none stands behind a job whose own is to be made anew. */
static inline bool plans_are_sound(const struct cluster *c) {
        return c->planned.end <= c->planned.sound;
}

static inline bool plan_is_sound(const struct cluster *c, const struct job_plan *p) {
        return plans_are_sound(c) ||
               (c->planned.sound < c->n_queue && bid_order(p->bid, c->queue[c->planned.sound]) < 0);
}

/* A plan that is in j's way, were it at the same time on the same node; all: also one of a job
   behind j, if it is sound. */
static inline bool plan_counts(const struct cluster *c, const struct job_plan *p,
                const struct job *j, bool all) {
        if (!p->job || plan_is_of(p, job_itself(j)))
                return false;
        if (all && plan_is_sound(c, p)) /* the place in the queue does not matter */
                return true;
        const struct bid me = bid_of(j);
        return bid_order(p->bid, &me) < 0;
}

/* ---- apart.c ---- */
/* Whether p has none of the parts of n that the job of w may use. */
bool plan_is_apart(struct backfill *b, const struct job_plan *p, const struct node *n,
                const struct part_wish *w);
/* The most MB that j, which has parts of n as a whole, may have there. */
uint64_t plan_most_memory(const struct cluster *c, const struct job *j, const struct node *n);
/* Whether the plan leaves enough of n's memory to j in that period; plan_rests_of() says which
   plans count. */
bool plan_memory_suffices(struct cluster *c, struct backfill *b, const struct job *j,
                const struct node *n, usec_t now, struct period when, bool all);

/* ---- cover.c ---- */
/* The profile has a node as free only while nothing of it is taken: what p makes so, or leaves so,
   beside what runs and other plans there. */
void cover_take(struct backfill *b, const struct job_plan *p);
void cover_give(struct backfill *b, const struct job_plan *p);
/* Without p, which has been lifted, some node (or part of one with reservations) is free as a whole
   at some time of p's. */
bool cover_leaves(const struct backfill *b, const struct job_plan *p);
/* Whether plans of that part are by numbers of cores; cover_hold() sets until when jobs that run
   keep it. */
bool cover_is_shared(const struct backfill *b, size_t part);
void cover_hold(struct backfill *b, size_t part, usec_t until, usec_t now);

/* ---- lifted.c ---- */
void lifted_add(struct backfill *b, struct job_plan *p);
void lifted_remove(struct backfill *b, struct job_plan *p);
/* Where the first job in the queue's order stands whose plan is lifted; NULL: there is none. */
const struct bid *lifted_first(const struct backfill *b);

/* ---- fit_numbers.c ---- */
/* What the plan leaves of nodes for j then; all: beside what runs and all plans that are laid; else
   beside what runs and the plans of those before j. It is good as long as nothing changes. */
struct rests plan_rests_of(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                struct period when, bool all);
/* Of each node of where is left what it has there. */
bool plan_rests_hold(const struct rests *r, const struct placement *where);

/* ---- fit.c ---- */
struct attempt { /* to find a place for j */
        struct cluster *c;
        struct backfill *b;
        /* The job as it would be there: accounts/bids.h. */
        const struct job *j;
        /* The job that the plan is for; NULL: only a place is looked for. */
        struct job *job;
        struct shape *shape;
        bool numbers; /* it has so much of each of its nodes, not nodes (fit_shape()) */
        const struct bitset *only; /* of the shape's nodes those that it may have then; NULL: all */
        uint32_t count;            /* of nodes, at least */
        usec_t now, from, limit;
        /* its limit where it starts with less now, for limit at least (--time-min); 0: it does
           not */
        usec_t full;
        /* its own place, which has just been lifted, began then; USEC_INFINITY: it had none */
        usec_t own;
        const struct job_plan *old; /* that place; NULL: it had none */
        /* the nodes of a place that it has just lost, and when it was to start there; NULL: it has
           not */
        struct bitset *lost;
        usec_t owed;
        bool makes_room; /* it has lost its place, and plans behind it are not in its way */
        /* what was found; b->fit: the free nodes, b->chosen: of these */
        usec_t start, boot;
        /* what it could have of its nodes' parts is looked up for that time; start is in it */
        struct period tried;
        /* b->chosen is for that start; USEC_INFINITY: it is for none (fit_numbers()) */
        usec_t chosen_at;
        bool beside;        /* other components of its job are laid for a moment */
        bool unlifted;      /* it has been tried before; only what has become free since matters */
        usec_t turn_end;    /* its reservation's, at which it is over then; 0: none */
        struct period when; /* it would run, as a place is looked for at present: place() */
        uint32_t license;   /* of a list with "|": which */
        /* own: what it could have now of its hierarchical resources, while it is tried whether it
           can start */
        struct hres_room *room;
        /* the first start that only these have ruled out; USEC_INFINITY: none */
        usec_t refused;
        uint32_t switches; /* leaf switches at most; 0: any number */
        bool warm;         /* nodes without power are woken before it starts */
        usec_t lead;       /* it waits so long at most for nodes to be up, as it is looked for */
        bool no_power;     /* a job before it waits for max_powered_nodes */
        bool forbidden;    /* some place that it could have now is more than a limit allows it */
        /* its place was found just now, in another reservation: all of this one is to be looked
           at */
        bool fresh;
};

/* The wish of the job of a for parts of nodes in that period. */
static inline struct part_wish fit_parts_of(const struct attempt *a, usec_t from, usec_t until) {
        return (struct part_wish){ a->c, a->j, a->numbers, from, until, &a->b->work };
}

/* The place that it has; NULL: none. */
static inline struct job_plan *own_plan(const struct attempt *a) {
        return a->job ? a->job->waiting.plan : NULL;
}

/* An earlier place than it has begins before that. */
static inline usec_t reach_of(const struct attempt *a) {
        return a->fresh ? USEC_INFINITY : a->b->reach;
}

/* --time-min: its limit may be less if it starts earlier by that. */
static inline bool may_be_shorter(const struct attempt *a) {
        return a->j->asked.time_min && a->j->asked.time_min < a->limit;
}

/* The earliest start up to latest, on nodes with power, or on all if that is earlier although they
   must boot. -ENOENT. */
int fit_place(struct attempt *a, usec_t latest);
/* The same, for its previous place, at the planned time.  The jobs behind it are planned right
   after it, so that a search, which allows for the longest boot of all nodes, might not find it
   again.  -ENOENT: it is not its time, or its nodes are not free. */
int fit_own(struct attempt *a);
/* Sets a->shape, a->count and a->numbers by a->j. */
void fit_shape(struct attempt *a);
/* j goes by numbers, and less than all of a node may do, or more nodes than it needs. */
bool plan_by_numbers(struct cluster *c, const struct shape *shape, const struct job *j);
/* The nodes of b->fit would do at that start: as profile_wish.enough. */
bool fit_would_do(struct attempt *a, usec_t start);
/* profile_fit() by the numbers that are free of nodes; b->fit and b->chosen are set. */
int fit_numbers(struct attempt *a, const struct profile_wish *w, usec_t *ret_start);
/* The next time after t at which something becomes free of a node that one of the n could have;
   USEC_INFINITY: nothing does. *of is n of them. */
usec_t fit_next_free(struct attempt *of, size_t n, usec_t t);
/* Could it be earlier than p, or at that time on nodes that come before its own (in_order: these
   have lower numbers), by what has become free? */
bool fit_numbers_may_improve(const struct attempt *a, const struct job_plan *p, bool in_order);
/* Leaves those in usable that have the least that it needs now. */
void fit_numbers_now(const struct attempt *a, struct bitset *usable);
/* Has some node of which something has become free the least that it needs now? */
bool fit_numbers_may_start(const struct attempt *a);
/* What it would have of b->chosen, until then; b->chosen becomes the nodes of that. */
int fit_take(struct attempt *a, usec_t until, struct placement *ret);
/* Could it keep that for longer? */
bool fit_lasts(struct attempt *a, const struct placement *where, usec_t until, usec_t longer);
/* Can its licenses be had from now on, as long as it may run. */
bool fit_licenses_now(struct attempt *a);
bool fit_license_now(struct attempt *a, size_t choice); /* the same of one of a list with "|" */
/* ---- fit_layers.c ---- */
/* What it could have then of its hierarchical resources, beside what runs and is planned, all the
   time that it would; without: its own plan, where that is laid. NULL: it asks for none. */
struct hres_room *fit_room(const struct attempt *a, usec_t start, const struct job_plan *without);
/* The same from now on, as things are; the caller frees. */
struct hres_room *fit_room_now(const struct attempt *a);
/* No earlier time from from on would do for these: USEC_INFINITY: none will. */
usec_t fit_layers_from(const struct attempt *a, usec_t from);
/* The next time after t when something of them is free that was not. */
usec_t fit_layers_next(const struct attempt *a, usec_t t);
/* What it is to hold where and when it was planned; the caller frees. */
struct countlist *fit_held(const struct attempt *a);

/* The longest time that nodes without power need for coming up. */
void fit_note_boots(const struct cluster *c, struct backfill *b);
/* Could there be an earlier place than p: is enough free before, and could it reach what has become
   free? */
bool fit_may_improve(const struct attempt *a, const struct job_plan *p);
/* Could it be on other nodes at that time: has something become free, and is one of them free for
   as long? */
bool fit_may_shift(const struct attempt *a, const struct job_plan *p);

/* Parts of the nodes of b->chosen that it has there, in b->wanted. */
void fit_wanted(struct attempt *a);
/* How long after start the last of nodes is up, if those that have no power are woken then. */
usec_t fit_boot(const struct attempt *a, const struct bitset *nodes, usec_t start);
/* It cannot start on that node before, as the node is not up within a->lead. */
static inline usec_t fit_up_from(const struct attempt *a, size_t node) {
        const usec_t by = a->b->up_by[node];
        return by > a->lead ? by - a->lead : 0;
}
