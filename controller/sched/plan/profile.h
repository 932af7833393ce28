/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/profile.h - which nodes are free from when until when: a set of nodes for
 * each slice of time
 *
 * Times are core's (usec_t, CLOCK_REALTIME); a stretch is [from, until), until USEC_INFINITY: for
 * ever.  The last slice has no end. */
#pragma once

#include "lib/bitset.h"

struct profile;

struct profile_end { /* a node is busy until then */
        usec_t at;
        uint32_t node;
};

struct profile *profile_new(size_t nodes);
struct profile *profile_free(struct profile *p); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct profile *, profile_free)
/* From now on every node is free but those in ends until then; ends is sorted by time, a node comes
   in it once at most. */
void profile_build(struct profile *p, usec_t now, const struct profile_end *ends, size_t n);
/* Nodes that are all free then, and are not afterwards; and back. */
void profile_take(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until);
void profile_give(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until);
/* What is over is forgotten. */
void profile_forget(struct profile *p, usec_t now);

struct profile_wish {
        const struct bitset *nodes; /* of these */
        uint32_t count;             /* so many, the same ones all the time; at least 1 */
        usec_t duration;
        /* but it is over by then in any case, which is later than latest; 0: it is not */
        usec_t end;
        usec_t from, latest; /* it starts then */
        /* NULL, or: would some of these (count or more) do?  If not a later start is looked for. */
        bool (*enough)(const struct bitset *free, usec_t start, void *user);
        void *user;
};
/* The earliest start; ret_free (of the profile's size) becomes all of the wish's nodes that are
   free throughout. -ENOENT: there is none up to latest. */
int profile_fit(struct profile *p, const struct profile_wish *wish, usec_t *ret_start,
                struct bitset *ret_free);

struct profile_look {
        uint32_t count;
        usec_t duration, from, latest;
        /* what the asker has taken, many enough; it begins at latest or later */
        usec_t own_from, own_until;
};
/* Are so many nodes free at all times of such a stretch, be they others from one moment to the
   next?  A no, which is quick, saves profile_fit(). */
bool profile_has(struct profile *p, const struct profile_look *look);

/* Is one of the nodes free all the time? */
bool profile_has_one(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until);

/* From then on nothing changes any more. */
usec_t profile_last(const struct profile *p);
size_t profile_slices(const struct profile *p);
size_t profile_bytes(const struct profile *p); /* of memory */
/* What all of this has cost up to now, in words of 64 nodes that were looked at. */
uint64_t profile_steps(const struct profile *p);
