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

struct bounds; /* the bounds of all kinds; NULL: none yet */
struct bound;  /* the bounds of one kind; valid until bound_of() is called again */

struct bounds *bounds_free(struct bounds *all); /* returns NULL */
size_t bounds_bytes(const struct bounds *all);  /* bytes of memory */
/* Room on the n nodes from number first on has become free from time from on. */
void bounds_lower(struct backfill *b, size_t first, size_t n, usec_t from);
/* Returns the largest known kind that asks for at most need for at most duration, as a rule. */
struct bound *bound_of(struct backfill *b, const struct need *need, usec_t duration);
const struct earliest *bound_times(const struct bound *of);
/* Returns a bound of node n, whose track is k: up to t if the kind has room by t, else the first
   time after t with room; if that time is later than latest (latest >= t), a time between latest
   and that time. */
usec_t bound_from(struct backfill *b, struct bound *of, const struct track *k, const struct node *n,
                usec_t t, usec_t latest, usec_t now);
