/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The partitions of a cluster: created by a configuration, changed, added and removed by scontrol,
 * and their effect on nodes. */
#include "controller/orders/partitions.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/reservations/reservation.h"

/* Members that a partition copies from the configuration. */
/* clang-format off */
#define SAME_FIELDS(X) \
        X(is_default) X(hidden) X(root_only) X(disable_root_jobs) X(power_down_on_idle) \
        X(max_time) X(default_time) X(min_nodes) X(max_nodes) X(priority_tier) \
        X(priority_job_factor) X(exclusive) X(oversubscribe) X(oversubscribe_max) X(preempt_mode) \
        X(suspend_time) X(suspend_timeout) X(resume_timeout) X(over_time) X(def_mem_per_node) \
        X(def_mem_per_cpu) X(max_mem_per_node) X(max_mem_per_cpu) X(def_mem_per_gpu) \
        X(def_cpu_per_gpu) X(grace_time) X(max_cpus_per_node) X(lln) X(exclusive_user) \
        X(select_params)
/* clang-format on */

static struct partition *partition_new(const struct cluster *c, const struct config_partition *from,
                size_t index) {
        struct partition *p = xnew0(struct partition, 1);
        int state = partition_state_parse(isempty(from->state) ? "UP" : from->state);

        p->index = (uint32_t)index;
        p->name = xstrdup(from->name);
        p->nodes_text = xstrdup(from->nodes_text);
        p->topology_name = isempty(from->topology) ? NULL : xstrdup(from->topology);
        p->nodes = bitset_new(c->n_nodes);
        for (size_t i = 0; i < hostlist_count(from->nodes); i++)
                bitset_add(p->nodes, cluster_node(c, hostlist_get(from->nodes, i))->index);
        p->state = state < 0 ? PARTITION_UP : (unsigned)state;
#define COPY(field) p->field = from->field;
        SAME_FIELDS(COPY)
#undef COPY
        partition_set_list(&p->allow_groups, from->allow_groups);
        partition_set_list(&p->allow_accounts, from->allow_accounts);
        partition_set_list(&p->deny_accounts, from->deny_accounts);
        partition_set_list(&p->allow_qos, from->allow_qos);
        partition_set_list(&p->deny_qos, from->deny_qos);
        free_and_strdup(&p->qos_name, isempty(from->qos) ? NULL : from->qos);
        free_and_strdup(&p->billing_text, isempty(from->billing) ? NULL : from->billing);
        (void)billing_parse(&c->acct.tres, from->billing, &p->billing, NULL); /* checked before */
        (void)partition_set_alloc_nodes(p, from->alloc_nodes, NULL);          /* checked before */
        return p;
}

static void node_join(struct node *n, struct partition *p) {
        n->partitions = xrenew(n->partitions, n->n_partitions + 1);
        n->partitions[n->n_partitions++] = p;
}

/* Keeps the order of the configuration in each node's list. */
void partitions_join_nodes(struct cluster *c) {
        for (size_t i = 0; i < c->n_nodes; i++)
                c->nodes[i]->n_partitions = 0;
        for (size_t i = 0; i < c->n_partitions; i++)
                bitset_for_each(k, c->partitions[i]->nodes)
                        node_join(c->nodes[k], c->partitions[i]);
}

static void append_partition(struct cluster *c, struct partition *p) {
        c->partitions = xrenew(c->partitions, c->n_partitions + 1);
        p->index = (uint32_t)c->n_partitions;
        c->partitions[c->n_partitions++] = p;
}

/* Keeps a partition that scontrol had created, for jobs that still name the partition. */
static struct partition *leave_partition(struct cluster *c, const char *name) {
        struct partition *p = partition_make(name, c->n_nodes);

        p->state = PARTITION_INACTIVE;
        append_partition(c, p);
        return p;
}

/* Makes the queue entries of all jobs anew, because old entries point to replaced partitions. */
static void remake_bids(struct cluster *c) {
        _cleanup_free_ struct job **jobs = xnew(struct job *, c->n_queue + 1);
        size_t n = 0;

        plans_forget(c); /* plans point to queue entries */
        for (size_t i = 0; i < c->n_queue; i++)
                if (c->queue[i] == &c->queue[i]->job->waiting.bids[0])
                        jobs[n++] = c->queue[i]->job;
        c->n_queue = 0;
        for (size_t i = 0; i < n; i++) {
                bids_drop(jobs[i]);
                bids_make(c, jobs[i]);
                for (size_t k = 0; k < jobs[i]->waiting.n_bids; k++) {
                        GROW(c->queue, c->a_queue, c->n_queue);
                        c->queue[c->n_queue++] = &jobs[i]->waiting.bids[k];
                }
        }
}

/* A job that has waited for its turn does not start waiting anew; a shorter time slice applies at
   once. */
static void keep_time_slice(struct cluster *c, const struct partition *old, usec_t now) {
        struct partition *p = old->slice_at ? cluster_partition(c, old->name) : NULL;

        if (!p)
                return;
        p->slice_at = MIN(old->slice_at, now + c->config->scheduler_time_slice);
        cluster_arm(c, p->slice_at, DEADLINE_SLICE, p->index);
}

