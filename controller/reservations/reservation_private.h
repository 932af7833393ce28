/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reservations/reservation_private.h - the search for nodes of a new or changed
 * reservation
 *
 * reservation_nodes.c searches whole nodes, reservation_cores.c cores of nodes; both apply these
 * conditions to a node. */
#pragma once

#include "controller/model/cluster.h"
#include "controller/model/feature.h"

struct resv_search {
        const struct cluster *c;
        const struct resv *r, *old; /* old: the version being replaced; NULL */
        usec_t now;
        /* a reservation of cores, which may share nodes with further reservations of cores */
        bool cores;
        struct features *features;
        struct bitset *taken; /* nodes of further reservations in any overlapping turn */
        struct bitset *maint; /* nodes under maintenance in any overlapping turn: not chosen */
};

void resv_search_begin(struct resv_search *s);
void resv_search_done(struct resv_search *s);
/* Returns whether `of`, a further reservation, conflicts in time with s->r. */
bool resv_search_meets(const struct resv_search *s, const struct resv *of);
/* Returns whether no further reservation has n whole, n is in service, and n has the features. */
bool resv_search_suits(const struct resv_search *s, const struct node *n);
/* Returns when j, running, will be over; 0: j is a job of the reservation. */
usec_t resv_search_until(const struct resv_search *s, const struct job *j);
