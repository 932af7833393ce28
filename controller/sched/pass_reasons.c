/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reasons of jobs not started by the pass. */
#include "controller/sched/pass.h"

#include "controller/accounts/bids.h"
#include "controller/jobs/job_events.h"
#include "controller/nodes/brake.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

/* Returns whether a node named by j is out of service for a cause other than the brake. */
static bool names_unavailable(const struct cluster *c, const struct job *j) {
        if (!j->needs.req_nodes)
                return false;
        bitset_for_each(i, j->needs.req_nodes)
                if (node_is_out_of_service(c->nodes[i]) && !brake_will_return(c, c->nodes[i]))
                        return true;
        return false;
}

bool pass_awaits_brake(const struct pass *p, const struct job *j) {
        struct cluster *c = p->c;
        const struct bitset *among = j->needs.req_nodes ? j->needs.req_nodes : j->partition->nodes;
        bool awaits = c->brake.by != BRAKE_OFF &&
                      (bitset_overlaps(c->power[NODE_POWERED_DOWN], among) ||
                                      bitset_overlaps(c->power[NODE_POWERING_DOWN], among)) &&
                      !names_unavailable(c, j);

        c->brake.wanted |= awaits;
        return awaits;
}

/* The text about unknown nodes in j's request, if these are the reason; NULL: not. The caller frees
   the text. */
static char *unknown_text(const struct job *j, enum job_reason why) {
        if (why == REASON_BAD_CONSTRAINTS && j->needs.unknown_nodes)
                return xasprintf("BadConstraints, UnknownNodes:%s", j->needs.unknown_nodes);
        return NULL;
}

void pass_tell(const struct pass *p, const struct job *j, enum job_reason why, const char *text) {
        bool nodes = why == REASON_RESOURCES || why == REASON_NODE_NOT_AVAILABLE;
        _cleanup_free_ char *asleep = nodes && pass_awaits_brake(p, j)
                                                      ? xasprintf("Nodes cannot be woken: %s",
                                                                        strna(p->c->brake.cause))
                                                      : NULL;

        if (asleep) {
                why = REASON_POWER_NOT_AVAIL;
                text = asleep;
        }
        enum job_reason said = bids_reason(j, why);
        _cleanup_free_ char *unknown = unknown_text(j, said);

        if (unknown)
                text = unknown;
        job_set_reason(p->c, job_itself(j), said, said == why ? text : NULL);
}

static const char too_few[] =
                "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

static const char others_have_it[] = "ReqNodeNotAvail, May be reserved for other job";

/* Removes from nodes all nodes usable by jobs. The rest is out of service, or powered down while
   power saving is off (no SuspendTime), so that no job resumes the node. */
static void leave_unavailable(const struct pass *p, struct bitset *nodes) {
        const struct cluster *c = p->c;
        _cleanup_(bitset_freep) struct bitset *there = bitset_copy(c->schedulable);

        if (!c->power_save) {
                bitset_minus(there, c->power[NODE_POWERED_DOWN]);
                bitset_minus(there, c->power[NODE_POWERING_DOWN]);
        }
        bitset_minus(nodes, there);
}

/* Sets the reason: too few nodes are in service, or the nodes are kept for higher tiers. */
static void tell_too_few(const struct pass *p, const struct job *j) {
        if (!j->needs.exc_nodes) {
                pass_tell(p, j, REASON_RESOURCES, too_few);
                return;
        }
        _cleanup_(bitset_freep) struct bitset *missing = bitset_copy(j->partition->nodes);
        bitset_minus(missing, j->needs.exc_nodes);
        leave_unavailable(p, missing);
        _cleanup_free_ char *text = sched_unavailable_text(p->c, missing);
        pass_tell(p, j, bitset_empty(missing) ? REASON_RESOURCES : REASON_NODE_NOT_AVAILABLE,
                        bitset_empty(missing) ? NULL : text);
}

static void tell_reserved(const struct pass *p, const struct job *j, int r) {
        if (r == RESERVED_LATER)
                pass_tell(p, j, REASON_NODE_NOT_AVAILABLE,
                                "ReqNodeNotAvail, Reserved for maintenance");
        else if (j->needs.req_nodes)
                pass_tell(p, j, REASON_NODE_NOT_AVAILABLE, others_have_it);
        else
                pass_tell(p, j, REASON_RESOURCES, too_few);
}

/* Sets the reason: nodes named by j are out of service, or else kept for jobs ahead. */
static void tell_unavailable(const struct pass *p, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *missing = bitset_copy(j->needs.req_nodes);

        leave_unavailable(p, missing);
        _cleanup_free_ char *text = sched_unavailable_text(p->c, missing);
        pass_tell(p, j, REASON_NODE_NOT_AVAILABLE, bitset_empty(missing) ? others_have_it : text);
}

void pass_set_waiting(struct pass *p, const struct job *j, int r) {
        if (r == RESERVED_LATER || r == RESERVED_NOW) {
                tell_reserved(p, j, r);
                if (pass_holds_others_up(p, j))
                        pass_block(p, j);
                return;
        }
        if (r == NEVER) { /* blocks no job */
                pass_tell(p, j, REASON_BAD_CONSTRAINTS, NULL);
                return;
        }
        if (r == -EBUSY) {
                pass_tell(p, j, REASON_RESOURCES, NULL);
                if (pass_holds_others_up(p, j))
                        pass_block(p, j);
                return;
        }
        if (j->needs.req_nodes) {
                tell_unavailable(p, j);
                return;
        }
        tell_too_few(p, j);
        if (pass_holds_others_up(p, j))
                pass_block(p, j);
}

