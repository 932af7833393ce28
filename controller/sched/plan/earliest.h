/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/earliest.h - a time of each node before which a request has no room on it,
 * and the least time of each group of nodes, so that a search passes over groups that come later
 *
 * Times are core's (usec_t, CLOCK_REALTIME); USEC_INFINITY: never. */
#pragma once

#include "lib/bitset.h"

enum { EARLIEST_LEVELS = 8 };

struct earliest {
        size_t n;
        /* of[0]: the time of each node; of[1]: the least of each 16 nodes; of[2]: of each 256... */
        usec_t *of[EARLIEST_LEVELS];
        size_t size[EARLIEST_LEVELS]; /* filled up to a full group by USEC_INFINITY */
        int top;                      /* the level that is one group */
        /* Of a copy (earliest_assign()): groups of 16 nodes whose times have not been needed yet,
           so that of[0] lacks them and of[1] may be too early; NULL: it has been no copy yet. */
        struct bitset *uncopied;
        size_t n_uncopied;
        const struct earliest *from; /* they are copied from there, of these nodes only */
        const struct bitset *only;
};

/* Sets the times of n nodes to 0: nothing is known. */
void earliest_init(struct earliest *e, size_t n);
void earliest_clear(struct earliest *e); /* sets all times to 0 */
void earliest_done(struct earliest *e);
/* Makes e a copy of the times of nodes in only; those of other nodes become USEC_INFINITY.  Both
   structures have the same number of nodes.  The times of most nodes are copied when a search first
   comes to them: e is good until from is lowered, or from or only is freed or changes in another
   way than that times of from become later. */
void earliest_assign(struct earliest *e, const struct earliest *from, const struct bitset *only);
/* Each time becomes the later one of both. */
void earliest_raise(struct earliest *e, const struct earliest *from);
void earliest_set(struct earliest *e, size_t node, usec_t t);
/* The times of the n nodes from first on become t where they are later. */
void earliest_lower(struct earliest *e, size_t first, size_t n, usec_t t);
/* The first node from first on whose time is at most t, which is not USEC_INFINITY; SIZE_MAX: none.
 */
size_t earliest_by(struct earliest *e, size_t first, usec_t t);
/* The same among the nodes of set; e is no copy. */
size_t earliest_in(const struct earliest *e, const struct bitset *set, size_t first, usec_t t);
/* The least time after t; USEC_INFINITY: none. */
usec_t earliest_after(struct earliest *e, usec_t t);
/* The least time by which count nodes (1 or more) have come; USEC_INFINITY: so many never come. */
usec_t earliest_of(struct earliest *e, size_t count);
size_t earliest_bytes(const struct earliest *e); /* of memory */
