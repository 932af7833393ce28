/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/changed.h"

#include "controller/accounts/assoc.h"
#include "controller/indexes/job_deadline.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/powered.h"
#include "controller/indexes/trigger_events.h"

void cluster_node_changed(struct cluster *c, struct node *n, usec_t now) {
        bool was = bitset_has(c->schedulable, n->index),
             is = node_is_schedulable(n) && !brake_holds(c, n),
             sleeps = brake_holds(c, n) && !bitset_has(c->power[NODE_POWERED_DOWN], n->index);

        n->moment = ++c->moment;
        bitset_put(c->schedulable, n->index, is);
        for (int p = NODE_ON; p < NODE_POWER_MAX; p++)
                bitset_put(c->power[p], n->index, (int)n->power == p);
        for (int d = 0; d < NODE_DISTANCE_MAX; d++)
                bitset_put(c->distance[d], n->index, (int)node_distance(n) == d);
        bitset_put(c->unused, n->index, n->n_jobs == 0);
        for (size_t i = 0; i < SPARE_LEVELS; i++)
                bitset_put(c->spare[i], n->index, node_cpus_spare(n) >> i);
        note_node(c, FACT_NODE_CHANGED, n);
        c->features_moment += n->changeable != NULL;
        if (is && !was)
                note(c, FACT_NODE_USABLE);
        /* jobs that name the node may wait for the service state */
        if (is != was && n->power == NODE_ON && !(n->flags & NODE_POWER_DOWN_WANTED))
                note(c, FACT_NODE_SERVICE);
        /* jobs waiting for the node now wait for the brake, and want the next probe */
        if (sleeps && !c->brake.wanted)
                note(c, FACT_BRAKE_CHANGED);
        powered_node_changed(c, n);
        if (!node_is_out_of_service(n))
                n->resume_after = 0;
        energy_note(n, now);
        exclusions_node_changed(c, n);
        trigger_node_changed(c, n, now);
        node_rearm(c, n, now);
}

void cluster_job_changed(struct cluster *c, struct job *j) {
        cluster_job_rearm(c, j);
        acct_note(c, j);
        trigger_job_changed(c, j);
        /* the job may hold the nodes for a different time now */
        if (j->placed.nodes && job_is_active(j))
                note_nodes(c, FACT_NODE_USE, j->placed.nodes);
        if (j->dirty)
                return;
        j->dirty = true;
        GROW(c->dirty_jobs, c->a_dirty_jobs, c->n_dirty_jobs);
        c->dirty_jobs[c->n_dirty_jobs++] = j->id;
}

void exclusions_update(struct cluster *c, enum exclude_kind kind, char op, const char *value,
                usec_t now) {
        exclusions_set(c, kind, op, value);
        /* nodes no longer excluded have an idle deadline again */
        for (size_t i = 0; i < c->n_nodes; i++)
                cluster_node_changed(c, c->nodes[i], now);
}

void node_set_base(struct cluster *c, struct node *n, enum node_base base, usec_t now) {
        n->base = base;
        if (base != NODE_DOWN)
                n->flags &= ~(unsigned)NODE_FELL;
        cluster_node_changed(c, n, now);
}

void node_flag(struct cluster *c, struct node *n, unsigned set, unsigned clear, usec_t now) {
        n->flags = (n->flags & ~clear) | set;
        cluster_node_changed(c, n, now);
}

void node_set_reason(struct cluster *c, struct node *n, const char *reason, uid_t uid, usec_t now) {
        free_and_strdup(&n->reason, isempty(reason) ? NULL : reason);
        n->reason_time = n->reason ? now : 0;
        n->reason_uid = uid;
        note_node(c, FACT_NODE_RECORD, n);
}
