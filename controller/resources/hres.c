/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/resources/hres.h"

#define NO_CELL UINT32_MAX

void hres_list_done(struct hres_list *l) {
        for (size_t i = 0; i < l->n; i++) {
                struct hres *h = &l->list[i];
                for (size_t k = 0; k < h->n_layers; k++)
                        bitset_free(h->layers[k].nodes);
                for (size_t k = 0; k < h->n_cells; k++)
                        free(h->cells[k].layers);
                for (size_t k = 0; k < h->n_variables; k++)
                        free(h->variables[k].name);
                bitset_free(h->nodes);
                free(h->variables);
                free(h->cells);
                free(h->cell);
                free(h->layers);
                free(h->name);
        }
        free(l->list);
        *l = (struct hres_list){ 0 };
}

struct hres *hres_find(const struct hres_list *l, const char *name) {
        for (size_t i = 0; i < l->n; i++)
                if (streq(l->list[i].name, name))
                        return &l->list[i];
        return NULL;
}

/* ---- cells ---- */

static bool hres_compare_size(const struct hres_layer *a, const struct hres_layer *b) {
        return a->infinite != b->infinite ? a->infinite : a->total > b->total;
}

/* Insertion sort: equal layers stay in the order of the file. */
static void sort_layers(struct hres *h) {
        for (size_t i = 1; i < h->n_layers; i++) {
                struct hres_layer l = h->layers[i];
                size_t at = i;
                for (; at > 0 && hres_compare_size(&l, &h->layers[at - 1]); at--)
                        h->layers[at] = h->layers[at - 1];
                h->layers[at] = l;
        }
}

/* Cells while the layers are processed, before the lists exist. */
struct split {
        uint32_t size;   /* nodes in the cell */
        uint32_t inside; /* nodes of the cell in the present layer */
        uint32_t to;     /* target cell; NO_CELL: not known yet */
};

/* Returns the new cell of a node of `cell` that is in the present layer: a cell completely inside
   stays unchanged. */
static uint32_t cell_inside(struct hres *h, struct split *cells, uint32_t cell) {
        struct split *of = cell == NO_CELL ? &cells[h->layers[0].nodes->bits] : &cells[cell];

        if (of->to != NO_CELL)
                return of->to;
        if (cell != NO_CELL && of->inside == of->size)
                return of->to = cell;
        of->size -= of->inside;
        of->to = (uint32_t)h->n_cells++;
        cells[of->to] = (struct split){ of->inside, of->inside, of->to };
        return of->to;
}

/* Layer by layer, the nodes of a cell inside the layer become a new cell.  No cell is empty, so the
   number of cells is at most the number of nodes. */
static void find_cells(struct hres *h) {
        size_t n_nodes = h->layers[0].nodes->bits;
        /* last entry: nodes in no layer; the size is irrelevant */
        _cleanup_free_ struct split *cells = xnew0(struct split, n_nodes + 1);

        h->cell = xnew(uint32_t, n_nodes + 1);
        memset(h->cell, 0xff, (n_nodes + 1) * sizeof h->cell[0]);
        for (size_t i = 0; i < h->n_layers; i++) {
                for (size_t k = 0; k <= n_nodes; k++) {
                        cells[k].inside = 0;
                        cells[k].to = NO_CELL;
                }
                bitset_for_each(k, h->layers[i].nodes)
                        cells[h->cell[k] == NO_CELL ? n_nodes : h->cell[k]].inside++;
                bitset_for_each(k, h->layers[i].nodes)
                        h->cell[k] = cell_inside(h, cells, h->cell[k]);
        }
}

/* Lists the layers of each cell, taken from any node of the cell. */
static void list_layers(struct hres *h) {
        size_t n_nodes = h->layers[0].nodes->bits;

        h->cells = xnew0(struct hres_cell, h->n_cells + 1);
        for (size_t i = 0; i < n_nodes; i++) {
                struct hres_cell *cell = h->cell[i] == NO_CELL ? NULL : &h->cells[h->cell[i]];
                if (!cell || cell->layers)
                        continue;
                for (size_t k = 0; k < h->n_layers; k++)
                        cell->n += bitset_has(h->layers[k].nodes, i);
                cell->layers = xnew(uint32_t, cell->n);
                cell->n = 0;
                for (size_t k = 0; k < h->n_layers; k++)
                        if (bitset_has(h->layers[k].nodes, i))
                                cell->layers[cell->n++] = (uint32_t)k;
        }
}

/* Returns the minimum number of layers around a node that has the resource. */
static uint32_t least_depth(const struct hres *h) {
        uint32_t deepest = 0;

        for (size_t i = 0; i < h->n_cells && h->mode == RESOURCE_MODE_3; i++)
                deepest = MAX(deepest, h->cells[i].n);
        return deepest;
}

