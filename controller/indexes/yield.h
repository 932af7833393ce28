/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/yield.h - jobs that make room for another one: ended, suspended, or asked for memory */
#pragma once

#include "controller/model/cluster.h"

/* Jobs that are looked past, by their places in c->active; NULL: none are. */
struct yield {
        const struct bitset *gone; /* they hold nothing any more: ended */
        const struct bitset *lent; /* they hold their memory alone: suspended for a preemptor */
        const struct bitset *give; /* of those lent: they hold no memory either where it can be pushed out; NULL: none does */
        uint32_t most; /* jobs may hold a unit at once, with those that lend it; 0: as many as like */
};

bool yield_gone(const struct yield *y, const struct job *v);
bool yield_units(const struct yield *y, const struct job *v); /* gone or lent */