static void keep_states(struct cluster *c, struct partition *const *old, size_t n) {
        for (size_t i = 0; i < n; i++) {
                struct partition *p = cluster_partition(c, old[i]->name);
                if (p)
                        p->state = old[i]->state;
        }
}

void partitions_install(struct cluster *c, const struct config *config, usec_t now) {
        struct partition **old = c->partitions;
        size_t n_old = c->n_partitions;

        c->partitions = xnew0(struct partition *, config->n_partitions);
        c->n_partitions = config->n_partitions;
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i] = partition_new(c, &config->partitions[i], i);
        if (config->keep_partition_state)
                keep_states(c, old, n_old);
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                const char *name = j ? j->partition->name : NULL;
                if (j && !(j->partition = cluster_partition(c, name)))
                        j->partition = leave_partition(c, name);
        }
        partitions_join_nodes(c);
        remake_bids(c);
        for (size_t i = 0; i < n_old; i++) {
                keep_time_slice(c, old[i], now);
                partition_free(old[i]);
        }
        free(old);
        note(c, FACT_CONFIGURATION_CHANGED);
}

/* Returns the largest value of the partitions that set the member, else the cluster's (semantics of
   25.05). */
static usec_t node_effective_time(const struct node *n, size_t offset, usec_t global) {
        usec_t best = TIME_UNSET;

        for (size_t i = 0; i < n->n_partitions; i++) {
                usec_t v = *(const usec_t *)(const void *)((const char *)n->partitions[i] + offset);
                if (v != TIME_UNSET && (best == TIME_UNSET || v > best))
                        best = v;
        }
        return best == TIME_UNSET ? global : best;
}

static void find_leaves(struct cluster *c, const struct topology *t) {
        for (size_t i = 0; i < t->n; i++)
                for (size_t k = 0; !t->list[i].switches && k < hostlist_count(t->list[i].nodes);
                                k++) {
                        struct node *n = cluster_node(c, hostlist_get(t->list[i].nodes, k));
                        if (n)
                                n->leaves[t->index] = i;
                }
}

void partitions_find_places(struct cluster *c) {
        const struct topologies *all = config_topologies(c->config);
        size_t n = all ? all->n : 0;

        for (size_t i = 0; i < c->n_nodes; i++) {
                free(TAKE(c->nodes[i]->leaves));
                c->nodes[i]->leaves = n ? xnew(size_t, n) : NULL;
                for (size_t k = 0; k < n; k++)
                        c->nodes[i]->leaves[k] = TOPOLOGY_NONE;
        }
        for (size_t i = 0; i < n; i++)
                find_leaves(c, all->list[i]);
        for (size_t i = 0; i < c->n_partitions; i++) {
                struct partition *p = c->partitions[i];
                const struct topology *t = p->topology_name ? topologies_find(all, p->topology_name)
                                           : n              ? all->list[all->usual]
                                                            : NULL;
                p->topology = t && t->n ? t : NULL;
        }
}

/* Passes the place of n to the configuration.  Returns whether the place has changed. */
static bool take_move(const struct node *n, struct config_node *to) {
        const char *place = n ? n->moved_to : NULL,
                   *now = place && streq(place, MOVED_OUT) ? "" : place;
        bool same = now && to->moved_to ? streq(now, to->moved_to) : now == to->moved_to;

        free_and_strdup(&to->moved_to, now);
        return !same;
}

int partitions_move_nodes(struct cluster *c, bool skip, struct fail *fail) {
        size_t told = c->config->n_warnings;
        bool some = false;

        for (size_t i = 0; i < c->config->n_nodes; i++)
                some |= take_move(cluster_node(c, c->config->nodes[i].name), &c->config->nodes[i]);
        int r = some ? config_topology_place(c->config, NULL, 0, skip, fail) : 0;
        for (; told < c->config->n_warnings; told++)
                cluster_log_error(c, NULL, "%s", c->config->warnings[told]);
        return r;
}

/* Moves n to the place (NULL: the place of the files). */
static int topology_move_node(struct cluster *c, struct node *n, const char *to,
                struct fail *fail) {
        _cleanup_free_ char *before = TAKE(n->moved_to);

        n->moved_to = xstrdup(to);
        int r = partitions_move_nodes(c, false, fail);
        if (r < 0) {
                free_and_strdup(&n->moved_to, before);
                (void)partitions_move_nodes(c, true, NULL);
        }
        partitions_find_places(c);
        if (r >= 0)
                note(c, FACT_INVENTORY_CHANGED);
        return r;
}

static bool partition_text_same(const char *a, const char *b) {
        return a && b ? streq(a, b) : a == b;
}

