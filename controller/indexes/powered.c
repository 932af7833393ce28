/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/powered.h"

#include "controller/model/exclude.h"

static bool powered_is_limited(const struct cluster *c) {
        return c->config->max_powered_nodes != UINT32_MAX;
}

size_t powered_count(const struct cluster *c) {
        size_t n = bitset_count(c->powered);

        bitset_for_each(i, c->to_resume)
                n += node_lacks_power(c->nodes[i]);
        return n;
}

size_t powered_room(const struct cluster *c) {
        uint32_t most = c->config->max_powered_nodes;

        return powered_is_limited(c) ? most - MIN(powered_count(c), (size_t)most) : SIZE_MAX;
}

/* True if n is never suspended, however long it is idle. */
static bool node_never_suspends(const struct cluster *c, const struct node *n) {
        /* never used by a job: the idle time does not run */
        bool unused = n->last_busy == 0 && !n->n_jobs && n->power == NODE_ON;

        if (node_is_vetoed(n))
                return true;
        if (n->flags & NODE_POWER_DOWN_WANTED)
                return false;
        return (unused && (n->base == NODE_DOWN || n->base == NODE_IDLE)) ||
               n->suspend_time == NO_LIMIT || n->flags & NODE_QUARANTINE || exclusion_of(c, n);
}

/* "nid[10-20]:4": any nodes of the set may be kept up, so nodes with power now are taken.  Nodes in
   ret already count if they are schedulable. */
static void add_counted(const struct cluster *c, const struct bitset *powered, struct bitset *ret) {
        for (size_t s = 0; s < c->exclusions.n_sets; s++) {
                const struct exclude_set *set = &c->exclusions.sets[s];
                size_t left = set->count;
                bitset_for_each(i, set->nodes)
                        left -= left && bitset_has(ret, i) && bitset_has(c->schedulable, i);
                bitset_for_each(i, set->nodes) {
                        if (left == 0)
                                break;
                        if (!bitset_has(powered, i) || bitset_has(ret, i))
                                continue;
                        bitset_add(ret, i);
                        left--;
                }
        }
}

size_t powered_most(const struct cluster *c, const struct bitset *for_good) {
        return MAX((size_t)c->config->max_powered_nodes, for_good ? bitset_count(for_good) : 0);
}

struct bitset *powered_for_good(const struct cluster *c) {
        if (!powered_is_limited(c))
                return NULL;
        _cleanup_(bitset_freep) struct bitset *powered = bitset_copy(c->powered);
        struct bitset *ret = bitset_copy(c->sleepless);

        bitset_or(powered, c->to_resume);
        bitset_and(ret, powered);
        add_counted(c, powered, ret);
        return ret;
}

struct bitset *powered_without(const struct cluster *c, const struct bitset *gone) {
        struct bitset *ret = powered_for_good(c);

        for (size_t i = 0; ret && i < c->n_active; i++)
                if (!bitset_has(gone, i) && c->active[i]->placed.nodes)
                        bitset_or(ret, c->active[i]->placed.nodes);
        return ret;
}

void powered_wake_no_more(struct cluster *c, const struct node *n) {
        if (powered_is_limited(c) && bitset_has(c->to_resume, n->index) && node_lacks_power(n))
                note(c, FACT_LIMIT_ROOM); /* n was counted as powered */
        bitset_del(c->to_resume, n->index);
}

void powered_node_changed(struct cluster *c, const struct node *n) {
        bool powered = !node_lacks_power(n) && n->base != NODE_FUTURE,
             was = bitset_has(c->powered, n->index);

        bitset_put(c->powered, n->index, powered);
        if (!powered_is_limited(c))
                return;
        bool never = node_never_suspends(c, n), did = bitset_has(c->sleepless, n->index);
        bitset_put(c->sleepless, n->index, never);
        /* A different node may get power now, or jobs may share this node instead of waking
           another.  A job waiting for power may now wait without a chance, or get a chance. */
        if (powered != was || never != did)
                note(c, FACT_LIMIT_ROOM);
}

bool brake_holds(const struct cluster *c, const struct node *n) {
        return c->brake.by != BRAKE_OFF && n->power == NODE_POWERED_DOWN;
}
