/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/powered.h - max_powered_nodes: nodes that have power, and nodes that never
   give it back (power-saving guide) */
#pragma once

#include "controller/model/cluster.h"

/* nodes that have power or will get it; FUTURE ones are none */
size_t powered_count(const struct cluster *c);
/* so many more may get it; SIZE_MAX: as many as there are */
size_t powered_room(const struct cluster *c);
/* Of those that have it or will get it, the ones that keep it however long they idle: what others
   can ever have is the rest.  NULL without max_powered_nodes; the caller frees. */
struct bitset *powered_for_good(const struct cluster *c);
/* The most nodes that one job can have: max_powered_nodes, or the number of nodes in for_good (of
   powered_for_good(); NULL: none) where that is larger. */
size_t powered_most(const struct cluster *c, const struct bitset *for_good);
/* Those that have power when all sleep that ever do, but for those of active jobs that are not in
   gone (places in c->active).  NULL without max_powered_nodes; the caller frees. */
struct bitset *powered_without(const struct cluster *c, const struct bitset *gone);
/* No longer in to_resume: another may have the power that it was to have. */
void powered_wake_no_more(struct cluster *c, const struct node *n);
/* Of cluster_node_changed(). */
void powered_node_changed(struct cluster *c, const struct node *n);
/* Sleeping and not to be woken now. */
bool brake_holds(const struct cluster *c, const struct node *n);
