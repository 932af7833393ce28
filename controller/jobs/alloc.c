/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/jobs/alloc.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/jobs/job_memory.h"
#include "controller/jobs/job_reboot.h"
#include "controller/model/het.h"
#include "controller/model/node_features.h"
#include "controller/model/spec.h"

static void alloc_add_job_units(const struct job *j, const struct node *n, struct bitset *set) {
        const struct job_node *jn = job_node_find(j, n);

        if (jn && !jn->done)
                job_add_units(j, jn, set);
}

/* Returns whether v is suspended by hand, so that any job may have v's units. */
static bool lends_to_all(const struct job *v) {
        return v->state == JOB_SUSPENDED && v->stopping.suspended_by_user;
}

uint64_t yield_memory(const struct yield *y, const struct job *v, const struct node *n) {
        uint64_t can = y->give && bitset_has(y->give, v->listed.queue_at) ? memory_can_give(v, n)
                                                                          : 0;

        return can ? can + job_node_find(v, n)->given : 0;
}

/* ---- rows ---- */

uint32_t alloc_rows(const struct job *j) {
        const struct partition *p = j->partition;

        if (job_share(j) == SHARE_NO || job_is_het(j)) /* heterogeneous jobs never take turns */
                return 1;
        if (p->oversubscribe == OVERSUBSCRIBE_FORCE ||
                        (p->oversubscribe == OVERSUBSCRIBE_YES && job_share(j) == SHARE_YES))
                return p->oversubscribe_max;
        return 1;
}

/* A job open to time slices or preemption shares units only within the partition. */
bool alloc_may_share(const struct cluster *c, const struct job *j, const struct job *v) {
        const struct config *of = c->config;
        bool together = j->partition == v->partition ||
                        !(of->preempt_mode & PREEMPT_GANG || of->preempt_type != PREEMPT_NONE);

        return together && alloc_rows(j) > 1 && alloc_rows(v) > 1;
}

bool alloc_has_rows(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (alloc_rows(n->jobs[i]) > 1)
                        return true;
        return false;
}

bool alloc_in_the_way(const struct cluster *c, const struct job *j, const struct job *v,
                const struct node *n) {
        if (!(c->config->preempt_mode & PREEMPT_GANG) && alloc_may_share(c, j, v))
                return false;
        return alloc_overlap(j, v, n);
}

bool alloc_counts_cpus(const struct cluster *c) {
        return (c->config->preempt_mode & PREEMPT_GANG) && !cluster_whole_nodes(c) &&
               (c->config->select_params & CR_CPU) && !c->config->cgroup.constrain_cores &&
               !c->config->task.affinity;
}

bool alloc_crowded(const struct cluster *c, const struct job *j, const struct node *n,
                alloc_test *runs, void *user) {
        const struct job_node *jn = job_node_find(j, n);
        bool counts = alloc_counts_cpus(c);
        uint64_t cpus = jn ? jn->cpus : 0;

        if (!jn || jn->done || (!counts && !n->units_shared))
                return false;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *w = n->jobs[i];
                const struct job_node *wn = job_node_find(w, n);
                if (w == j || !wn || wn->done || (!counts && !alloc_in_the_way(c, j, w, n)) ||
                                !runs(c, j, w, n, user))
                        continue;
                cpus += wn->cpus;
                if (!counts || cpus > node_job_cpus(n))
                        return true;
        }
        return false;
}

static bool alloc_keeps_units(const struct job *v, const struct job *j, const struct yield *y) {
        return v != j && !lends_to_all(v) && !yield_units(y, v);
}

/* Counts for each unit of n the jobs not yielding; with of, only jobs of the partition of. */
static void alloc_count_depths(const struct node *n, const struct job *j, const struct yield *y,
                const struct partition *of, uint32_t *depth) {
        memset(depth, 0, n->units * sizeof depth[0]);
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *v = n->jobs[i];
                const struct job_node *vn = alloc_keeps_units(v, j, y) ? job_node_find(v, n) : NULL;
                if (!vn || vn->done || (of && v->partition != of))
                        continue;
                job_for_each_unit(k, v, vn)
                        depth[k]++;
        }
}

