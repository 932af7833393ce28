/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources available to the job considered by the pass: whether the job may be tried at all, the
 * nodes neither kept for jobs ahead nor reserved, and the licenses left by jobs ahead. */
#include "controller/sched/pass.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/indexes/array.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/backfill.h"

enum job_reason pass_hindrance(struct pass *p, const struct job *j) {
        if (job_begin(j) > p->now)
                return REASON_BEGIN_TIME;
        if (j->array && array_is_full(j->array))
                return REASON_ARRAY_LIMIT;
        if (resv_is_awaited(p->c, j, p->now) || resv_excludes_job(p->c, j))
                return REASON_RESERVATION;
        enum job_reason why = partition_wait_reason(p->c, j);
        return why == REASON_NONE ? limits_wait_reason(p->c, j, NULL, NULL, p->now, &p->again)
                                  : why;
}

/* Returns whether the partition's nodes are kept for a job that j's claim, if any, does not
   bind. */
static bool is_held_by_another(const struct pass *p, size_t partition, const struct job *j) {
        const struct job *holder = p->of[partition].holder;
        struct job room;

        if (!holder || job_is_with(holder, j))
                return false;
        return !j->claim.nodes ||
               !claim_keeps_from(p->c, j,
                               job_in_partition(holder, p->c->partitions[partition], &room));
}

/* Nodes kept for j's request alone: the nodes of partitions blocked by j or another component, and
   the claimed nodes of their victims; NULL: no such nodes. */
static struct bitset *kept_for_itself(const struct pass *p, const struct job *j) {
        const struct job *itself = job_itself(j), *claims = job_leader(itself);
        struct bitset *nodes = claims->claim.nodes ? bitset_copy(claims->claim.nodes) : NULL;

        bool several = j->waiting.n_bids > 1 || claims->waiting.n_bids > 1;

        for (size_t i = 0; several && i < j->waiting.n_bids; i++) {
                const struct partition *part = j->waiting.bids[i].partition;
                if (!p->of[part->index].holder || !job_is_with(p->of[part->index].holder, itself))
                        continue;
                nodes = nodes ? nodes : bitset_new(p->c->n_nodes);
                bitset_or(nodes, part->nodes);
        }
        for (size_t i = 0; nodes && i < p->c->n_partitions; i++)
                if (is_held_by_another(p, i, claims))
                        bitset_minus(nodes, p->c->partitions[i]->nodes);
        if (nodes)
                bitset_and(nodes, p->all);
        return nodes;
}

struct bitset *pass_usable_for(const struct pass *p, const struct job *j, bool force,
                struct period *ret_when) {
        _cleanup_(bitset_freep) struct bitset *own = kept_for_itself(p, j);
        bool whole = p->c->config->bf.on && place_wants_whole(p->c, j),
             parts = p->c->config->bf.on && !whole && !force && p->c->planned.end > 0;

        *ret_when = (struct period){ .from = p->now, .until = p->now, .room = p->room };
        if (!own && !whole && !parts && !p->c->n_claims && !p->c->resvs.n)
                return NULL;
        struct bitset *usable = bitset_copy(p->usable);
        if (own)
                bitset_or(usable, own);
        if (j->placed.resv) { /* jobs waiting for nodes outside of the reservation do not matter */
                bitset_assign(usable, p->all);
                bitset_and(usable, j->placed.resv->nodes);
                pass_leave_to_holders(p, j, usable);
                if (j->placed.resv->flags & (RESV_FLEX | RESV_ANY_NODES)) {
                        _cleanup_(bitset_freep) struct bitset *outside = bitset_copy(p->usable);
                        bitset_minus(outside, j->placed.resv->nodes);
                        bitset_or(usable, outside);
                }
        }
        *ret_when = sched_heed_reservations(p->c, j, p->now, usable);
        ret_when->room = p->room;
        claims_take(p->c, j, usable);
        if (whole)
                backfill_keep(p->c, j, force, p->now, usable);
        if (!parts)
                return usable;
        ret_when->rests = backfill_leaves(p->c, j, p->now, usable);
        /* no node is kept as a whole: callers distinguish kept nodes from missing nodes */
        return !own && !p->c->n_claims && !p->c->resvs.n && bitset_equal(usable, p->usable)
                               ? bitset_free(usable)
                               : usable;
}

bool pass_finds_place(const struct pass *p, const struct job *j, const struct bitset *nodes,
                struct period when) {
        struct placement where = { 0 };
        when.room = p->room;
        bool fits = place(p->c, j, nodes, when, PLACE_FREE, &where) >= 0;

        placement_done(&where);
        return fits;
}

bool pass_license_is_left(const struct job *j, size_t choice, void *user) {
        const struct pass *p = user;

        return license_left(p->c, j, j->needs.licenses->list[choice].name, p->now, false,
                               p->kept) >= j->needs.licenses->list[choice].n;
}

bool pass_reclaims_layers(const struct pass *p, const struct job *j, size_t *ret) {
        return j->needs.hres && p->c->config->preempt.reclaim_licenses &&
               preempt_is_possible(p->c, j) &&
               licenses_free_but_layers(p->c, j, p->now, p->kept, ret);
}

struct hres_room *pass_room_without(const void *user, const struct job *j,
                const struct bitset *gone) {
        const struct pass *p = user;

        return licenses_room(p->c, j, p->now, false, p->kept, gone);
}

bool pass_lacks_layers(const struct pass *p, const struct job *j, const struct bitset *usable,
                struct period when, int r) {
        struct placement where = { 0 };

        if (!when.room || (r != -EBUSY && r != -ENOENT))
                return false;
        when.room = NULL;
        bool fits = place(p->c, j, usable ? usable : p->usable, when, PLACE_FREE, &where) >= 0;
        placement_done(&where);
        return fits;
}

/* Keeps the requested amount in every layer, as the layer to be charged is unknown yet. */
static void keep_layers(struct pass *p, const struct job *j) {
        for (size_t i = 0; j->needs.hres && i < j->needs.hres->n; i++) {
                const struct hres *h = hres_find(&p->c->hres, j->needs.hres->list[i].name);
                uint64_t n = (uint64_t)j->needs.hres->list[i].n *
                             (h->mode == RESOURCE_MODE_3 ? MAX(1u, j->asked.min_nodes) : 1);
                for (size_t k = 0; k < h->n_layers; k++) {
                        uint32_t *kept = &p->kept[h->layers[k].license];
                        *kept = (uint32_t)MIN(*kept + n, (uint64_t)INT32_MAX);
                }
        }
}

void pass_keep_licenses(struct pass *p, const struct job *j) {
        const enum job_reason why = job_itself(j)->reason;
        bool soon = why == REASON_PRIORITY || why == REASON_LICENSES || why == REASON_RESOURCES ||
                    (why == REASON_MAX_POWERED_NODES && p->awaits_power);

        if (!soon || (j->waiting.n_bids > 1 && j->waiting.current != &j->waiting.bids[0]))
                return;
        keep_layers(p, j);
        for (size_t i = 0; j->needs.licenses && i < j->needs.licenses->n; i++) {
                const struct license *of = license_find(&p->c->licenses,
                                j->needs.licenses->list[i].name);
                uint32_t *kept = of ? &p->kept[of - p->c->licenses.list] : NULL;
                if (of)
                        *kept = (uint32_t)MIN((uint64_t)*kept + j->needs.licenses->list[i].n,
                                        of->total);
        }
}

bool pass_ends_plan(const struct pass *p, const struct job *j, enum job_reason why) {
        return why != REASON_BEGIN_TIME &&
               (why != REASON_RESERVATION || resv_excludes_job(p->c, j));
}
