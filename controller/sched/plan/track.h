/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/track.h - how much of a node is free from when until when: numbers of
 * units, of MB and of its generic resources, beside what runs and is planned
 *
 * Numbers are enough: a job gets its units when it starts, of those that are free then, and keeps
 * them; so where no more are taken at any time than the node has, each finds some. Times are core's
 * (usec_t, CLOCK_REALTIME); a stretch is [from, until). */
#pragma once

#include "controller/sched/plan/takes.h"

struct backfill;

/* The first of a node's generic resources is TRACK_GRES.  Where the node has several parts
   (parts.h) TRACK_UNITS is of the first one; the others' are behind the generic resources. */
enum { TRACK_UNITS, TRACK_MEMORY, TRACK_GRES };

/* So many new plans of a node are kept apart until its track is asked for; with more the track is
   made anew then. */
enum { TRACK_LATE = 6 };

struct track_hold { /* by a job that runs there, until then */
        usec_t until;
        const struct job *job;
        bool whole; /* it keeps the whole node from jobs of others (keeps_to_its_own()) */
};

struct track {
        uint32_t width; /* numbers of a step, or of a hold */
        uint32_t n_parts;
        size_t second_part;    /* its number; the next ones have the next */
        uint32_t n, allocated; /* steps: they change at these times, the first at 0 */
        usec_t *at;
        int64_t *free; /* of each step; less than 0: more is promised than there is */
        uint32_t n_holds, a_holds;
        struct track_hold *holds;
        int64_t *held; /* of each hold */
        int64_t *all;  /* amounts of the empty node */
        bool closed;   /* the node is out of service: nothing is free, plans take nothing */
        /* plans that have come since the track was asked for, which it lacks */
        const struct job_plan *late[TRACK_LATE];
        uint32_t n_late;
};

/* The plans that are on the node at one time, while a track is made. */
struct track_live {
        const struct job_plan **of; /* in order of their ends, the first to end last */
        size_t n;
        int64_t *taken; /* amounts that all of them take */
        int64_t *what;
};

struct track_scratch {
        struct track held, made;
        struct track_live live;
};

struct need { /* of a node, all the time */
        int64_t units;
        int64_t memory;                /* INT64_MAX: all that it has */
        uint32_t tasks;                /* of generic resources what these need */
        const struct gres_wants *gres; /* NULL: none */
        const struct bitset *wanted;   /* of parts of nodes these alone; NULL: all */
};

void track_done(struct track *k);
void track_scratch_done(struct track_scratch *s);
/* That node's, as things are; it lasts until they change. */
const struct track *track_of(const struct cluster *c, struct backfill *b, size_t node, usec_t now);
/* What jobs hold of the node has changed, or until when. */
void tracks_changed(struct backfill *b, size_t node);
/* A plan has been laid, or shut again; has been lifted, or opened (plan_open()). */
void tracks_take(struct backfill *b, const struct job_plan *p);
void tracks_give(struct backfill *b, const struct job_plan *p);

size_t track_bytes(const struct track *k); /* of memory */
/* What a look along the track costs, as spend() counts. */
static inline uint64_t track_cost(const struct track *k) {
        return 32 + (1 + (uint64_t)k->n_parts) * k->n;
}
/* Where in its numbers the units of a part of the node are. */
static inline size_t track_at(const struct track *k, size_t part) {
        return part ? k->width - k->n_parts + part : TRACK_UNITS;
}
/* Sets what (k->width numbers) to the amounts that p takes of that node. */
void track_find_take(const struct track *k, const struct job_plan *p, size_t node, int64_t *what);
/* The earliest start from from on at which need is free so long, or until end (0: there is none),
   if that is earlier.  USEC_INFINITY: never.  Where the start is later than latest: a time between
   the two, which costs less to find. */
usec_t track_from(const struct track *k, const struct node *n, const struct need *need, usec_t from,
                usec_t latest, usec_t duration, usec_t end);
/* The same as if p, which the track contains and which goes by numbers, were not there. */
usec_t track_from_without(const struct track *k, const struct node *n, const struct job_plan *p,
                const struct need *need, usec_t from, usec_t duration);
/* The next time after t at which something becomes free; USEC_INFINITY: nothing does. */
usec_t track_next(const struct track *k, usec_t t);
/* Sets ret (width numbers) to what is free of each all the time. */
void track_least(const struct track *k, usec_t from, usec_t until, int64_t *ret);
/* The first time from from on at which more is promised than there is; USEC_INFINITY: none. */
usec_t track_overdrawn(const struct track *k, const struct node *n, usec_t from);
/* Whether p, which the track contains and which is there at t, takes some of what more is promised
   of than there is: units of such a part, memory, or generic resources of such a name.  A plan that
   has parts as a whole: memory. */
bool track_is_overdrawn_by(const struct track *k, const struct node *n, const struct job_plan *p,
                usec_t t);
/* When the step after that of t begins; USEC_INFINITY: there is none. */
usec_t track_step_after(const struct track *k, usec_t t);
