/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/pass.h - shared by the files of the pass over the queue (sched.c: main loop) */
#pragma once

#include "controller/preempt/request.h"
#include "controller/sched/sched_private.h"

struct queue {                    /* the pass's state of a partition */
        bool blocked;             /* a job of the partition waits */
        const struct job *holder; /* the waiting job whose nodes are kept */
        /* If not NULL, jobs behind holder are still considered, up to this job (pass_block()). */
        const struct job *passed;
        bool counted;      /* in_service is counted */
        size_t in_service; /* number of the partition's nodes in service */
        /* owned: reason text of jobs that need more nodes than in_service; NULL: not needed yet */
        char *out;
        size_t left;            /* jobs still to be considered */
        struct request refused; /* the last request refused, with refusal as the error; n 0: none */
        int refusal;
        /* The last request for which a limit forbade all possible nodes. */
        struct request forbidden;
        enum job_reason limit; /* the limit exceeded by the request */
};

/* A request behind holders, and whether only reservations keep jobs with the request waiting
   (r). */
struct told {
        struct request of;
        int r;
};

/* A job waiting in a reservation blocks later jobs of its partition in the reservation. All
   pointers stay valid during the pass: removing a bid, a partition or a reservation notes a fact,
   and a new pass follows (may_go_on()). */
struct held_resv {
        const struct resv *resv;
        const struct partition *partition;
        const struct job *holder;
        /* The holder's bid for which no place was found; only compared, as the holder may have
           started since. */
        const struct bid *turn;
};

struct pass {
        struct cluster *c;
        usec_t now;
        bool reasons; /* every job gets a new reason (FOLLOW_REASONS) */
        /* No pending job may start; only jobs not told so by an earlier pass are considered. */
        bool only_untold;
        size_t at;      /* index in the queue of the next job */
        uint64_t until; /* value of slices.looked at which the turn ends */
        /* A heterogeneous job interrupted in its turn: het is the job id, and the first `ways` ways
           have failed; cut: the next turn tries the remaining ways. */
        uint32_t het;
        size_t ways;
        bool cut;
        bool lacks_room;        /* a way has failed for want of room, not for a limit alone */
        uint64_t without_start; /* nodes examined for jobs that did not start */
        size_t n_partitions, n_licenses; /* numbers at the beginning of the pass */
        int64_t clock_set;               /* cluster.clock_set at the beginning of the pass */
        struct bitset *usable;           /* nodes available to the jobs still to be considered */
        struct bitset *all;              /* usable plus the nodes kept for waiting jobs */
        struct queue *of;
        struct held_resv *held; /* sorted by reservation and partition */
        size_t n_held, a_held;
        struct request asked; /* scratch */
        struct told *told;
        size_t n_told, a_told;
        size_t left;                 /* sum of queue.left of all partitions */
        uint32_t *kept;              /* number kept for waiting jobs, indexed by license */
        usec_t again;                /* when a limit leaves room for a job (GrpTRESRunMins) */
        struct preempt_known *known; /* for preempt_place() */
        struct hres_room *room;      /* hierarchical resources for the job in try_start() */
        /* max_powered_nodes makes the considered job wait, but not for ever */
        bool awaits_power;
};

/* Results of a search in addition to place(). RESERVED_LATER: only future reservations keep j from
   starting; RESERVED_NOW: only active reservations do; NEVER: j does not fit on all nodes of its
   partition. */
enum { RESERVED_LATER = -ETIME, RESERVED_NOW = -EPERM, NEVER = -ENODEV };

/* ---- pass_room.c ---- */
/* Returns why j must not be tried at all; REASON_NONE: j may be tried. Lowers p->again as
   limits_wait_reason() does. */
enum job_reason pass_hindrance(struct pass *p, const struct job *j);
/* Returns the nodes available to j, without nodes kept for further jobs (force: for jobs ahead of
   j); NULL: p->usable is right. *ret_when: the period in which j would run. The caller frees the
   set. */
struct bitset *pass_usable_for(const struct pass *p, const struct job *j, bool force,
                struct period *ret_when);
