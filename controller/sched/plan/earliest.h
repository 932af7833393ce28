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
        /* of[0]: the time of each node; of[1]: the least time of each 16 nodes; of[2]: of each
           256... */
        usec_t *of[EARLIEST_LEVELS];
        size_t size[EARLIEST_LEVELS]; /* padded with USEC_INFINITY to full groups */
        int top;                      /* the level with a single group */
        /* A copy (earliest_assign()) lacks the times of these groups of 16 nodes in of[0] until
           needed; their times in of[1] may be too early. NULL: never a copy. */
        struct bitset *uncopied;
        size_t n_uncopied;
        /* the source of the copy; only the nodes of `only` are copied */
        const struct earliest *from;
        const struct bitset *only;
};

/* Sets the times of n nodes to 0: unknown. */
void earliest_init(struct earliest *e, size_t n);
void earliest_clear(struct earliest *e); /* sets all times to 0 */
void earliest_done(struct earliest *e);
/* Makes e a copy of from for the nodes of only; further nodes become USEC_INFINITY. Both
   structures have equally many nodes. Most times are copied when a search first comes to the
   nodes: e is valid until from is lowered or freed, or only is changed or freed; times of from
   may become later. */
void earliest_assign(struct earliest *e, const struct earliest *from, const struct bitset *only);
/* Each time of e becomes the later time of e and from. */
void earliest_raise(struct earliest *e, const struct earliest *from);
void earliest_set(struct earliest *e, size_t node, usec_t t);
/* The times of the n nodes from number first on become t where later. */
void earliest_lower(struct earliest *e, size_t first, size_t n, usec_t t);
/* Returns the first node from number first on with a time of at most t, which is not
   USEC_INFINITY; SIZE_MAX: none. */
size_t earliest_by(struct earliest *e, size_t first, usec_t t);
/* The same among the nodes of set; e is no copy. */
size_t earliest_in(const struct earliest *e, const struct bitset *set, size_t first, usec_t t);
/* Returns the least time after t; USEC_INFINITY: none. */
usec_t earliest_after(struct earliest *e, usec_t t);
/* Returns the least time by which count nodes (1 or more) have come; USEC_INFINITY: never. */
usec_t earliest_of(struct earliest *e, size_t count);
size_t earliest_bytes(const struct earliest *e); /* bytes of memory */
