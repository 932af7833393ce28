/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/yield.h - jobs that make room for another job: ended, suspended, or lending
   memory */
#pragma once

#include "controller/model/cluster.h"

/* Jobs that make room, as sets of indexes in c->active; NULL: empty set. */
struct yield {
        const struct bitset *gone; /* jobs counted as ended */
        const struct bitset *lent; /* jobs counted as suspended for a preemptor: hold only memory */
        /* subset of lent: memory is given up too, where it can be reclaimed */
        const struct bitset *give;
        uint32_t most; /* maximum of jobs on a unit, including jobs in lent; 0: no limit */
};

bool yield_gone(const struct yield *y, const struct job *v);
bool yield_units(const struct yield *y, const struct job *v); /* member of gone or lent */
