/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/freed.h - nodes with room that has become free, each with a stretch of
 * time
 *
 * Times are core's (usec_t, CLOCK_REALTIME); a stretch is [from, until). */
#pragma once

#include "lib/bitset.h"

struct freed {
        struct bitset *nodes;
        usec_t *from, *until; /* the stretch of each node in nodes */
};

void freed_init(struct freed *f, size_t n);
void freed_done(struct freed *f);
void freed_clear(struct freed *f);
/* both have the same number of nodes */
void freed_assign(struct freed *f, const struct freed *from);
/* Adds [from, until) to the stretches of the n nodes from number first on. */
void freed_add(struct freed *f, size_t first, size_t n, usec_t from, usec_t until);
/* Returns the earliest start between from and latest of a job of that duration that overlaps the
   node's stretch; USEC_INFINITY: none. */
usec_t freed_from(const struct freed *f, size_t node, usec_t from, usec_t duration, usec_t latest);
