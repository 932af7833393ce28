/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/powered.h - max_powered_nodes: nodes with power, and nodes that are never
   suspended (power-saving guide) */
#pragma once

#include "controller/model/cluster.h"

/* Number of nodes with power or about to get power, without FUTURE nodes. */
size_t powered_count(const struct cluster *c);
/* Number of further nodes that may get power; SIZE_MAX: no limit. */
size_t powered_room(const struct cluster *c);
/* Nodes with power, or about to get power, that are never suspended; only the remaining power is
   available to other nodes.  NULL without max_powered_nodes; the caller frees. */
struct bitset *powered_for_good(const struct cluster *c);
/* Maximum of nodes for a job: max_powered_nodes, or the number of nodes in for_good (of
   powered_for_good(); NULL: none) if larger. */
size_t powered_most(const struct cluster *c, const struct bitset *for_good);
/* Nodes that keep power if all idle nodes are suspended: powered_for_good(), plus nodes of active
   jobs except jobs in gone (indexes in c->active).  NULL without max_powered_nodes; the caller
   frees. */
struct bitset *powered_without(const struct cluster *c, const struct bitset *gone);
/* Removes n from to_resume, so that another node may get the power. */
void powered_wake_no_more(struct cluster *c, const struct node *n);
/* Part of cluster_node_changed(). */
void powered_node_changed(struct cluster *c, const struct node *n);
/* True for a sleeping node that the brake keeps from being woken. */
bool brake_holds(const struct cluster *c, const struct node *n);