void pass_set_unpowered(struct pass *p, const struct job *j) {
        p->awaits_power = true;
        pass_tell(p, j, REASON_MAX_POWERED_NODES, NULL);
        if (pass_holds_others_up(p, j))
                pass_block(p, j);
}

/* Returns which reservations keep j off nodes of all that are not in left: RESERVED_LATER if j
   would start with the nodes of future reservations, RESERVED_NOW if only with all nodes; else
   r. */
static int reserved_on(const struct pass *p, const struct job *j, const struct bitset *all,
                const struct bitset *left, struct period when, int r) {
        _cleanup_(bitset_freep) struct bitset *later = bitset_copy(all);

        bitset_for_each(i, all) {
                if (!bitset_has(left, i) && p->c->nodes[i]->resv)
                        bitset_del(later, i);
        }
        bool some_now = !bitset_contains(later, all);
        if (pass_finds_place(p, j, later, when))
                return RESERVED_LATER;
        return some_now && pass_finds_place(p, j, all, when) ? RESERVED_NOW : r;
}

/* Returns whether j names a reservation, which is active now: further reservations may overlap with
   MAINT or OVERLAP. */
static bool is_admitted(const struct pass *p, const struct job *j) {
        return j->asked.reservation && resv_lasts_in(j->placed.resv, p->now, p->now + 1);
}

int pass_reserved_or(const struct pass *p, const struct job *j, const struct bitset *usable,
                int r) {
        if (!usable || p->c->resvs.n == 0 || (j->placed.resv && !is_admitted(p, j)))
                return r;
        _cleanup_(bitset_freep) struct bitset *all = bitset_copy(
                        j->placed.resv ? p->all : p->usable);
        if (j->placed.resv)
                bitset_and(all, j->placed.resv->nodes);
        _cleanup_(bitset_freep) struct bitset *left = bitset_copy(all);
        const struct period when = sched_heed_reservations(p->c, j, p->now, left);
        if (bitset_equal(left, all))
                return r;
        bitset_minus(all, left);
        bitset_or(all, usable);
        if (j->placed.resv)
                return pass_finds_place(p, j, all, when) ? RESERVED_LATER : r;
        return reserved_on(p, j, all, usable, when, r);
}

/* Returns whether only reservations keep j, blocked by earlier jobs, from starting: RESERVED_LATER,
   RESERVED_NOW, or -EBUSY (not only). */
static int reserved_behind(const struct pass *p, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *left = bitset_copy(p->all),
                                              *kept = bitset_copy(p->all);

        const struct period when = sched_heed_reservations(p->c, j, p->now, left);
        bitset_minus(kept, left);
        bitset_and(kept, j->partition->nodes);
        if (bitset_empty(kept) || pass_finds_place(p, j, left, when))
                return -EBUSY;
        return reserved_on(p, j, p->all, left, when, -EBUSY);
}

/* reserved_behind() for j inside of a reservation: RESERVED_LATER, or -EBUSY. */
static int reserved_inside(const struct pass *p, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *all = bitset_copy(p->all), *left = NULL;

        if (!is_admitted(p, j))
                return -EBUSY;
        bitset_and(all, j->placed.resv->nodes);
        left = bitset_copy(all);
        const struct period when = sched_heed_reservations(p->c, j, p->now, left);
        bool later = !bitset_equal(left, all) && !pass_finds_place(p, j, left, when) &&
                     pass_finds_place(p, j, all, when);
        return later ? RESERVED_LATER : -EBUSY;
}

/* Maximum number of kinds of requests examined in a pass; all further jobs get the reason Priority,
   which is also true. */
#define TOLD_MAX 64

static int known_reserved_behind(struct pass *p, const struct job *j) {
        if (p->c->resvs.n == 0)
                return -EBUSY;
        request_of(&p->asked, p->c, j, true);
        for (size_t i = 0; i < p->n_told; i++)
                if (request_same(&p->told[i].of, &p->asked))
                        return p->told[i].r;
        if (p->n_told == TOLD_MAX)
                return -EBUSY;
        GROW(p->told, p->a_told, p->n_told);
        p->told[p->n_told++] = (struct told){ .of = p->asked,
                .r = j->placed.resv ? reserved_inside(p, j) : reserved_behind(p, j) };
        p->asked = (struct request){ 0 };
        return p->told[p->n_told - 1].r;
}

/* Returns the reason text if j's partition has fewer nodes in service than j needs (borrowed);
   NULL: enough. */
static const char *lacks_service(struct pass *p, const struct job *j) {
        struct queue *q = &p->of[j->partition->index];

        if (!q->counted)
                q->in_service = partition_in_service(p->c, j->partition);
        q->counted = true;
        if (q->in_service >= MAX(1u, j->asked.min_nodes))
                return NULL;
        if (!q->out)
                q->out = partition_unavailable(p->c, j->partition);
        return q->out;
}

void pass_tell_turn(struct pass *p, const struct job *j) {
        _cleanup_free_ char *named = job_unavailable(p->c, j);
        const char *unavailable = named ? named : lacks_service(p, j);

        if (unavailable) {
                pass_tell(p, j, REASON_NODE_NOT_AVAILABLE, unavailable);
                return;
        }
        int r = known_reserved_behind(p, j);
        if (r == RESERVED_LATER || (r == RESERVED_NOW && j->needs.req_nodes))
                tell_reserved(p, j, r);
        else
                pass_tell(p, j, REASON_PRIORITY, NULL);
}
