/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/parts.h - nodes, and the parts of those of which reservations have cores
 * (CoreCnt)
 *
 * Two cores are of one part if the same reservations have them: so each job may have all of a part
 * at some time, or nothing of it. Parts are numbered: a node's first one, or all of a node that has
 * one only, is the node's own number, the further ones come behind all nodes.  Sets of parts are
 * bit sets of parts_bits().
 *
 * Each part knows its reservations by their places in cluster.resvs.  So code that adds, changes or
 * drops one, or lets its cores be others, notes a fact with FOLLOW_PLAN_ANEW: with that the parts
 * are made anew. */
#pragma once

#include "controller/sched/place/place.h"

struct parts;

struct parts *parts_new(const struct cluster *c); /* as reservations are now */
struct parts *parts_free(struct parts *p);        /* takes NULL, returns NULL */
size_t parts_bits(const struct parts *p);
size_t parts_node(const struct parts *p, size_t part); /* the node of a part */
/* How many parts a node has; and the k-th. */
size_t parts_of(const struct parts *p, size_t node);
size_t parts_at(const struct parts *p, size_t node, size_t k);
const struct bitset *parts_split(const struct parts *p); /* nodes of several */

const struct bitset *parts_units(const struct parts *p, size_t node, size_t k); /* of several */

/* Who could have something of which parts, and when.  What it takes to find that out is added to
   work. */
struct part_wish {
        const struct cluster *c;
        const struct job *j;
        bool numbers; /* j goes by numbers; else, if it takes more than cores, it has all parts */
        usec_t from, until;
        uint64_t *work;
};

/* Sets ret to those of these nodes. */
void parts_wanted(const struct parts *p, const struct part_wish *w, const struct bitset *nodes,
                struct bitset *ret);
bool parts_is_wanted(const struct parts *p, const struct part_wish *w, const struct node *n,
                size_t part); /* one of n's */
/* Sets ret to the parts of which where has units. */
void parts_placed(const struct parts *p, const struct placement *where, struct bitset *ret);
/* j, which runs on n, has something of that part. */
bool parts_held(const struct parts *p, const struct cluster *c, const struct job *j,
                const struct node *n, size_t part);
/* Sets ret to the nodes of which all that is wanted is free; free is within wanted. */
void parts_nodes(const struct parts *p, const struct bitset *wanted, const struct bitset *free,
                struct bitset *ret);
