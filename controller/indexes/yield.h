/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/yield.h - jobs that make room for another one: ended, suspended, or asked for
   memory */
#pragma once

#include "controller/model/cluster.h"

/* Jobs that make room, as sets of indexes in c->active; NULL: none. */
struct yield {
        const struct bitset *gone; /* hold nothing, as if ended */
        const struct bitset *lent; /* hold only their memory, as if suspended for a preemptor */
        const struct bitset *give; /* of lent: hold no memory either, where it can be pushed out */
        uint32_t most; /* the most jobs on a unit, including those that lend it; 0: no limit */
};

bool yield_gone(const struct yield *y, const struct job *v);
bool yield_units(const struct yield *y, const struct job *v); /* gone or lent */
