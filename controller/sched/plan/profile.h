/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/profile.h - when nodes are free: a set of free nodes for each slice of
 * time
 *
 * Times are core's (usec_t, CLOCK_REALTIME); a stretch is [from, until), until USEC_INFINITY:
 * without end. The last slice has no end. */
#pragma once

#include "lib/bitset.h"

struct profile;

struct profile_end { /* a node is busy until `at` */
        usec_t at;
        uint32_t node;
};

struct profile *profile_new(size_t nodes);
struct profile *profile_free(struct profile *p); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct profile *, profile_free)
/* Makes the profile anew: from now on every node is free, except nodes in ends, which are free
   from their ends on; ends is sorted by time and has each node at most once. */
void profile_build(struct profile *p, usec_t now, const struct profile_end *ends, size_t n);
/* profile_take(): the nodes, all free in the stretch, are not free any more; profile_give(): the
   nodes, none free in the stretch, are free again. */
void profile_take(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until);
void profile_give(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until);
/* Drops the slices before now. */
void profile_forget(struct profile *p, usec_t now);

struct profile_wish {
        const struct bitset *nodes; /* candidates */
        uint32_t count;             /* number of nodes, the same nodes all the time; at least 1 */
        usec_t duration;
        /* latest end in any case, later than latest; 0: none */
        usec_t end;
        usec_t from, latest; /* bounds of the start */
        /* NULL, or returns whether the free nodes (count or more) suffice; if not, a later start
           is searched */
        bool (*enough)(const struct bitset *free, usec_t start, void *user);
        void *user;
};
/* Finds the earliest start; ret_free (of the profile's size) becomes all nodes of the wish that
   are free throughout. -ENOENT: none up to latest. */
int profile_fit(struct profile *p, const struct profile_wish *wish, usec_t *ret_start,
                struct bitset *ret_free);

struct profile_look {
        uint32_t count;
        usec_t duration, from, latest;
        /* stretch of the caller's own nodes, which count as enough; begins at latest or later */
        usec_t own_from, own_until;
};
/* Returns whether count nodes are free at all times of such a stretch, not necessarily the same
   nodes. A negative answer is quick, and saves profile_fit(). */
bool profile_has(struct profile *p, const struct profile_look *look);

/* Returns whether some node of the set is free all the time. */
bool profile_has_one(struct profile *p, const struct bitset *nodes, usec_t from, usec_t until);

/* Returns the start of the last slice: no change follows. */
usec_t profile_last(const struct profile *p);
size_t profile_slices(const struct profile *p);
size_t profile_bytes(const struct profile *p); /* bytes of memory */
/* Returns the cost of all calls so far, in words of 64 nodes. */
uint64_t profile_steps(const struct profile *p);
