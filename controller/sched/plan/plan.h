/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/plan.h - the state of the plan: plan.c updates the state, fit.c searches
   it for places, backfill.c decides by it */
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
/* A node with a completing job, or a job over its limit, is planned to be free so much later. */
#define OVERDUE (30 * USEC_PER_SEC)

struct node_plans { /* the plans on a node, sorted by start and number */
        uint32_t cpus_used;
        uint64_t memory_used, gres_used;
        size_t n_jobs; /* jobs on the node, when the use was last noted */
        struct job_plan **list;
        uint32_t n, allocated;
};

struct per_partition {
        uint32_t tested;
        const struct job_plan *reserved; /* bf_easy: the only place given to a job */
};

struct per_user {
        uint64_t key; /* user_key() */
        uint32_t tested;
};

/* How far the search for one way of a heterogeneous job has come: the next start to be tried,
   and the number of rounds done. */
struct het_times {
        usec_t from;
        int round;
};

enum het_stage {
        HET_COUNTED,       /* checks that the job could ever run */
        HET_STARTS,        /* tries to start the job now */
        HET_FITS,          /* looks for a place */
        HET_BEFORE_OTHERS, /* looks for a place with the plans of jobs behind lifted */
};

/* State of the search for a heterogeneous job (backfill_het.c). */
struct het_search {
        uint32_t job;          /* the leader's id; 0: no search */
        const struct bid *bid; /* the leader's bid; may be freed: compared, not read */
        uint64_t moment;       /* backfill.moment at the beginning of the search */
        enum het_stage stage;
        bool shorter; /* with a shorter limit (--time-min) */
        bool anew;    /* the search was repeated, as the place found was gone */
        size_t way;
        bool allowed; /* limits allow some way */
        struct het_times times;
        bool found, best_shorter;
        size_t best;        /* the way of the best start */
        usec_t start, over; /* the best start; the same after the boot */
};

