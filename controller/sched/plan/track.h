/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/track.h - how much of a node is free at which times: numbers of units,
 * MB and generic resources left by running and planned jobs
 *
 * Numbers are enough: a job gets its units from the free units when it starts, and keeps the
 * units; if no more are taken at any time than the node has, each job finds enough. Times are
 * core's (usec_t, CLOCK_REALTIME); a stretch is [from, until). */
#pragma once

#include "controller/sched/plan/takes.h"

struct backfill;

/* Indexes of the numbers. The first gres item of the node is TRACK_GRES. In a node of several
   parts (parts.h) TRACK_UNITS counts the first part; the units of further parts follow the gres
   items. */
enum { TRACK_UNITS, TRACK_MEMORY, TRACK_GRES };

/* Maximum number of new plans of a node kept apart until its track is asked for; with more, the
   track is made anew. */
enum { TRACK_LATE = 6 };

struct track_hold { /* the hold of a running job until its expected end */
        usec_t until;
        const struct job *job;
        /* keeps the whole node from jobs of further users or MCS labels (keeps_to_its_own()) */
        bool whole;
};

struct track {
        uint32_t width; /* numbers in a step or a hold */
        uint32_t n_parts;
        size_t second_part;    /* index of the second part; further parts follow */
        uint32_t n, allocated; /* steps, which begin at these times, the first at 0 */
        usec_t *at;
        int64_t *free; /* free amounts in each step; below 0: overdrawn */
        uint32_t n_holds, a_holds;
        struct track_hold *holds;
        int64_t *held; /* amounts of each hold */
        int64_t *all;  /* amounts of the empty node */
        bool closed;   /* the node is out of service: all amounts are 0, and plans take none */
        /* new plans still missing in the steps */
        const struct job_plan *late[TRACK_LATE];
        uint32_t n_late;
};

/* The plans on the node at one time, while a track is made. */
struct track_live {
        const struct job_plan **of; /* sorted by end, the latest end first */
        size_t n;
        int64_t *taken; /* amounts taken by all plans together */
        int64_t *what;
};

struct track_scratch {
        struct track held, made;
        struct track_live live;
};

struct need { /* a demand on a node for the whole stretch */
        int64_t units;
        int64_t memory;                /* MB; INT64_MAX: all memory of the node */
        uint32_t tasks;                /* tasks whose gres are needed */
        const struct gres_wants *gres; /* NULL: no gres */
        const struct bitset *wanted;   /* only these parts of nodes; NULL: all parts */
};

void track_done(struct track *k);
void track_scratch_done(struct track_scratch *s);
/* Returns the up-to-date track of a node; valid until the next change. */
const struct track *track_of(const struct cluster *c, struct backfill *b, size_t node, usec_t now);
/* Notes that the holds of running jobs on the node have changed. */
void tracks_changed(struct backfill *b, size_t node);
/* tracks_take(): p was laid, or shut again; tracks_give(): p was lifted, or opened
   (plan_open()). */
void tracks_take(struct backfill *b, const struct job_plan *p);
void tracks_give(struct backfill *b, const struct job_plan *p);

size_t track_bytes(const struct track *k); /* bytes of memory */
/* Returns the cost of examining the track, for spend(). */
static inline uint64_t track_cost(const struct track *k) {
        return 32 + (1 + (uint64_t)k->n_parts) * k->n;
}
/* Returns the index of the units of a part of the node. */
static inline size_t track_at(const struct track *k, size_t part) {
        return part ? k->width - k->n_parts + part : TRACK_UNITS;
}
/* Sets what (k->width numbers) to the amounts that p takes of the node. */
void track_find_take(const struct track *k, const struct job_plan *p, size_t node, int64_t *what);
/* Returns the earliest start from `from` on at which need is free for the duration, or until
   end, if earlier (0: no end). USEC_INFINITY: never. If the start is later than latest: a time
   between latest and the start, which costs less to find. */
usec_t track_from(const struct track *k, const struct node *n, const struct need *need, usec_t from,
                usec_t latest, usec_t duration, usec_t end);
/* The same as if p, contained in the track and going by numbers, were absent. */
usec_t track_from_without(const struct track *k, const struct node *n, const struct job_plan *p,
                const struct need *need, usec_t from, usec_t duration);
/* Returns the next time after t at which some amount grows; USEC_INFINITY: never. */
usec_t track_next(const struct track *k, usec_t t);
/* Sets ret (width numbers) to the least free amounts in [from, until). */
void track_least(const struct track *k, usec_t from, usec_t until, int64_t *ret);
/* Returns the first time from `from` on at which the node is overdrawn; USEC_INFINITY: never. */
usec_t track_overdrawn(const struct track *k, const struct node *n, usec_t from);
/* Returns whether p, contained in the track and present at t, takes some of an overdrawn amount:
   units of a part, memory, or gres of a name. A plan with whole parts: memory only. */
bool track_is_overdrawn_by(const struct track *k, const struct node *n, const struct job_plan *p,
                usec_t t);
/* Returns when the step after the step of t begins; USEC_INFINITY: no next step. */
usec_t track_step_after(const struct track *k, usec_t t);
