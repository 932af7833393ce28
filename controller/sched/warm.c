/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warm nodes (warm_up): the nodes of planned jobs are resumed in time for the planned start, and
 * nodes already up stay up until the start. A node kept for a plan does not count as idle: its idle
 * time starts when no plan needs the node any more. */
#include "controller/indexes/changed.h"
#include "controller/sched/backfill_private.h"

#include "controller/indexes/powered.h"

/* When the node must be resumed for a job starting at start. A node that is up must not be
   suspended from then on, as the node might not be back in time. A job waiting for nodes of a
   completing or overdue job is planned OVERDUE from now, but may start at once. */
static usec_t wake_time(const struct node *n, usec_t start) {
        usec_t lead = node_boot_time(n);

        if (n->power == NODE_ON)
                lead = OVERDUE + n->suspend_timeout +
                       MAX(lead, n->resume_timeout == NO_LIMIT ? 0 : n->resume_timeout);

        return start > lead ? start - lead : 0;
}

static bool is_to_be_woken(const struct cluster *c, size_t i, usec_t start, usec_t now) {
        return node_lacks_power(c->nodes[i]) && !bitset_has(c->to_resume, i) &&
               wake_time(c->nodes[i], start) <= now;
}

/* Reserves power for all powered-down nodes of the plan, or for no node, as the job needs all its
   nodes; *room: the number of further nodes allowed power. */
static bool take_power(const struct cluster *c, const struct job_plan *p, usec_t now,
                size_t *room) {
        size_t more = 0;

        if (*room == SIZE_MAX || !c->config->bf.warm_up)
                return true;
        for (size_t k = 0; k < p->n_ranges; k++)
                for (size_t n = 0; n < p->ranges[k].n; n++)
                        more += is_to_be_woken(c, p->ranges[k].from + n, p->start, now);
        if (more > *room)
                return false;
        *room -= more;
        return true;
}

/* The power (max_powered_nodes) held for plans in queue order: each plan gets power for all its
   nodes, or no power. Plans that each held a part would wait for each other for ever. */
struct holding {
        /* nodes that keep power anyway, plus the nodes held for plans; NULL: no limit */
        struct bitset *nodes;
        size_t room;
};

static struct holding holding_new(const struct cluster *c, const struct backfill *b) {
        struct holding h = { .room = SIZE_MAX };

        if (!b->sleepless)
                return h;
        h.nodes = bitset_new(c->n_nodes);
        bitset_fill(h.nodes);
        bitset_minus(h.nodes, c->unused);
        bitset_or(h.nodes, b->sleepless);
        h.room = c->config->max_powered_nodes -
                 MIN(bitset_count(h.nodes), (size_t)c->config->max_powered_nodes);
        return h;
}

/* Returns whether some nodes of the plan must be up from now on. */
static bool is_warm_time(const struct cluster *c, const struct job_plan *p,
                const struct bitset *nodes, usec_t now) {
        if (c->exclusions.planned)
                return true;
        bitset_for_each(i, nodes)
                if (wake_time(c->nodes[i], p->start) <= now)
                        return true;
        return false;
}

static bool holding_add_plan(struct holding *h, const struct cluster *c, const struct job_plan *p,
                struct bitset *scratch, usec_t now) {
        if (!h->nodes)
                return true;
        plan_nodes(p, scratch);
        if (!is_warm_time(c, p, scratch, now))
                return true;
        bitset_minus(scratch, h->nodes);
        size_t more = bitset_count(scratch);
        if (more > h->room)
                return false;
        h->room -= more;
        bitset_or(h->nodes, scratch);
        return true;
}

static void warm_node(struct cluster *c, struct backfill *b, size_t i, usec_t start, bool may_wake,
                usec_t now) {
        const struct node *n = c->nodes[i];
        usec_t at = wake_time(n, start);

        if (c->exclusions.planned && n->power == NODE_ON)
                bitset_add(c->warm, i);
        if (!c->config->bf.warm_up)
                return;
        if (at > now) {
                b->warm_at = MIN(b->warm_at, at);
                return;
        }
        if (!may_wake && is_to_be_woken(c, i, start, now))
                return; /* resumed when power is available again */
        bitset_add(c->warm, i);
        if (node_lacks_power(n))
                bitset_add(c->to_resume, i);
}