void hres_complete(struct hres *h) {
        if (h->mode == RESOURCE_MODE_1)
                sort_layers(h);
        find_cells(h);
        list_layers(h);
        uint32_t least = least_depth(h);
        h->nodes = bitset_new(h->layers[0].nodes->bits);
        for (size_t i = 0; i < h->nodes->bits; i++)
                bitset_put(h->nodes, i, h->cell[i] != NO_CELL && h->cells[h->cell[i]].n >= least);
}

uint32_t hres_most(const struct hres *h) {
        uint32_t most = 0, least = least_depth(h);

        for (size_t i = 0; i < h->n_cells; i++) {
                if (h->cells[i].n < least)
                        continue;
                uint32_t there = h->mode == RESOURCE_MODE_1 ? 0 : UINT32_MAX;
                for (uint32_t k = 0; k < h->cells[i].n; k++) {
                        const struct hres_layer *l = &h->layers[h->cells[i].layers[k]];
                        uint32_t n = l->infinite ? UINT32_MAX : l->total;
                        there = h->mode == RESOURCE_MODE_1 ? MAX(there, n) : MIN(there, n);
                }
                most = MAX(most, there);
        }
        return most;
}

uint64_t hres_total(const struct hres *h) {
        uint64_t sum = 0, most = 0;

        for (size_t i = 0; i < h->n_layers; i++) {
                sum += h->layers[i].infinite ? 0 : h->layers[i].total;
                most = MAX(most, (uint64_t)(h->layers[i].infinite ? 0 : h->layers[i].total));
        }
        return h->mode == RESOURCE_MODE_1 ? sum : most;
}

/* ---- room ---- */

struct hres_room *hres_room_new(size_t n_nodes, size_t n) {
        struct hres_room *r = xcalloc(1, sizeof *r + n * sizeof r->list[0]);

        r->n_nodes = n_nodes;
        r->allowed = bitset_new(n_nodes);
        bitset_fill(r->allowed);
        return r;
}

struct hres_room *hres_room_free(struct hres_room *r) {
        for (size_t i = 0; r && i < r->n; i++) {
                free(r->list[i].free);
                bitset_free(r->list[i].some);
        }
        if (r)
                bitset_free(r->allowed);
        free(r);
        return NULL;
}

void hres_room_add(struct hres_room *r, const struct hres *of, uint32_t n, uint64_t *free) {
        struct hres_ask *ask = &r->list[r->n++];

        *ask = (struct hres_ask){ .of = of, .n = n, .free = free };
        if (of->mode == RESOURCE_MODE_1) {
                ask->some = bitset_new(r->n_nodes);
                for (size_t i = 0; i < of->n_layers; i++)
                        if (free[i] >= n)
                                bitset_or(ask->some, of->layers[i].nodes);
                return;
        }
        bitset_and(r->allowed, of->nodes);
        for (size_t i = 0; i < of->n_layers; i++)
                if (free[i] < n)
                        bitset_minus(r->allowed, of->layers[i].nodes);
}

const struct bitset *hres_lacks(const struct hres_room *r, const struct bitset *nodes) {
        for (size_t i = 0; i < r->n; i++)
                if (r->list[i].some && !bitset_overlaps(r->list[i].some, nodes))
                        return r->list[i].some;
        return NULL;
}

/* Returns the number of nodes for which a layer of MODE_3 has enough. */
static uint64_t hres_nodes_enough(const struct hres_ask *ask, size_t layer) {
        return ask->free[layer] == HRES_FREE ? UINT64_MAX : ask->free[layer] / ask->n;
}

bool hres_is_counted(const struct hres_room *r) {
        for (size_t i = 0; i < r->n; i++)
                for (size_t k = 0; k < r->list[i].of->n_layers; k++)
                        if (r->list[i].of->mode == RESOURCE_MODE_3 &&
                                        hres_nodes_enough(&r->list[i], k) <
                                                        bitset_count(r->list[i].of->layers[k]
                                                                                        .nodes))
                                return true;
        return false;
}

struct hres_pick {
        const struct hres_room *room;
        uint64_t *taken[]; /* indexed by ask and layer; NULL: not MODE_3 */
};

struct hres_pick *hres_pick_new(const struct hres_room *r) {
        struct hres_pick *p = xcalloc(1, sizeof *p + r->n * sizeof p->taken[0]);

        p->room = r;
        for (size_t i = 0; i < r->n; i++)
                if (r->list[i].of->mode == RESOURCE_MODE_3)
                        p->taken[i] = xnew0(uint64_t, r->list[i].of->n_layers);
        return p;
}

struct hres_pick *hres_pick_free(struct hres_pick *p) {
        for (size_t i = 0; p && i < p->room->n; i++)
                free(p->taken[i]);
        free(p);
        return NULL;
}