int partitions_place_told(struct cluster *c, struct node *n, const char *text, struct fail *fail) {
        bool by_agent = n->place_told && partition_text_same(n->moved_to, n->place_told);

        if (partition_text_same(text, n->place_told))
                return 0;
        if (text && strlen(text) > PLACE_TOLD_MAX)
                return fail_set(fail, -E2BIG, "node %s: Topology= is longer than %d bytes", n->name,
                                PLACE_TOLD_MAX);
        free_and_strdup(&n->place_told, text);
        if (text ? partition_text_same(text, n->moved_to) : !by_agent)
                return 0;
        int r = !text ? 0
                      : topologies_check_brought(config_topologies(c->config),
                                        &(struct topology_place){ n->name, text },
                                        n->flags & NODE_CLOUD, fail);
        return r < 0 ? r : topology_move_node(c, n, text, fail);
}

void cluster_partitions_changed(struct cluster *c, usec_t now) {
        partitions_find_places(c);
        exclusions_refresh(c);
        priority_count_totals(c);
        note(c, FACT_INVENTORY_CHANGED);
        for (size_t i = 0; i < c->n_partitions; i++) {
                c->partitions[i]->told = false;
                c->has_sharing_rules |= c->partitions[i]->exclusive_user;
        }
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *n = c->nodes[i];

                n->suspend_time = n->own_suspend_time != TIME_UNSET
                                                  ? n->own_suspend_time
                                                  : node_effective_time(n,
                                                                    offsetof(struct partition,
                                                                                    suspend_time),
                                                                    c->config->suspend_time);
                n->suspend_timeout = node_effective_time(n,
                                offsetof(struct partition, suspend_timeout),
                                c->config->suspend_timeout);
                n->resume_timeout = node_effective_time(n,
                                offsetof(struct partition, resume_timeout),
                                c->config->resume_timeout);
                cluster_node_changed(c, n, now);
        }
}

/* Returns whether priorities of jobs change. */
static bool is_other_factor(const struct partition *a, const struct partition *b) {
        bool other = false;

#define X(field) other |= a->field != b->field;
        /* clang-format off */
        X(priority_job_factor) X(default_time) X(max_time) X(def_mem_per_node)
        X(def_mem_per_cpu) X(def_mem_per_gpu) X(def_cpu_per_gpu)
        X(max_mem_per_node) X(max_mem_per_cpu)
        /* clang-format on */
#undef X
                                        return other;
}

void cluster_partition_take(struct cluster *c, struct partition *p, struct partition *changed,
                usec_t now) {
        struct partition before = *p;
        bool resort = changed->priority_tier != p->priority_tier,
             moved = !bitset_equal(changed->nodes, p->nodes);
        bool refactored = is_other_factor(changed, p),
             other_time = changed->over_time != p->over_time;

        if (resort || changed->preempt_mode != p->preempt_mode)
                note(c, FACT_PREEMPTION_CHANGED);
        for (size_t i = 0; changed->is_default && i < c->n_partitions; i++)
                c->partitions[i]->is_default = false;
        *p = *changed;
        *changed = before; /* freed with all members */
        partition_free(changed);
        if (moved)
                partitions_join_nodes(c);
        if (resort)
                cluster_queue_resort(c);
        if (other_time)
                cluster_rearm_active(c, p);
        cluster_settle_limits(c);
        cluster_partitions_changed(c, now);
        if (refactored) /* a factor is a share of the largest factor: affects all jobs */
                priority_rearm(c, now);
}

void cluster_partition_add(struct cluster *c, struct partition *p, usec_t now) {
        for (size_t i = 0; p->is_default && i < c->n_partitions; i++)
                c->partitions[i]->is_default = false;
        append_partition(c, p);
        partitions_join_nodes(c);
        cluster_partitions_changed(c, now);
}

struct partition *cluster_partition_left(struct cluster *c, const char *name, usec_t now) {
        struct partition *p = leave_partition(c, name);

        cluster_partitions_changed(c, now);
        return p;
}

int cluster_partition_remove(struct cluster *c, struct partition *p, usec_t now,
                struct fail *fail) {
        for (size_t i = 0; i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                if (j && !job_is_history(j) && (j->partition == p || job_bids_for(j, p->name)))
                        return fail_set(fail, -EBUSY, "job %u is in it", j->id);
        }
        for (size_t i = 0; i < c->resvs.n; i++)
                if (c->resvs.list[i]->partition && streq(c->resvs.list[i]->partition, p->name))
                        return fail_set(fail, -EBUSY, "reservation %s is of it",
                                        c->resvs.list[i]->name);
        /* a removal may compact the list */
        for (size_t i = c->n_jobs; i-- > 0; i = MIN(i, c->n_jobs)) {
                struct job *j = c->jobs[i].job;
                if (j && j->partition == p)
                        cluster_job_forget(c, j);
        }
        c->n_partitions--;
        for (size_t i = p->index; i < c->n_partitions; i++) {
                struct partition *next = c->partitions[i] = c->partitions[i + 1];
                next->index = (uint32_t)i;
                if (next->slice_at) /* deadlines use the index */
                        cluster_arm(c, next->slice_at, DEADLINE_SLICE, next->index);
        }
        partitions_join_nodes(c);
        partition_free(p);
        cluster_partitions_changed(c, now);
        return 0;
}