static void warm_reservations(struct cluster *c, struct backfill *b, size_t room, usec_t now) {
        /* an active reservation: resv_keeps_awake() */
        for (size_t i = 0; i < c->resvs.n && c->config->bf.warm_up; i++) {
                const struct resv *r = c->resvs.list[i];
                if (r->active || r->flags & RESV_MAINT)
                        continue;
                bitset_for_each(n, r->nodes) {
                        bool more = is_to_be_woken(c, n, r->start, now);
                        warm_node(c, b, n, r->start, room > 0, now);
                        room -= more && room && room != SIZE_MAX;
                }
        }
}

/* Keeps the nodes of a lifted plan as before: the job gets a new plan in its turn, perhaps only
   after the pause between sweeps (bf_interval). */
static void keep_as_before(struct cluster *c, const struct job_plan *p,
                const struct bitset *before) {
        for (size_t k = 0; k < p->n_ranges; k++)
                for (size_t n = 0; n < p->ranges[k].n; n++)
                        if (bitset_has(before, p->ranges[k].from + n))
                                bitset_add(c->warm, p->ranges[k].from + n);
}

static void warm_plan(struct cluster *c, struct backfill *b, const struct job_plan *p,
                const struct bitset *before, size_t *room, struct holding *held, usec_t now) {
        if (!p->laid)
                keep_as_before(c, p, before);
        if (!p->laid || !holding_add_plan(held, c, p, b->scratch, now))
                return;
        bool may_wake = take_power(c, p, now, room);
        for (size_t k = 0; k < p->n_ranges; k++)
                for (size_t n = 0; n < p->ranges[k].n; n++)
                        warm_node(c, b, p->ranges[k].from + n, p->start, may_wake, now);
}

static void warm_plans(struct cluster *c, struct backfill *b, const struct bitset *before,
                size_t *room, usec_t now) {
        struct holding held = holding_new(c, b);

        for (size_t i = 0; i < c->n_queue && i < c->planned.end; i++) {
                const struct job_plan *of = bid_plan(c->queue[i]);
                for (const struct job_plan *p = of; p; p = p->with == of ? NULL : p->with)
                        warm_plan(c, b, p, before, room, &held, now);
        }
        bitset_free(held.nodes);
}

/* Restarts the idle time of nodes kept before and not kept any more. */
static void warm_release_nodes(struct cluster *c, struct bitset *before, usec_t now) {
        bitset_minus(before, c->warm);
        bitset_for_each(i, before) {
                struct node *n = c->nodes[i];
                if (n->power != NODE_ON || n->last_busy == 0)
                        continue;
                n->last_busy = now;
                cluster_node_changed(c, n, now);
        }
}

void warm_end(struct cluster *c) {
        c->warm_unsure = false;
        bitset_clear(c->warm);
}

void warm_keep(struct cluster *c, struct backfill *b, bool whole, usec_t now) {
        bool wanted = (c->config->bf.warm_up || c->exclusions.planned) && c->power_save;

        c->warm_unsure = wanted && !whole;
        if (!wanted && b->warm_due)
                warm_end(c);
        if (!wanted || !(b->warm_due || now >= b->warm_at))
                return;
        _cleanup_(bitset_freep) struct bitset *before = bitset_copy(c->warm);
        b->warm_due = !whole;
        b->warm_at = USEC_INFINITY;
        bitset_clear(c->warm);
        size_t room = powered_room(c);
        warm_plans(c, b, before, &room, now);
        warm_reservations(c, b, room, now);
        if (whole)
                warm_release_nodes(c, before, now);
        else
                bitset_or(c->warm, before);
        if (b->warm_at != USEC_INFINITY)
                cluster_arm(c, b->warm_at, DEADLINE_TURN, 0);
}