bool pass_finds_place(const struct pass *p, const struct job *j, const struct bitset *nodes,
                struct period when);
/* The callback of place_heed_license_limits(); user is the pass. */
bool pass_license_is_left(const struct job *j, size_t choice, void *user);
/* Returns whether only hierarchical resources keep j from starting on usable (NULL: p->usable); r
   is the result of place() for usable. */
bool pass_lacks_layers(const struct pass *p, const struct job *j, const struct bitset *usable,
                struct period when, int r);
/* Returns whether j lacks only layers of hierarchical resources, and victims could release the
 * layers (PreemptParameters=reclaim_licenses). *ret as for licenses_free(). */
bool pass_reclaims_layers(const struct pass *p, const struct job *j, size_t *ret);
/* The callback of preempt_known_count_layers(); user is the pass. */
struct hres_room *pass_room_without(const void *user, const struct job *j,
                const struct bitset *gone);
/* Keeps the licenses of the waiting j from later jobs of the pass; backfill may still start jobs
   that do not delay j. */
void pass_keep_licenses(struct pass *p, const struct job *j);
/* Returns whether the hindrance why also ends j's plan: backfill has no place for j until the
   hindrance is gone, and the planned nodes are free for further jobs. */
bool pass_ends_plan(const struct pass *p, const struct job *j, enum job_reason why);

/* ---- pass_order.c ---- */
/* Ends the consideration of jobs of the partition's queue. */
void pass_close_queue(struct pass *p, struct queue *q);
/* Returns whether j blocks later jobs. A job waiting for particular nodes or features blocks no
   job; with sched/builtin every job blocks, as jobs start strictly in order. */
bool pass_holds_others_up(const struct pass *p, const struct job *j);
/* Keeps the nodes of j's partition for j; if j waits in a reservation, the nodes that the partition
   has in that reservation. */
void pass_block(struct pass *p, const struct job *j);
/* Returns whether another job of j's partition (no component of j's request) waits ahead of j, in
   the reservation of j (placed.resv), or outside of all reservations like j. */
bool pass_is_behind(const struct pass *p, const struct job *j);
/* Removes from nodes the nodes for which jobs ahead of j wait in j's reservation. */
void pass_leave_to_holders(const struct pass *p, const struct job *j, struct bitset *nodes);
/* Ends j's blocking of reservations after j has started by the bid turn. Returns whether j blocked
   with an earlier bid, in a different partition: jobs between the two bids must be considered
   again. */
bool pass_let_go(struct pass *p, const struct job *j, const struct bid *turn);
/* Returns whether a job blocks a reservation without being able to start there any more. */
bool pass_holds_for_nobody(const struct pass *p);

/* ---- pass_reasons.c ---- */
/* Returns whether nodes suitable for j are powered down while the brake forbids resuming nodes;
   requests the next probe of the brake then. */
bool pass_awaits_brake(const struct pass *p, const struct job *j);
/* Sets j's reason; for a job in several partitions the reason chosen from all partitions. text: the
   detail (borrowed), or NULL. */
void pass_tell(const struct pass *p, const struct job *j, enum job_reason why, const char *text);
/* Sets the reason of j waiting behind further jobs: Priority, unless nodes out of service or
   reservations would also keep j waiting if j were first. */
void pass_tell_turn(struct pass *p, const struct job *j);
/* Sets the reason of j, for which no place was found (r: the error of place(), or RESERVED_LATER
   and the like), and blocks later jobs if j must. */
void pass_set_waiting(struct pass *p, const struct job *j, int r);
/* Sets the reason of j if max_powered_nodes makes j wait, and blocks later jobs if j must. */
void pass_set_unpowered(struct pass *p, const struct job *j);
/* Returns RESERVED_LATER or RESERVED_NOW if only reservations keep j from starting; else r. */
int pass_reserved_or(const struct pass *p, const struct job *j, const struct bitset *usable, int r);

/* ---- pass_het.c ---- */
/* Considers all components of a heterogeneous job in the leader's turn; true: all have started. */
bool pass_consider_het(struct pass *p, const struct job *j);
