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

enum { TRACK_UNITS, TRACK_MEMORY, TRACK_GRES }; /* the first of its items is TRACK_GRES */

struct track_hold { /* by a job that runs there, until then */
        usec_t until;
        const struct job *job;
};

struct track {
        uint32_t width;        /* numbers of a step, or of a hold */
        uint32_t n, allocated; /* steps: they change at these times, the first at 0 */
        usec_t *at;
        int64_t *free; /* of each step; less than 0: more is promised than there is */
        uint32_t n_holds, a_holds;
        struct track_hold *holds;
        int64_t *held; /* of each hold */
};

struct need { /* of a node, all the time */
        int64_t units;
        int64_t memory;                /* INT64_MAX: all that it has */
        uint32_t tasks;                /* of generic resources what these need */
        const struct gres_wants *gres; /* NULL: none */
};

void track_done(struct track *k);
/* That node's, as things are; it lasts until they change. */
const struct track *track_of(const struct cluster *c, struct backfill *b, size_t node, usec_t now);
/* What jobs hold there may be another, or last for another time; plans have come or gone. */
void tracks_changed(struct backfill *b, size_t node);
void tracks_replanned(struct backfill *b, const struct job_plan *p);

size_t track_bytes(const struct track *k); /* of memory */
/* Sets ret to what it has when nothing is taken. */
void track_all(const struct node *n, int64_t *ret);
/* The earliest start from from on at which need is free so long, or until end (0: there is none),
   if that is earlier.  USEC_INFINITY: never. */
usec_t track_from(const struct track *k, const struct node *n, const struct need *need, usec_t from,
                usec_t duration, usec_t end);
/* The next time after t at which something becomes free; USEC_INFINITY: nothing does. */
usec_t track_next(const struct track *k, usec_t t);
/* Sets ret (width numbers) to what is free of each all the time. */
void track_least(const struct track *k, usec_t from, usec_t until, int64_t *ret);
/* The first time from from on at which more is promised than there is; USEC_INFINITY: none. */
usec_t track_overdrawn(const struct track *k, const struct node *n, usec_t from);
