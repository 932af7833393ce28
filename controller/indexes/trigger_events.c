/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/trigger_events.h"

/* Bit of node.trigger_seen besides the events: the node was examined before. */
#define SEEN_ONCE (1u << 31)

bool trigger_node_idles(const struct node *n) {
        return n->base == NODE_IDLE && n->power == NODE_ON && n->n_jobs == 0 &&
               !(n->flags & (NODE_DRAIN | NODE_FAIL | NODE_NOT_RESPONDING));
}

/* The state as events.  A node that was DOWN counts as down until it is in service. */
static uint32_t trigger_node_state(const struct node *n) {
        bool drains = n->flags & NODE_DRAIN, was_down = n->trigger_seen & TRIGGER_DOWN;

        return SEEN_ONCE | (drains && n->n_jobs == 0 ? TRIGGER_DRAINED : 0) |
               (drains && n->n_jobs ? TRIGGER_DRAINING : 0) |
               (n->flags & NODE_FAIL ? TRIGGER_FAIL : 0) |
               (n->base == NODE_DOWN || (was_down && n->base != NODE_IDLE) ? TRIGGER_DOWN : 0) |
               (trigger_node_idles(n) ? TRIGGER_IDLE : 0);
}

void trigger_arm(struct cluster *c, usec_t at) {
        at = MAX(at, (usec_t)1);
        if (c->triggers.armed && c->triggers.armed <= at)
                return;
        c->triggers.armed = at;
        cluster_arm(c, at, DEADLINE_TRIGGERS, 0);
}

void trigger_events_forget(struct cluster *c) {
        struct triggers *all = &c->triggers;

        bitset_for_each(i, all->nodes) {
                c->nodes[i]->trigger_events = 0;
                note_node(c, FACT_NODE_RECORD, c->nodes[i]);
        }
        bitset_clear(all->nodes);
        all->dirty |= all->events != 0;
        all->events = 0;
        all->events_due = 0;
}

void trigger_events_expire(struct cluster *c, usec_t now) {
        if (c->triggers.events_due && now >= c->triggers.events_due)
                trigger_events_forget(c);
}

/* No check is armed for the end of the interval if there are no triggers. */
static void trigger_gather(struct cluster *c, usec_t now) {
        if (!c->triggers.n_waiting)
                trigger_events_expire(c, now);
        if (!c->triggers.events_due)
                c->triggers.events_due = now + TRIGGER_INTERVAL;
        if (c->triggers.n_waiting)
                trigger_arm(c, c->triggers.events_due);
}

/* Counts the event for triggers of the node's jobs, which may have left when events are matched. */
static void hit_jobs(struct cluster *c, const struct node *n, uint32_t event) {
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *j = n->jobs[i];

                for (size_t k = 0; j->listed.triggers && k < c->triggers.n_waiting; k++) {
                        struct trigger *t = c->triggers.waiting[k];
                        if (t->job != j->id || !(t->events & event))
                                continue;
                        t->hits |= t->events & event;
                        trigger_changed(&c->triggers, t);
                }
        }
}

void trigger_note_node(struct cluster *c, struct node *n, uint32_t event, usec_t now) {
        trigger_gather(c, now);
        hit_jobs(c, n, event);
        n->trigger_events |= event;
        bitset_add(c->triggers.nodes, n->index);
        note_node(c, FACT_NODE_RECORD, n);
}

void trigger_node_changed(struct cluster *c, struct node *n, usec_t now) {
        uint32_t was = n->trigger_seen, is = trigger_node_state(n), begun = is & ~was;

        n->trigger_seen = is;
        if (!(was & SEEN_ONCE))
                return;
        if (was & ~is & TRIGGER_DOWN)
                begun |= TRIGGER_UP;
        if (begun & ~TRIGGER_IDLE)
                trigger_note_node(c, n, begun, now);
        else if (begun) /* idleness is checked in the node's state: no event is kept */
                trigger_gather(c, now);
}

void trigger_node_restored(struct node *n) {
        n->trigger_seen = trigger_node_state(n);
}

void trigger_job_changed(struct cluster *c, const struct job *j) {
        if (j->listed.triggers)
                trigger_arm(c, 0);
}

void trigger_note(struct cluster *c, uint32_t event, usec_t now) {
        trigger_gather(c, now);
        c->triggers.events |= event;
        c->triggers.dirty = true;
}

void trigger_renumber(struct cluster *c) {
        bitset_free(c->triggers.nodes);
        c->triggers.nodes = bitset_new(c->n_nodes);
        for (size_t i = 0; i < c->n_nodes; i++)
                bitset_put(c->triggers.nodes, i, c->nodes[i]->trigger_events != 0);
        for (size_t i = 0; i < c->triggers.n_waiting; i++)
                c->triggers.waiting[i]->named = bitset_free(c->triggers.waiting[i]->named);
}
