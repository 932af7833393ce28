/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/pass.h - what the files of the pass over the queue share (sched.c is the walk)
 */
#pragma once

#include "controller/preempt/request.h"
#include "controller/sched/sched_private.h"

struct queue {                    /* per partition */
        bool blocked;             /* a job waits there */
        const struct job *holder; /* the job that its nodes are kept for */
        /* ... though jobs up to this one, behind it, are still looked at (pass_block()) */
        const struct job *passed;
        bool counted;           /* a reason was to be given: ... */
        size_t in_service;      /* ... so many of its nodes are */
        char *out;              /* ... and the reason of jobs that need more; NULL: none does yet */
        size_t left;            /* jobs to be looked at yet */
        struct request refused; /* what the last one asked for, and how; n 0: none was */
        int refusal;
        /* the same for the last one that a limit forbade all nodes that it could have */
        struct request forbidden;
        enum job_reason limit; /* ... which one */
};

/* whether only reservations keep those waiting that ask for that, behind others */
struct told {
        struct request of;
        int r;
};

/* A job waits in a reservation: it holds up later jobs of its partition there.  None of these can
   go while the pass lasts: what frees a job's turn, a partition or a reservation notes a fact of
   which a new pass follows (may_go_on()). */
struct held_resv {
        const struct resv *resv;
        const struct partition *partition;
        const struct job *holder;
        /* of the holder, in which it found no place; only compared: it may have started since */
        const struct bid *turn;
};

struct pass {
        struct cluster *c;
        usec_t now;
        bool reasons; /* all are told why they wait */
        /* No job that waits may start, and those before have been told so. */
        bool only_untold;
        size_t at;      /* in the queue: the job to be looked at next */
        uint64_t until; /* so many looks the next turn goes on */
        /* of the heterogeneous job there, so many ways have been tried in vain; cut: more of them
           in the next turn */
        uint32_t het;
        size_t ways;
        bool cut;
        bool lacks_room; /* one of these ways has failed for want of room, not for a limit alone */
        uint64_t without_start;          /* looks for those that have not started */
        size_t n_partitions, n_licenses; /* that it was begun with... */
        int64_t clock_set;               /* ... and by which clock */
        struct bitset *usable;           /* nodes that jobs still to be looked at may have */
        struct bitset *all;              /* with those that are kept for others */
        struct queue *of;
        struct held_resv *held; /* sorted by reservation and partition */
        size_t n_held, a_held;
        struct request asked; /* scratch */
        struct told *told;
        size_t n_told, a_told;
        size_t left;                 /* of all */
        uint32_t *kept;              /* of each license: what jobs that wait ask for */
        usec_t again;                /* a limit leaves room for a job then (GrpTRESRunMins) */
        struct preempt_known *known; /* for preempt_place() */
        struct hres_room *room;      /* of the job that try_start() looks at */
        /* max_powered_nodes keeps the job that is looked at waiting, not for ever */
        bool awaits_power;
};

/* What a search for j's place comes to, beside what place() says: it could start were it not for
   reservations; it could not on all of its partition's nodes. */
enum { RESERVED_LATER = -ETIME, RESERVED_NOW = -EPERM, NEVER = -ENODEV };

/* ---- pass_room.c ---- */
/* Why it may not even be tried; REASON_NONE: it may. */
enum job_reason pass_hindrance(struct pass *p, const struct job *j);
/* Without the nodes that are kept for others (force: for those before it); NULL: p->usable is
   right. ret_when: it would run then.  The caller frees. */
struct bitset *pass_usable_for(const struct pass *p, const struct job *j, bool force,
                struct period *ret_when);
bool pass_finds_place(const struct pass *p, const struct job *j, const struct bitset *nodes,
                struct period when);
/* For place_heed_license_limits(), with the pass. */
bool pass_license_is_left(const struct job *j, size_t choice, void *user);
/* It has not enough of its hierarchical resources on the nodes that it could have otherwise: r is
   what place() has said of them. */
bool pass_lacks_layers(const struct pass *p, const struct job *j, const struct bitset *usable,
                struct period when, int r);
/* PreemptParameters=reclaim_licenses: it lacks nothing but layers, which victims could give.
 *ret: as of licenses_free(). */
bool pass_reclaims_layers(const struct pass *p, const struct job *j, size_t *ret);
/* For preempt_known_count_layers(), with the pass. */
struct hres_room *pass_room_without(const void *user, const struct job *j,
                const struct bitset *gone);
/* What a job that waits for its turn asks for is not given to later ones here; backfill may do so,
   where that delays none. */
void pass_keep_licenses(struct pass *p, const struct job *j);
/* Jobs that backfill has no place for either, until they go: what they were to have is for
   others. */
bool pass_ends_plan(const struct pass *p, const struct job *j, enum job_reason why);

/* ---- pass_order.c ---- */
/* No other job is looked at there. */
void pass_close_queue(struct pass *p, struct queue *q);
/* A job that waits for something special, nodes it names or features, delays no other; with
   sched/builtin every job does: strictly in order. */
bool pass_holds_others_up(const struct pass *p, const struct job *j);
/* Keeps the nodes of j's partition for j; if j waits in a reservation, the nodes that the partition
   has in that reservation. */
void pass_block(struct pass *p, const struct job *j);
/* Another job of j's partition, which j is no component of, waits before j, in the same reservation
   (placed.resv) or outside of all like j. */
bool pass_is_behind(const struct pass *p, const struct job *j);
/* Takes out of nodes what jobs before j wait for in j's reservation. */
void pass_leave_to_holders(const struct pass *p, const struct job *j, struct bitset *nodes);
/* j has started in that turn: it holds up nobody in reservations.  true: it did since an earlier
   turn, in another of its partitions, so jobs between the two are to be looked at again. */
bool pass_let_go(struct pass *p, const struct job *j, const struct bid *turn);
/* A job that holds up others in a reservation cannot come for its place any more. */
bool pass_holds_for_nobody(const struct pass *p);

/* ---- pass_reasons.c ---- */
/* Nodes that it could have sleep, and are not woken now: it wants the next probe of the brake. */
bool pass_awaits_brake(const struct pass *p, const struct job *j);
/* Of one that waits for several partitions: of all that is known.  text: NULL, or the borrowed
   detail. */
void pass_tell(const struct pass *p, const struct job *j, enum job_reason why, const char *text);
/* Others are before it.  It is told of nodes that are out of service, and of reservations, if they
   would keep it waiting without those, too. */
void pass_tell_turn(struct pass *p, const struct job *j);
/* It has no place, as r says (place() or the above), and holds up others where it is to. */
void pass_set_waiting(struct pass *p, const struct job *j, int r);
/* The same where max_powered_nodes is in its way. */
void pass_set_unpowered(struct pass *p, const struct job *j);
/* r, or what it is told if nothing but reservations is in its way. */
int pass_reserved_or(const struct pass *p, const struct job *j, const struct bitset *usable, int r);

/* ---- pass_het.c ---- */
/* The leader's turn is that of all.  true: they have started. */
bool pass_consider_het(struct pass *p, const struct job *j);
