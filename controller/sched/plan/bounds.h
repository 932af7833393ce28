/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/bounds.h - known lower bounds: before which time a node has no room for a
 * kind of request
 *
 * A kind asks for a power of two of units (cores or CPUs) and of MB, for a power of two of minutes.
 * A request that asks for at least as much as a kind has no room before that kind has. A search
 * that looks at a node raises its bound; what becomes free on a node lowers all bounds of the node,
 * so that they stay true. */
#pragma once

#include "controller/sched/plan/earliest.h"
#include "controller/sched/plan/track.h"

struct bounds; /* of all kinds; NULL: no kind has been asked for yet */
struct bound;  /* of one kind; valid until bound_of() is called again */

struct bounds *bounds_free(struct bounds *all); /* returns NULL */
size_t bounds_bytes(const struct bounds *all);  /* of memory */
/* Something of the n nodes from first on has become free from time from on. */
void bounds_lower(struct backfill *b, size_t first, size_t n, usec_t from);
/* A kind that asks for no more than need for that duration: the largest one, as a rule. */
struct bound *bound_of(struct backfill *b, const struct need *need, usec_t duration);
const struct earliest *bound_times(const struct bound *of);
/* The bound of node n, whose track is k: a time up to t if the kind has room by t, else the first
   time after t at which it has, or if that is later than latest (t or later) a time between the
   two. */
usec_t bound_from(struct backfill *b, struct bound *of, const struct track *k, const struct node *n,
                usec_t t, usec_t latest, usec_t now);