void alloc_depths(const struct node *n, const struct job *j, const struct yield *y,
                uint32_t *depth) {
        alloc_count_depths(n, j, y, NULL, depth);
}

/* Adds to set the units where the rows of j's partition are full. */
static void alloc_add_full_units(const struct node *n, const struct job *j, const struct yield *y,
                struct bitset *set) {
        _cleanup_free_ uint32_t *depth = xnew(uint32_t, n->units + 1);
        uint32_t rows = alloc_rows(j);

        alloc_count_depths(n, j, y, j->partition, depth);
        for (size_t k = 0; k < n->units; k++)
                if (depth[k] >= rows)
                        bitset_add(set, k);
}

/* Adds to set the units with y->most jobs or more, counting jobs lending units. */
static void alloc_add_crowded_units(const struct node *n, const struct job *j,
                const struct yield *y, struct bitset *set) {
        _cleanup_free_ uint32_t *depth = xnew(uint32_t, n->units + 1);
        const struct yield all = { .gone = y->gone };

        alloc_depths(n, j, &all, depth);
        for (size_t k = 0; k < n->units; k++)
                if (depth[k] >= y->most)
                        bitset_add(set, k);
}

void alloc_blocked(const struct cluster *c, const struct node *n, const struct job *j,
                const struct yield *y, bool shares, struct bitset *set) {
        bool some = false;

        assert(set->bits == n->units);
        bitset_clear(set);
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *v = n->jobs[i];
                if (!alloc_keeps_units(v, j, y))
                        continue;
                if (shares && alloc_may_share(c, j, v))
                        some = true;
                else
                        alloc_add_job_units(v, n, set);
        }
        if (some)
                alloc_add_full_units(n, j, y, set);
        if (y->most)
                alloc_add_crowded_units(n, j, y, set);
}

uint64_t alloc_memory(const struct node *n, const struct yield *y) {
        uint64_t memory = 0;

        if (!y->gone && !y->give)
                return n->memory_held;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *jn = job_node_find(n->jobs[i], n);
                if (jn && !yield_gone(y, n->jobs[i]))
                        memory += jn->memory - yield_memory(y, n->jobs[i], n);
        }
        return memory;
}

bool alloc_overlap(const struct job *j, const struct job *v, const struct node *n) {
        const struct job_node *a, *b;

        if (!n->units_shared)
                return false;
        a = job_node_find(j, n);
        b = job_node_find(v, n);
        return a && b && !a->done && !b->done && job_units_meet(j, a, v, b);
}

static void node_add_job(struct node *n, struct job *j) {
        GROW(n->jobs, n->a_jobs, n->n_jobs);
        n->jobs[n->n_jobs++] = j;
}

static void node_del_job(struct node *n, struct job *j) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i] == j) {
                        /* keep the order: victims are looked at oldest first */
                        memmove(&n->jobs[i], &n->jobs[i + 1],
                                        (n->n_jobs - i - 1) * sizeof n->jobs[0]);
                        n->n_jobs--;
                        return;
                }
}

static void recount_units(struct node *n) {
        _cleanup_(bitset_freep) struct bitset *used = bitset_new(n->units);
        _cleanup_(bitset_freep) struct bitset *held = bitset_new(n->units);

        n->units_shared = false;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *j = n->jobs[i];
                const struct job_node *jn = job_node_find(j, n);
                if (!jn || jn->done)
                        continue;
                n->units_shared = n->units_shared || job_meets(j, jn, held, 0);
                job_add_units(j, jn, held);
                if (!lends_to_all(j))
                        job_add_units(j, jn, used);
        }
        n->units_used = (uint32_t)bitset_count(used);
}

static void recount_memory(struct node *n) {
        n->memory_used = n->memory_held = 0;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *jn = job_node_find(n->jobs[i], n);
                n->memory_used += jn ? job_node_promised(jn) : 0;
                n->memory_held += jn ? jn->memory : 0;
        }
}

