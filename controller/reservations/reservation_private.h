/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reservations/reservation_private.h - what a new reservation, or one that changes,
 * could have
 *
 * reservation_nodes.c finds whole nodes, reservation_cores.c cores of nodes; both ask the same of a
 * node. */
#pragma once

#include "controller/model/cluster.h"
#include "controller/model/feature.h"

struct resv_search {
        const struct cluster *c;
        const struct resv *r, *old; /* old: what it was; NULL */
        usec_t now;
        bool cores; /* it is to have cores: others that have some are not in its way */
        struct features *features;
        struct bitset *taken; /* by others, in some of its turns, so far as can be seen */
        struct bitset *maint; /* likewise, by maintenance: not chosen */
};

void resv_search_begin(struct resv_search *s);
void resv_search_done(struct resv_search *s);
/* of, another one, is at some time where s->r would be. */
bool resv_search_meets(const struct resv_search *s, const struct resv *of);
/* No other reservation has n whole, and it is in service and has the features. */
bool resv_search_suits(const struct resv_search *s, const struct node *n);
/* When j, which runs, will be over; 0: it is its own. */
usec_t resv_search_until(const struct resv_search *s, const struct job *j);