bool hres_pick_add(struct hres_pick *p, size_t node) {
        for (size_t i = 0; i < p->room->n; i++) {
                const struct hres_ask *ask = &p->room->list[i];
                if (!p->taken[i])
                        continue;
                if (ask->of->cell[node] == NO_CELL)
                        return false;
                const struct hres_cell *cell = &ask->of->cells[ask->of->cell[node]];
                for (uint32_t k = 0; k < cell->n; k++)
                        if (p->taken[i][cell->layers[k]] >= hres_nodes_enough(ask, cell->layers[k]))
                                return false;
        }
        for (size_t i = 0; i < p->room->n; i++) {
                const struct hres *of = p->room->list[i].of;
                for (uint32_t k = 0; p->taken[i] && k < of->cells[of->cell[node]].n; k++)
                        p->taken[i][of->cells[of->cell[node]].layers[k]]++;
        }
        return true;
}

bool hres_is_open(const struct hres_room *r, const struct bitset *nodes, uint32_t count) {
        uint32_t n = 0;

        if (hres_lacks(r, nodes) || bitset_count_and(r->allowed, nodes) < count)
                return false;
        if (!hres_is_counted(r))
                return true;
        _cleanup_(hres_pick_freep) struct hres_pick *p = hres_pick_new(r);
        bitset_for_each(i, nodes) {
                if (n >= count)
                        break;
                n += bitset_has(r->allowed, i) && hres_pick_add(p, i);
        }
        return n >= count;
}

/* ---- charges ---- */

/* Returns the amount that a job on these nodes takes of the layer; 0: nothing. */
static uint64_t hres_taken(const struct hres_ask *ask, size_t layer, const struct bitset *nodes) {
        const struct bitset *of = ask->of->layers[layer].nodes;

        if (ask->of->mode == RESOURCE_MODE_3)
                return (uint64_t)ask->n * bitset_count_and(of, nodes);
        return bitset_overlaps(of, nodes) ? ask->n : 0;
}

struct charging {
        struct countlist *to;
        size_t allocated;
        hres_name_fn *name;
        const void *user;
};

static void add_charge(struct charging *ch, const struct hres_layer *l, uint64_t n) {
        size_t at = ch->to ? ch->to->n : 0;

        if (at == ch->allocated) {
                ch->allocated = 2 * ch->allocated + 4;
                ch->to = xrealloc_array(ch->to, 1,
                                sizeof *ch->to + ch->allocated * sizeof ch->to->list[0]);
        }
        /* clipping is harmless for an infinite layer */
        ch->to->list[at] = (struct count){ xstrdup(ch->name(ch->user, l->license)),
                (uint32_t)MIN(n, (uint64_t)RESOURCE_COUNT_MAX) };
        ch->to->n = at + 1;
        ch->to->any = false;
}

static bool charge_one(struct charging *ch, const struct hres_ask *ask,
                const struct bitset *nodes) {
        bool some = false;

        if (ask->of->mode != RESOURCE_MODE_1 && !bitset_contains(ask->of->nodes, nodes))
                return false;
        for (size_t i = 0; i < ask->of->n_layers; i++) {
                uint64_t n = hres_taken(ask, i, nodes);
                if (n == 0)
                        continue;
                if (n > ask->free[i]) {
                        if (ask->of->mode == RESOURCE_MODE_1)
                                continue;
                        return false;
                }
                add_charge(ch, &ask->of->layers[i], n);
                some = true;
                if (ask->of->mode == RESOURCE_MODE_1)
                        break;
        }
        return some;
}

struct countlist *hres_charge(const struct hres_room *r, const struct bitset *nodes,
                hres_name_fn *name, const void *user) {
        struct charging ch = { .name = name, .user = user };

        for (size_t i = 0; i < r->n; i++)
                if (!charge_one(&ch, &r->list[i], nodes)) {
                        countlist_free(ch.to);
                        return NULL;
                }
        return ch.to;
}

/* Returns the largest layer with n free, else the largest layer; NULL: no node is in a layer. */
static const struct hres_layer *largest_of(const struct hres *h, uint32_t n, const uint64_t *free,
                const struct bitset *nodes) {
        const struct hres_layer *any = NULL;

        for (size_t i = 0; i < h->n_layers; i++) {
                if (!bitset_overlaps(h->layers[i].nodes, nodes))
                        continue;
                if (free[i] >= n)
                        return &h->layers[i];
                any = any ? any : &h->layers[i];
        }
        return any;
}

struct countlist *hres_charge_always(const struct hres *h, uint32_t n, const uint64_t *free,
                const struct bitset *nodes, hres_name_fn *name, const void *user) {
        const struct hres_ask ask = { .of = h, .n = n };
        const struct hres_layer *one = h->mode == RESOURCE_MODE_1 ? largest_of(h, n, free, nodes)
                                                                  : NULL;
        struct charging ch = { .name = name, .user = user };

        for (size_t i = 0; i < h->n_layers; i++) {
                uint64_t taken = hres_taken(&ask, i, nodes);
                if (taken && (h->mode != RESOURCE_MODE_1 || &h->layers[i] == one))
                        add_charge(&ch, &h->layers[i], taken);
        }
        return ch.to;
}