void alloc_recount(struct cluster *c, struct node *n, usec_t now) {
        bool was_busy = n->cpus_used > 0;

        recount_units(n);
        node_count_used(n);
        recount_memory(n);
        gres_recount(n);
        /* The idle time (SuspendTime) starts when the last running job leaves (power-saving
           guide). */
        if (was_busy && n->cpus_used == 0 && n->power == NODE_ON)
                n->last_busy = now;
        cluster_node_changed(c, n, now);
}

/* PowerDownOnIdle: the power-down is requested when the job gets the node, and happens when the
   node is idle. With OverSubscribe=EXCLUSIVE no other job may use the node before the
   power-down. */
static void ask_power_down(struct cluster *c, const struct job *j, struct node *n, usec_t now) {
        bool asked = n->flags & (NODE_POWER_DOWN_WANTED | NODE_POWER_UP_WANTED |
                                                NODE_REBOOT_WANTED | NODE_REBOOT_ISSUED);

        if (!c->power_save || !j->partition->power_down_on_idle)
                return;
        if (!asked && (n->power == NODE_ON || n->power == NODE_POWERED_DOWN))
                free_and_strdup(&n->action, NULL); /* the text of an earlier request */
        n->wish_uid = WISH_OF_PARTITION;
        node_flag(c, n, NODE_POWER_DOWN_WANTED, 0, now);
}

static bool left_by_boot(const struct node *n) {
        return n->power == NODE_POWERED_DOWN && n->flags & NODE_BOOT_REMAINS;
}

static void now_unused(struct cluster *c, struct node *n, usec_t now) {
        if (n->power == NODE_ON)
                n->last_busy = now;
        /* The job left before the node was resumed: the power-down requested for the partition is
           done. */
        if (node_lacks_power(n) && !left_by_boot(n)) {
                node_features_forget(n);
                node_flag(c, n, 0,
                                NODE_POWER_DOWN_WANTED | NODE_POWER_DRAIN |
                                                (n->flags & NODE_POWER_DRAIN ? NODE_DRAIN : 0),
                                now);
        }
        if (n->flags & NODE_POWER_DOWN_WANTED)
                bitset_add(c->to_suspend, n->index);
}

void alloc_take(struct cluster *c, struct job *j, usec_t now) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                if (j->placed.alloc[i].done)
                        continue;
                bool reboot = j->placed.alloc[i].node->n_jobs == 0 &&
                              node_features_settle(j->placed.alloc[i].node,
                                              j->placed.preferred ? j->needs.prefer
                                                                  : j->needs.features);
                assert(!j->asked.reboot || j->placed.alloc[i].node->n_jobs == 0);
                reboot |= j->asked.reboot && j->placed.alloc[i].node->power == NODE_ON;
                node_add_job(j->placed.alloc[i].node, j);
                if (reboot)
                        reboot_for_features(c, j->placed.alloc[i].node, now);
                ask_power_down(c, j, j->placed.alloc[i].node, now);
                alloc_recount(c, j->placed.alloc[i].node, now);
        }
}

void alloc_release_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        if (jn->done)
                return;
        energy_job_leaves(c, j, jn, now);
        jn->done = true;
        jn->unanswered = false;
        jn->due = 0;
        jn->reclaiming = false;
        node_del_job(jn->node, j);
        alloc_recount(c, jn->node, now);
        memory_level(c, jn->node, now);
        if (jn->node->n_jobs == 0)
                now_unused(c, jn->node, now);
        node_rearm(c, jn->node, now);
        note_node(c, FACT_NODE_FREED, jn->node);
        if (job_has_ports(j))
                note(c, FACT_PORTS_FREED);
        if (!j->completing) /* --no-kill: j's launch may have waited for jn only */
                note_node(c, FACT_LAUNCH_POSSIBLE, j->placed.alloc[j->placed.batch_at].node);
        /* perhaps all nodes of j have stopped now */
        if (j->state == JOB_SUSPENDED && !j->completing)
                note_nodes(c, FACT_LAUNCH_POSSIBLE, j->placed.nodes);
}
