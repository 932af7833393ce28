/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/parts.h - parts of nodes of which reservations have cores (CoreCnt)
 *
 * Two cores of a node belong to one part if the same reservations have them.  A job may therefore
 * use all cores of a part at a given time, or none of them.  A node without such reservations is
 * one part.  Parts are numbered: the first part of a node has the node's index, further parts come
 * behind all nodes.  Sets of parts are bit sets of parts_bits().
 *
 * A part keeps the indexes of its reservations in cluster.resvs.  Code that adds, changes or drops
 * a reservation, or gives it other cores, notes a fact with FOLLOW_PLAN_ANEW, which makes the parts
 * anew. */
#pragma once

#include "controller/sched/place/place.h"

struct parts;

struct parts *parts_new(const struct cluster *c); /* from the reservations as they are now */
struct parts *parts_free(struct parts *p);        /* takes NULL, returns NULL */
size_t parts_bits(const struct parts *p);
size_t parts_node(const struct parts *p, size_t part); /* the node of a part */
/* The number of parts of a node; the index of its k-th part, from 0. */
size_t parts_of(const struct parts *p, size_t node);
size_t parts_at(const struct parts *p, size_t node, size_t k);
const struct bitset *parts_split(const struct parts *p); /* nodes with several parts */

/* The units (cores) of the k-th part of a node with several parts. */
const struct bitset *parts_units(const struct parts *p, size_t node, size_t k);

/* A job's request for parts of nodes in a period. Functions below add the number of examined
   parts to *work. */
struct part_wish {
        const struct cluster *c;
        const struct job *j;
        /* j is planned by numbers of cores; if not, a job with gres, whole nodes, whole sockets
           or MaxCPUsPerNode has all parts of a node */
        bool numbers;
        usec_t from, until;
        uint64_t *work;
};

/* Sets ret to the parts of the nodes usable by the job. */
void parts_wanted(const struct parts *p, const struct part_wish *w, const struct bitset *nodes,
                struct bitset *ret);
bool parts_is_wanted(const struct parts *p, const struct part_wish *w, const struct node *n,
                size_t part); /* whether the job may use the part of n */
/* Sets ret to the parts in which a placement has cores. */
void parts_placed(const struct parts *p, const struct placement *where, struct bitset *ret);
/* Returns whether j, running on n, has cores of the part. */
bool parts_held(const struct parts *p, const struct cluster *c, const struct job *j,
                const struct node *n, size_t part);
/* Sets ret to the nodes whose wanted parts are all free; free is a subset of wanted. */
void parts_nodes(const struct parts *p, const struct bitset *wanted, const struct bitset *free,
                struct bitset *ret);
