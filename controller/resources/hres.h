/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/hres.h - hierarchical resources: layers, what a job may have of them, and
 * what it is charged for (guide hierarchical-resources)
 *
 * A layer is a set of nodes with a count.  It is counted as a license of the name
 * "natural(node[01-16])" (resources/licenses.h), and what a job is charged for is a list of such
 * names: so whatever counts, keeps, plans or records licenses does so with layers.  Here is what
 * is different: which layers a job is charged for depends on its nodes.
 *
 *   MODE_1  the request, once, in one layer that its nodes overlap: the largest that has enough
 *   MODE_2  the request, once, in each layer that its nodes overlap
 *   MODE_3  the request for each of its nodes in each layer around it */
#pragma once

#include "lib/bitset.h"
#include "lib/config/resources.h"
#include "lib/countlist.h"

struct hres_layer {
        struct bitset *nodes; /* the cluster's */
        size_t license;       /* its place in the list of licenses */
        uint32_t total;
        bool infinite;
};

struct hres {
        char *name;
        enum resource_mode mode;
        struct hres_layer *layers; /* MODE_1: the largest first */
        size_t n_layers;
        struct bitset *nodes; /* where it can be had: of all layers, MODE_3: of the innermost */
        /* of each node: its cell, which is a set of layers that no other cell has; UINT32_MAX: it
           is in no layer */
        uint32_t *cell;
        struct hres_cell {
                uint32_t n, *layers;
        } * cells;
        size_t n_cells;
        struct resource_variable *variables; /* own */
        size_t n_variables;
};

struct hres_list {
        struct hres *list;
        size_t n;
};

void hres_list_done(struct hres_list *l);
struct hres *hres_find(const struct hres_list *l, const char *name); /* NULL: there is none */
/* When all of its layers are there: sorts them, and finds its nodes and cells. */
void hres_complete(struct hres *h);
/* The most that a job could ask for, were all of it free. */
uint32_t hres_most(const struct hres *h);
/* Of all that there is, for priorities: MODE_1 the sum of its layers, else its largest layer. */
uint64_t hres_total(const struct hres *h);

/* ---- what a job asks for, and what is free of it ---- */

#define HRES_FREE UINT64_MAX /* of an infinite layer */

struct hres_room {
        size_t n_nodes, n;
        struct bitset *allowed; /* nodes that the job may have, seen one by one */
        struct hres_ask {
                const struct hres *of;
                uint32_t n;
                uint64_t *free;      /* by layer */
                struct bitset *some; /* MODE_1: nodes of layers with enough; else NULL */
        } list[];
};

/* No ask yet; for at most so many. */
struct hres_room *hres_room_new(size_t n_nodes, size_t n);
struct hres_room *hres_room_free(struct hres_room *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hres_room *, hres_room_free)
/* free: by layer, taken over. */
void hres_room_add(struct hres_room *r, const struct hres *of, uint32_t n, uint64_t *free);
/* Could count of these nodes serve it?  A necessary condition, not a sufficient one. */
bool hres_is_open(const struct hres_room *r, const struct bitset *nodes, uint32_t count);
/* Nodes of which it must have one at least, and has none; NULL: there is no such set. */
const struct bitset *hres_lacks(const struct hres_room *r, const struct bitset *nodes);
/* Some layer of MODE_3 has not enough for all of its nodes. */
bool hres_is_counted(const struct hres_room *r);
/* Nodes that it may have together, by MODE_3. */
struct hres_pick;
struct hres_pick *hres_pick_new(const struct hres_room *r);
struct hres_pick *hres_pick_free(struct hres_pick *p); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hres_pick *, hres_pick_free)
bool hres_pick_add(struct hres_pick *p, size_t node); /* false: it may not, beside the others */
typedef const char *hres_name_fn(const void *user, size_t license);
/* What it is charged for on these nodes; name: of a layer, by its place in the list of licenses.
   NULL: it cannot have them. */
struct countlist *hres_charge(const struct hres_room *r, const struct bitset *nodes,
                hres_name_fn *name, const void *user);
/* What n of the resource cost on these nodes, whatever is free: MODE_1 takes the largest layer that
   has enough, else the largest one.  NULL: no layer has any of them. */
struct countlist *hres_charge_always(const struct hres *h, uint32_t n, const uint64_t *free,
                const struct bitset *nodes, hres_name_fn *name, const void *user);
