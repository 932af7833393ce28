/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/freed.h - nodes of which something has become free, and during which
 * stretch
 *
 * Times are core's (usec_t, CLOCK_REALTIME); a stretch is [from, until). */
#pragma once

#include "lib/bitset.h"

struct freed {
        struct bitset *nodes;
        usec_t *from, *until; /* of each node in nodes: the stretch */
};

void freed_init(struct freed *f, size_t n);
void freed_done(struct freed *f);
void freed_clear(struct freed *f);
void freed_assign(struct freed *f, const struct freed *from); /* same number of nodes */
/* Something of the n nodes from first on has become free during [from, until), too. */
void freed_add(struct freed *f, size_t first, size_t n, usec_t from, usec_t until);
/* The earliest start, between from and latest, of a run of that duration that would overlap the
   node's stretch; USEC_INFINITY: none would. */
usec_t freed_from(const struct freed *f, size_t node, usec_t from, usec_t duration, usec_t latest);
