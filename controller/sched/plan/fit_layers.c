/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hierarchical resources over time: each layer has running jobs and plans, as licenses have. A
 * planned job holds its layers from the planned start on, so that jobs behind cannot delay the
 * job, however many layers the job needs at once. */
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/plan/plan.h"

static size_t place_of(const struct attempt *a, const struct hres_layer *l) {
        if (!a->j->placed.resv)
                return l->license;
        return leases_place(a->c, a->j->placed.resv, a->c->licenses.list[l->license].name);
}

/* Returns the end of the use of a layer from from on, with the boot; what a reservation keeps
   ends with the reservation. */
static usec_t until_of(const struct attempt *a, const struct hres_layer *l, usec_t from) {
        const struct resv *of = a->j->placed.resv;
        usec_t until = usec_after(from, a->limit + a->b->boot_max);

        if (of && resv_licenses(of, a->c->licenses.list[l->license].name))
                until = MAX(from + 1, resv_until_in(of, from, until));
        return until;
}

static const struct hres *resource_asked(const struct attempt *a, size_t ask) {
        return hres_find(&a->c->hres, a->j->needs.hres->list[ask].name);
}

struct hres_room *fit_room(const struct attempt *a, usec_t start, const struct job_plan *without) {
        const struct countlist *asked = a->j->needs.hres;

        if (!asked)
                return NULL;
        struct hres_room *room = hres_room_new(a->c->n_nodes, asked->n);
        for (size_t i = 0; i < asked->n; i++) {
                const struct hres *h = resource_asked(a, i);
                uint64_t *free = xnew(uint64_t, h->n_layers);
                for (size_t k = 0; k < h->n_layers; k++) {
                        const struct hres_layer *l = &h->layers[k];
                        free[k] = leases_left(a->b->leases, place_of(a, l), start,
                                        until_of(a, l, start), without);
                        free[k] = l->infinite ? HRES_FREE : free[k];
                }
                hres_room_add(room, h, asked->list[i].n, free);
        }
        spend(a->b, leases_steps(a->b->leases) + asked->n * room->allowed->words);
        return room;
}

struct hres_room *fit_room_now(const struct attempt *a) {
        const struct job_plan *own = own_plan(a);

        return fit_room(a, a->now, own && own->laid ? own : NULL);
}

/* Returns the least amount needed of a layer. MODE_3: a layer with all nodes of the resource is
   charged for each node of the job. */
static uint64_t layer_least(const struct attempt *a, const struct hres *h,
                const struct hres_layer *l, uint32_t n) {
        bool whole = h->mode == RESOURCE_MODE_3 && bitset_contains(l->nodes, h->nodes);

        return (uint64_t)n * (whole ? MAX(1u, a->count) : 1);
}

/* Returns when one resource may suffice: the first time when some cell has enough in all layers,
   each layer examined alone. */
static usec_t resource_from(const struct attempt *a, size_t ask, usec_t from) {
        const struct hres *h = resource_asked(a, ask);
        _cleanup_free_ usec_t *of = xnew(usec_t, h->n_layers + 1);
        usec_t best = USEC_INFINITY;

        for (size_t i = 0; i < h->n_layers; i++) {
                const struct hres_layer *l = &h->layers[i];
                of[i] = leases_from(a->b->leases, place_of(a, l),
                                layer_least(a, h, l, a->j->needs.hres->list[ask].n), from,
                                until_of(a, l, from) - from);
                if (h->mode == RESOURCE_MODE_1)
                        best = MIN(best, of[i]);
        }
        for (size_t i = 0; i < h->n_cells && h->mode != RESOURCE_MODE_1; i++) {
                usec_t then = from;
                for (uint32_t k = 0; k < h->cells[i].n; k++)
                        then = MAX(then, of[h->cells[i].layers[k]]);
                best = MIN(best, then);
        }
        return best;
}

usec_t fit_layers_from(const struct attempt *a, usec_t from) {
        for (size_t i = 0; a->j->needs.hres && i < a->j->needs.hres->n && from != USEC_INFINITY;
                        i++)
                from = resource_from(a, i, from);
        spend(a->b, leases_steps(a->b->leases));
        return from;
}

usec_t fit_layers_next(const struct attempt *a, usec_t t) {
        usec_t next = USEC_INFINITY;

        for (size_t i = 0; i < a->j->needs.hres->n; i++) {
                const struct hres *h = resource_asked(a, i);
                for (size_t k = 0; k < h->n_layers; k++)
                        next = MIN(next, leases_next(a->b->leases, place_of(a, &h->layers[k]), t));
        }
        return next;
}

struct countlist *fit_held(const struct attempt *a) {
        const struct job_needs *needs = &a->j->needs;
        _cleanup_(hres_room_freep) struct hres_room *room = fit_room(a, a->start, NULL);
        struct countlist *layers = room ? hres_charge(room, a->b->chosen, licenses_name, a->c)
                                        : NULL;
        struct countlist *held = needs->licenses && needs->licenses->any
                                                 ? countlist_one(needs->licenses, a->license)
                                                 : countlist_copy(needs->licenses);

        return countlist_join(held, layers);
}
