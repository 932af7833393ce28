/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a job is told that the pass cannot start. */
#include "controller/sched/pass.h"

#include "controller/accounts/bids.h"
#include "controller/jobs/job_events.h"
#include "controller/nodes/brake.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

/* A node that j names is out of service, and not for what waking is stopped for. */
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

/* Nodes in its request that are not configured any more, where that is why it waits; NULL: none.
   The caller frees. */
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

/* Removes from nodes all that a job could use: what stays is not in service, or sleeps while power
   saving is off (no SuspendTime), so that no job wakes it. */
static void leave_unavailable(const struct pass *p, struct bitset *nodes) {
        const struct cluster *c = p->c;
        _cleanup_(bitset_freep) struct bitset *there = bitset_copy(c->schedulable);

        if (!c->power_save) {
                bitset_minus(there, c->power[NODE_POWERED_DOWN]);
                bitset_minus(there, c->power[NODE_POWERING_DOWN]);
        }
        bitset_minus(nodes, there);
}

/* There are not so many nodes in service, or they are kept for higher tiers. */
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

/* Those that it names are not all in service; otherwise they are kept for those before it. */
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
        if (r == NEVER) { /* no job waits for it */
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

/* What keeps it off left, of those that reservations would keep from it on all: r is neither.
   RESERVED_LATER: with the nodes that only a reservation to come has it would start. */
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

/* It waits for others in the one that it names: that is under way, so that others' may lie over it
   (MAINT, OVERLAP). */
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

/* Would j, which waits behind others, have had nodes were it not for reservations? RESERVED_LATER,
   RESERVED_NOW, -EBUSY. */
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

/* The same inside of a reservation: RESERVED_LATER, -EBUSY. */
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

/* So many kinds of requests are looked at in a pass; the others are told that they wait for their
   turn, which is true too. */
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

/* Its partition has fewer nodes in service than it needs.  NULL: it has enough. */
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