struct backfill {
        size_t n_nodes;
        struct parts *node_parts;
        struct profile *profile; /* free parts of nodes */
        /* until when each part is busy; 0: free, USEC_INFINITY: the node is out of service */
        usec_t *busy;
        struct shapes *shapes;
        struct leases *leases;
        struct node_plans *of;
        /* start of each node's first plan; USEC_INFINITY: no plan */
        usec_t *first;
        /* for each part: the value of busy that the profile has; the end of the first job on the
           part */
        usec_t *held, *first_end;
        struct track *tracks; /* one track for each node */
        /* nodes whose holds, or whole tracks, are out of date */
        struct bitset *reheld, *retracked;
        struct bounds *bounds;
        struct earliest earliest; /* scratch */
        struct track_scratch track_scratch;
        int64_t *rest_of_node, *take_of_node; /* scratch */
        size_t a_rest, a_take;
        struct freed freed_nodes, next_freed_nodes; /* for this sweep; for the next sweep */
        /* nodes in use by jobs, with room for more jobs */
        struct bitset *in_part;
        struct bitset *up; /* nodes with power when last noted */
        /* nodes of up, and nodes that boot for jobs */
        struct bitset *powered;
        /* until when each node of powered boots for a job; 0: the node is up. Further jobs may
           be allocated the rest of a booting node before, and run from then on. */
        usec_t *up_by;
        struct bitset *booting; /* nodes with an up_by */
        struct bitset *shifted; /* nodes whose plans have changed since PLANNED was last shown */
        struct bitset *scratch, *fit, *chosen;
        /* sets of parts; wanted: the parts usable by the job of the search, free: the free parts */
        struct bitset *parts_scratch, *wanted, *free;
        /* nodes whose cores are in part kept from the job of the search by reservations */
        struct bitset *partly;
        uint32_t *tasks_then; /* tasks and gres for the job on the nodes of partly */
        struct gres_parts *gres_then;
        bool freed;               /* room has become free: a sweep is due */
        bool moved;               /* some plan has moved since the last pass */
        bool no_power;            /* a job waits for max_powered_nodes */
        struct bitset *sleepless; /* powered_for_good(), in this turn */
        bool sweeping;            /* a sweep is under way: the cursor is before sound */
        /* end of the latest room that has become free for this sweep, or during the sweep; for
           the next sweep */
        usec_t reach, next_reach;
        /* the last request forbidden by a limit in this turn; scratch */
        struct request forbidden, asked_for;
        uint64_t moment; /* counts changes that may let a job start now */
        /* the next time when a limit leaves room for a job of this turn (GrpTRESRunMins) */
        usec_t again;
        usec_t swept, rest;       /* when the last sweep ended; the pause after the sweep */
        size_t turns;             /* turns since the sweep began */
        usec_t armed, next_start; /* the time of the next turn; the next planned start */
        uint64_t laid;            /* number of the plan laid last */
        struct job_plan **lifted; /* lifted plans of jobs that wait for their turn (lifted.c) */
        size_t n_lifted, a_lifted;
        const struct job_plan *opened; /* the plan opened by plan_open(); NULL: none */
        bool warm_due;                 /* a plan has changed: other nodes may need power */
        usec_t warm_at;                /* when the next node must be woken */
        /* work of this turn; the profile's steps when the turn began */
        uint64_t work, steps;
        struct preempt_known *known; /* victims known in this turn, for preempt_place() */
        const struct job *asked;     /* the job whose end is its_end */
        usec_t its_end;
        usec_t boot_max;          /* longest boot of a node without power */
        uint32_t tested, started; /* in this sweep */
        struct plan_cycle cycle;  /* counts since the plan was last complete */
        struct het_search het;    /* continued from turn to turn */
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
/* Applies the changes noted in c: nodes are busy for longer or shorter, jobs have left the
   queue. */
void plan_take_up(struct cluster *c, struct backfill *b, usec_t now);
/* Makes the profile anew from the jobs on nodes, and drops all plans. */
void plan_rebuild(struct cluster *c, struct backfill *b, usec_t now);
/* Lets the next plan_take_up() look at nodes whose jobs should have ended by now. */
void plan_find_overdue(struct cluster *c, struct backfill *b, usec_t now);
/* Removes a plan from the profile and the nodes' lists (lift), or adds a plan to both (lay); p
   is kept. */
void plan_lift(struct backfill *b, struct job_plan *p);
void plan_lay(struct backfill *b, struct job_plan *p);
/* Lays a plan at its former position in the nodes' lists: p has been laid before. */
void plan_lay_again(struct backfill *b, struct job_plan *p);
/* Removes p from the profile only, while a better place is searched; afterwards p returns to the
   profile (shut), or leaves the lists, too (lift_opened). */
void plan_open(struct backfill *b, const struct job_plan *p);
void plan_shut(struct backfill *b, const struct job_plan *p);
void plan_lift_opened(struct backfill *b, struct job_plan *p);
/* aside.c: lifts the plans of all jobs that would be behind j in the queue and start before
   until (j is not in the queue), and lays the plans again unchanged. Both calls belong to one
   request: no job may be planned between them. */
struct aside {
        struct job_plan **of;
        size_t n, allocated;
};
struct aside plans_put_aside(struct cluster *c, struct backfill *b, const struct job *j,
                usec_t until);
void plans_put_back(struct backfill *b, struct aside *of); /* frees the list */
/* Frees p, which must not be laid; clears the reserved place of a partition (bf_easy), if p was
   that place. */
void plan_release(struct backfill *b, struct job_plan *p);
/* The next two functions treat the plans of all components of a heterogeneous job. */
void plan_drop(struct backfill *b, struct job_plan *p); /* lifts and frees p */
/* Lifts p: the job finds another place at its turn. late: jobs on the nodes run for longer than
   planned. */
void plan_displace(struct backfill *b, struct job_plan *p, bool late);
/* Notes that all nodes may have more room from `from` to `until`. */
void plan_freed(struct backfill *b, usec_t from, usec_t until);
/* the same for the nodes and time of p */
void plan_left(struct backfill *b, const struct job_plan *p);
/* Returns the latest end of a job: the end of its time limit or reservation, or OVERDUE from now
   for a job that should have ended; with the boot of its nodes. */
usec_t plan_running_until(const struct cluster *c, struct job *j, usec_t now);
/* Returns until when no job can run on n; 0: jobs can run now, USEC_INFINITY: out of service. */
usec_t plan_closed_until(const struct cluster *c, const struct node *n, usec_t now);
/* Returns a new plan, not laid; the caller owns the plan. parts: parts of nodes; licenses: may
   be NULL; where: amounts on each node, or NULL: all of the parts. */
struct job_plan *plan_new(const struct cluster *c, const struct backfill *b, const struct job *j,
                const struct bitset *nodes, const struct bitset *parts,
                const struct countlist *licenses, const struct placement *where, usec_t start,
                usec_t boot, usec_t until);
void plan_nodes(const struct job_plan *p, struct bitset *ret);
void plan_parts(const struct job_plan *p, struct bitset *ret);
/* Returns the ranges of parts of p; the ranges of nodes, if p has all parts of each node. */
static inline const struct node_range *plan_part_ranges(const struct job_plan *p, size_t *n) {
        *n = p->n_parts ? p->n_parts : p->n_ranges;
        return p->n_parts ? &p->ranges[p->n_ranges + p->n_licenses] : p->ranges;
}

/* Returns whether p has this part of one of its nodes. */
static inline bool plan_has_part(const struct job_plan *p, size_t part) {
        const struct node_range *of = &p->ranges[p->n_ranges + p->n_licenses];

        if (p->n_parts == 0)
                return true;
        size_t at = FIRST_NOT(p->n_parts, i, of[i].from + of[i].n <= part);
        return at < p->n_parts && of[at].from <= part;
}

usec_t plan_limit(const struct job *j); /* time limit; a year, as in Slurm, if unlimited */

/* Returns whether p belongs to j, or to a component of the same heterogeneous job. */
static inline bool plan_is_of(const struct job_plan *p, const struct job *j) {
        return p->job && job_is_with(p->job, j);
}

/* Returns whether every plan was made in the order of the queue: no plan belongs to a job behind
   a job still to be planned. */
static inline bool plans_are_sound(const struct cluster *c) {
        return c->planned.end <= c->planned.sound;
}

static inline bool plan_is_sound(const struct cluster *c, const struct job_plan *p) {
        return plans_are_sound(c) ||
               (c->planned.sound < c->n_queue && bid_order(p->bid, c->queue[c->planned.sound]) < 0);
}

/* Returns whether p precedes j where both want a node at one time; all: sound plans of jobs
   behind j precede, too. */
static inline bool plan_counts(const struct cluster *c, const struct job_plan *p,
                const struct job *j, bool all) {
        if (!p->job || plan_is_of(p, job_itself(j)))
                return false;
        if (all && plan_is_sound(c, p)) /* whatever the order in the queue */
                return true;
        const struct bid me = bid_of(j);
        return bid_order(p->bid, &me) < 0;
}

/* ---- apart.c ---- */
/* Returns whether p has no part of n that the job of w may use. */
bool plan_is_apart(struct backfill *b, const struct job_plan *p, const struct node *n,
                const struct part_wish *w);
/* Returns the most MB that j may take on n, if j has parts of n as a whole. */
uint64_t plan_most_memory(const struct cluster *c, const struct job *j, const struct node *n);
/* Returns whether the plan leaves enough memory of n to j during the period; all: see
   plan_rests_of(). */
bool plan_memory_suffices(struct cluster *c, struct backfill *b, const struct job *j,
                const struct node *n, usec_t now, struct period when, bool all);

/* ---- cover.c ---- */
/* The profile has a part as free only while no job or plan takes any of it. Both functions
   change the profile for the times when p alone is on a part. */
void cover_take(struct backfill *b, const struct job_plan *p);
void cover_give(struct backfill *b, const struct job_plan *p);
/* Returns whether some part of p is free as a whole at some time of p, once p is lifted. */
bool cover_leaves(const struct backfill *b, const struct job_plan *p);
/* cover_is_shared(): whether some plan on the part goes by numbers. cover_hold(): sets until
   when running jobs keep the part. */
bool cover_is_shared(const struct backfill *b, size_t part);
void cover_hold(struct backfill *b, size_t part, usec_t until, usec_t now);

/* ---- lifted.c ---- */
void lifted_add(struct backfill *b, struct job_plan *p);
void lifted_remove(struct backfill *b, struct job_plan *p);
/* Returns the bid of the first job in queue order with a lifted plan; NULL: none. */
const struct bid *lifted_first(const struct backfill *b);

/* ---- fit_numbers.c ---- */
/* Returns the rest of nodes for j in the period; all: beside running jobs and all laid plans;
   else beside running jobs and the plans of jobs before j. Valid until anything changes. */
struct rests plan_rests_of(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                struct period when, bool all);
/* Returns whether each node of where has enough left for the placement. */
bool plan_rests_hold(const struct rests *r, const struct placement *where);

/* ---- fit.c ---- */
struct attempt { /* a search for a place for j */
        struct cluster *c;
        struct backfill *b;
        /* the job in the partition of the bid (accounts/bids.h) */
        const struct job *j;
        /* the job to be planned; NULL: only a place is searched */
        struct job *job;
        struct shape *shape;
        /* the job takes numbers of CPUs, MB and gres, not whole nodes (fit_shape()) */
        bool numbers;
        const struct bitset *only; /* the shape's nodes usable by the job at the time; NULL: all */
        uint32_t count;            /* minimum of nodes */
        usec_t now, from, limit;
        /* the full limit, if the job starts now with a shorter limit, at least `limit`
           (--time-min); 0: no shorter limit */
        usec_t full;
        /* start of the job's own place, lifted or opened just now; USEC_INFINITY: none */
        usec_t own;
        const struct job_plan *old; /* the plan of that place; NULL: none */
        /* nodes of a place just lost, and its planned start; NULL: no place was lost */
        struct bitset *lost;
        usec_t owed;
        /* the job has lost its place: plans of jobs behind are lifted for another place */
        bool makes_room;
        /* result; b->fit has the free nodes, b->chosen the choice of nodes */
        usec_t start, boot;
        /* the period in which usable parts of nodes were looked up; start lies in the period */
        struct period tried;
        /* the start for which b->chosen was chosen; USEC_INFINITY: none (fit_numbers()) */
        usec_t chosen_at;
        bool beside; /* further components of the job are laid temporarily */
        /* the job was tried before: only room that has become free since matters */
        bool unlifted;
        usec_t turn_end; /* end of the reservation, which also ends the job; 0: none */
        /* the period of the job at the start under consideration, for place() */
        struct period when;
        /* index of the chosen license in a list of alternatives */
        uint32_t license;
        /* owned: hierarchical resources available now, while a start is tried */
        struct hres_room *room;
        /* first start ruled out by hierarchical resources only; USEC_INFINITY: none */
        usec_t refused;
        uint32_t switches; /* maximum of leaf switches; 0: any number */
        bool warm;         /* nodes without power are woken in time before the start */
        usec_t lead;       /* maximum wait for nodes of the place to be up */
        bool no_power;     /* a job ahead in the queue waits for max_powered_nodes */
        bool forbidden;    /* a limit forbids some place available now */
        /* the place was found just now in a different reservation: the whole present reservation
           is searched */
        bool fresh;
};

/* Returns the request of the job for parts of nodes in the period. */
static inline struct part_wish fit_parts_of(const struct attempt *a, usec_t from, usec_t until) {
        return (struct part_wish){ a->c, a->j, a->numbers, from, until, &a->b->work };
}

/* Returns the job's plan; NULL: none. */
static inline struct job_plan *own_plan(const struct attempt *a) {
        return a->job ? a->job->waiting.plan : NULL;
}

/* Returns the time before which an earlier place would begin. */
static inline usec_t reach_of(const struct attempt *a) {
        return a->fresh ? USEC_INFINITY : a->b->reach;
}

/* Returns whether the job accepts a shorter limit for an earlier start (--time-min). */
static inline bool may_be_shorter(const struct attempt *a) {
        return a->j->asked.time_min && a->j->asked.time_min < a->limit;
}

/* Finds the earliest start up to latest, on nodes with power, or on all nodes if that start is
   earlier in spite of the boot. -ENOENT: none. */
int fit_place(struct attempt *a, usec_t latest);
/* Tries the job's previous place at the planned time. Jobs behind are planned right after the
   place, so that a search with the longest boot of all nodes might not find the place again.
   -ENOENT: the start is still to come, or the nodes are not free. */
int fit_own(struct attempt *a);
/* Sets a->shape, a->count and a->numbers for a->j. */
void fit_shape(struct attempt *a);
/* Returns whether j goes by numbers, and either a part of a node may do or more nodes than
   necessary are accepted. */
bool plan_by_numbers(struct cluster *c, const struct shape *shape, const struct job *j);
/* Returns whether the nodes of b->fit suffice at start; see profile_wish.enough. */
bool fit_would_do(struct attempt *a, usec_t start);
/* As profile_fit(), by the free numbers of each node; sets b->fit and b->chosen. */
int fit_numbers(struct attempt *a, const struct profile_wish *w, usec_t *ret_start);
/* Returns the next time after t when room becomes free on a node of any of the n attempts at
   `of`; USEC_INFINITY: never. */
usec_t fit_next_free(struct attempt *of, size_t n, usec_t t);
/* Returns whether room that has become free may allow an earlier start than p, or the start of p
   on nodes before p's nodes (in_order: by node number). */
bool fit_numbers_may_improve(const struct attempt *a, const struct job_plan *p, bool in_order);
/* Removes nodes from usable that lack the job's minimum of units now. */
void fit_numbers_now(const struct attempt *a, struct bitset *usable);
/* Returns whether some node with room that has become free has the job's minimum of units now. */
bool fit_numbers_may_start(const struct attempt *a);
/* Places the job on nodes of b->chosen from a->start to until; b->chosen becomes the nodes of
   ret. */
int fit_take(struct attempt *a, usec_t until, struct placement *ret);
/* Returns whether the placement could last from until to longer. */
bool fit_lasts(struct attempt *a, const struct placement *where, usec_t until, usec_t longer);
/* Returns whether the job's licenses are available from now on for the job's whole limit; sets
   a->room. */
bool fit_licenses_now(struct attempt *a);
/* the same for one license, `choice`, of a list of alternatives */
bool fit_license_now(struct attempt *a, size_t choice);
/* ---- fit_layers.c ---- */
/* Returns the hierarchical resources available to the job from start to its end, beside running
   jobs and plans; the caller frees. without: the job's own plan, if laid, counts as free. NULL:
   the job asks for none. */
struct hres_room *fit_room(const struct attempt *a, usec_t start, const struct job_plan *without);
/* The same from now on, without the job's own plan; the caller frees. */
struct hres_room *fit_room_now(const struct attempt *a);
/* Returns the first time from `from` on when hierarchical resources may suffice; USEC_INFINITY:
   never. */
usec_t fit_layers_from(const struct attempt *a, usec_t from);
/* Returns the next time after t when the use of the hierarchical resources changes. */
usec_t fit_layers_next(const struct attempt *a, usec_t t);
/* Returns the licenses and layers that the job will hold at its planned place; the caller frees. */
struct countlist *fit_held(const struct attempt *a);

/* Sets b->boot_max to the longest boot of nodes without power. */
void fit_note_boots(const struct cluster *c, struct backfill *b);
/* Returns whether a place earlier than p is possible: enough is free before p, and overlaps the
   room that has become free. */
bool fit_may_improve(const struct attempt *a, const struct job_plan *p);
/* Returns whether different nodes are possible at the time of p: room has become free, and one
   of the nodes is free for as long. */
bool fit_may_shift(const struct attempt *a, const struct job_plan *p);

/* Sets b->wanted to the parts of the nodes in b->chosen usable by the job. */
void fit_wanted(struct attempt *a);
/* Returns how long after start the last of nodes is up, if nodes without power are woken at
   start. */
usec_t fit_boot(const struct attempt *a, const struct bitset *nodes, usec_t start);
/* Returns the earliest start on the node: the node must be up within a->lead. */
static inline usec_t fit_up_from(const struct attempt *a, size_t node) {
        const usec_t by = a->b->up_by[node];
        return by > a->lead ? by - a->lead : 0;
}
