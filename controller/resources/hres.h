/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/hres.h - hierarchical resources: layers, available amounts, and the charge
 * of a job (hierarchical resources guide)
 *
 * A layer is a set of nodes with a count.  A layer is counted as a license named
 * "natural(node[01-16])" (resources/licenses.h), and the charge of a job is a list of such names,
 * so that all code that counts, keeps, plans or records licenses handles layers, too.  The
 * difference is decided here: the layers that a job is charged for depend on the nodes of the job.
 *
 *   MODE_1  the request, once, in one layer that overlaps the job's nodes: the largest with enough
 *   MODE_2  the request, once, in each layer that overlaps the job's nodes
 *   MODE_3  the request for each of the job's nodes in each layer around the node */
#pragma once

#include "lib/bitset.h"
#include "lib/config/resources.h"
#include "lib/countlist.h"

struct hres_layer {
        struct bitset *nodes; /* indexes of the cluster's nodes */
        size_t license;       /* index in the list of licenses */
        uint32_t total;
        bool infinite;
};

struct hres {
        char *name;
        enum resource_mode mode;
        struct hres_layer *layers; /* MODE_1: the largest first */
        size_t n_layers;
        /* nodes where the resource is available: of all layers, MODE_3: of the innermost */
        struct bitset *nodes;
        /* cell of each node, which is a unique set of layers; UINT32_MAX: in no layer */
        uint32_t *cell;
        struct hres_cell {
                uint32_t n, *layers;
        } * cells;
        size_t n_cells;
        struct resource_variable *variables; /* owned */
        size_t n_variables;
};

struct hres_list {
        struct hres *list;
        size_t n;
};

void hres_list_done(struct hres_list *l);
struct hres *hres_find(const struct hres_list *l, const char *name); /* NULL: no such resource */
/* Called when all layers are present: sorts the layers, and finds nodes and cells. */
void hres_complete(struct hres *h);
/* Returns the most that a job could ask for if all were free. */
uint32_t hres_most(const struct hres *h);
/* Returns the total for priorities: MODE_1 the sum of the layers, else the largest layer. */
uint64_t hres_total(const struct hres *h);

/* ---- the request and the free amounts ---- */

#define HRES_FREE UINT64_MAX /* free amount of an infinite layer */

struct hres_room {
        size_t n_nodes, n;
        struct bitset *allowed; /* nodes that the job may have, each considered alone */
        struct hres_ask {
                const struct hres *of;
                uint32_t n;
                uint64_t *free;      /* per layer */
                struct bitset *some; /* MODE_1: nodes of layers with enough; else NULL */
        } list[];
};

/* Returns a room without asks, for at most n asks. */
struct hres_room *hres_room_new(size_t n_nodes, size_t n);
struct hres_room *hres_room_free(struct hres_room *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hres_room *, hres_room_free)
/* free: per layer, taken over. */
void hres_room_add(struct hres_room *r, const struct hres *of, uint32_t n, uint64_t *free);
/* Returns whether `count` of the nodes might serve the request: necessary, not sufficient. */
bool hres_is_open(const struct hres_room *r, const struct bitset *nodes, uint32_t count);
/* Returns a set of which the job needs at least one node and has none; NULL: no such set. */
const struct bitset *hres_lacks(const struct hres_room *r, const struct bitset *nodes);
/* Returns whether some layer of MODE_3 has too little for all nodes of the layer. */
bool hres_is_counted(const struct hres_room *r);
/* A set of nodes that the job may have together, by MODE_3. */
struct hres_pick;
struct hres_pick *hres_pick_new(const struct hres_room *r);
struct hres_pick *hres_pick_free(struct hres_pick *p); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hres_pick *, hres_pick_free)
bool hres_pick_add(struct hres_pick *p, size_t node); /* false: not together with the added nodes */
typedef const char *hres_name_fn(const void *user, size_t license);
/* Returns the charge of the job on these nodes; name: of a layer, by index in the list of licenses.
   NULL: the job cannot have the nodes. */
struct countlist *hres_charge(const struct hres_room *r, const struct bitset *nodes,
                hres_name_fn *name, const void *user);
/* Returns the charge for n of the resource on these nodes, without regard to free amounts: MODE_1
   takes the largest layer with enough, else the largest layer.  NULL: no node is in a layer. */
struct countlist *hres_charge_always(const struct hres *h, uint32_t n, const uint64_t *free,
                const struct bitset *nodes, hres_name_fn *name, const void *user);
