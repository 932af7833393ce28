/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass over the queue: highest tier and priority first; the first job of a partition that must wait keeps later
 * ones of that partition waiting (Priority), and its nodes from partitions of lower tiers.  (Backfill will let the small
 * ones through without delaying it.)  A job that waits for something special, nodes it names or features, holds nobody up. */
#include "controller/sched/sched.h"

#include "controller/core/job_events.h"
#include "controller/sched/place.h"

struct pass {
        struct cluster *c;
        usec_t now;
        struct bitset *usable; /* nodes that jobs still to be looked at may have */
        bool *blocked;         /* per partition: somebody waits there */
        size_t n_blocked;
        uint32_t *max_nodes; /* per partition: of one job */
        uint32_t lowest_tier;
        size_t powered; /* nodes that have power or will get it: max_powered_nodes */
};

static void block(struct pass *p, const struct partition *part) {
        if (p->blocked[part->index])
                return;
        p->blocked[part->index] = true;
        p->n_blocked++;
        bitset_minus(p->usable, part->nodes);
}

/* max_nodes: of one job in its partition. */
static enum job_reason hindered(const struct job *j, uint32_t max_nodes) {
        const struct partition *part = j->partition;

        if (!(part->state & PARTITION_SCHED))
                return part->state & PARTITION_SUBMIT ? REASON_PARTITION_DOWN
                                                      : REASON_PARTITION_INACTIVE;
        if (!partition_takes_account(part, j->spec.account))
                return REASON_ACCOUNT;
        if (j->time_limit > part->max_time)
                return REASON_PARTITION_TIME_LIMIT;
        if (j->spec.min_nodes > max_nodes || (j->spec.max_nodes && j->spec.max_nodes < part->min_nodes))
                return REASON_PARTITION_NODE_LIMIT;
        return REASON_NONE;
}

static uint32_t nodes_of_one_job(const struct partition *part) {
        return (uint32_t)MIN((size_t)part->max_nodes, bitset_count(part->nodes));
}

enum job_reason partition_hinders(const struct job *j) {
        return hindered(j, nodes_of_one_job(j->partition));
}

/* Why it may not even be tried; REASON_NONE: it may. */
static enum job_reason hindrance(const struct pass *p, const struct job *j) {
        if (j->spec.begin_time > p->now)
                return REASON_BEGIN_TIME;
        return hindered(j, p->max_nodes[j->partition->index]);
}

static void start(struct pass *p, struct job *j, struct placement *where) {
        struct cluster *c = p->c;
        _cleanup_free_ char *names = cluster_nodes_text(c, where->nodes);

        job_clear_allocation(j);
        j->nodes = TAKE(where->nodes);
        j->units = TAKE(where->units);
        j->alloc = TAKE(where->alloc);
        j->n_alloc = where->n_alloc;
        j->num_cpus = where->num_cpus;
        cluster_log(c, j->id, NULL, "Allocate JobId=%u NodeList=%s #CPUs=%u Partition=%s", j->id,
                        names, j->num_cpus, j->partition->name);
        for (size_t i = 0; i < where->n_victims; i++) {
                cluster_log(c, where->victims[i]->id, NULL,
                                "Preempting JobId=%u: JobId=%u of a higher tier takes %s",
                                where->victims[i]->id, j->id, names);
                job_stop(c, where->victims[i], false, p->now);
        }
        job_start(c, j, p->now);
}

static bool holds_others_up(const struct job *j) {
        return !j->req_nodes && !j->features;
}

static void set_waiting(struct pass *p, struct job *j, int r) {
        if (r == -EBUSY) {
                job_set_reason(p->c, j, REASON_RESOURCES, NULL);
                if (holds_others_up(j))
                        block(p, j->partition);
                return;
        }
        if (j->req_nodes) {
                _cleanup_(bitset_freep) struct bitset *missing = bitset_copy(j->req_nodes);
                bitset_minus(missing, p->c->schedulable);
                _cleanup_free_ char *names = cluster_nodes_text(p->c, missing);
                _cleanup_free_ char *text =
                                xasprintf("ReqNodeNotAvail, UnavailableNodes:%s", names);
                job_set_reason(p->c, j, REASON_NODE_NOT_AVAILABLE,
                                bitset_empty(missing) ? NULL : text);
                return;
        }
        job_set_reason(p->c, j, REASON_RESOURCES, NULL);
        if (holds_others_up(j))
                block(p, j->partition);
}

/* How many more nodes must get power for it (power-saving guide, max_powered_nodes). */
static size_t to_power_up(const struct cluster *c, const struct bitset *nodes) {
        size_t n = 0;

        bitset_for_each(i, nodes) n += node_lacks_power(c->nodes[i]) && !bitset_has(c->to_resume, i);
        return n;
}

static bool too_many_powered(struct pass *p, struct job *j, const struct placement *where) {
        struct cluster *c = p->c;

        if (c->config->max_powered_nodes == UINT32_MAX)
                return false;
        size_t more = to_power_up(c, where->nodes);
        if (more == 0 || p->powered + more <= c->config->max_powered_nodes) {
                p->powered += more;
                return false;
        }
        job_set_reason(c, j, REASON_MAX_POWERED_NODES, NULL);
        if (j->spec.min_nodes <= c->config->max_powered_nodes && holds_others_up(j))
                block(p, j->partition);
        return true;
}

static bool try_start(struct pass *p, struct job *j) {
        struct cluster *c = p->c;
        struct placement where = { 0 };
        int r = place(c, j, p->usable, PLACE_FREE, &where);

        if (r < 0 && c->config->preempt_type != PREEMPT_NONE && j->partition->priority_tier > p->lowest_tier)
                r = place(c, j, p->usable, PLACE_PREEMPT, &where);
        j->last_sched_eval = p->now;
        if (r < 0)
                set_waiting(p, j, r);
        else if (too_many_powered(p, j, &where))
                r = -EBUSY;
        else
                start(p, j, &where);
        placement_done(&where);
        return r >= 0;
}

/* true: it has started. */
static bool consider(struct pass *p, struct job *j) {
        enum job_reason why;

        if (job_is_held(j)) /* its reason was set when it was held */
                return false;
        why = hindrance(p, j);
        if (why == REASON_NONE && p->blocked[j->partition->index])
                why = REASON_PRIORITY;
        if (why == REASON_NONE)
                return try_start(p, j);
        job_set_reason(p->c, j, why, NULL);
        return false;
}

struct bitset *sched_usable(const struct cluster *c) {
        struct bitset *usable = bitset_copy(c->schedulable);

        if (!c->power_save) /* nobody could wake them */
                bitset_minus(usable, c->power[NODE_POWERED_DOWN]);
        return usable;
}

void sched_pass(struct cluster *c, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *usable = sched_usable(c);
        _cleanup_free_ bool *blocked = xnew0(bool, c->n_partitions);
        _cleanup_free_ uint32_t *max_nodes = xnew0(uint32_t, c->n_partitions);
        struct pass p = { .c = c, .now = now, .usable = usable, .blocked = blocked, .max_nodes = max_nodes,
                .lowest_tier = UINT32_MAX };

        c->want_sched = false;
        if (c->config->max_powered_nodes != UINT32_MAX)
                p.powered = cluster_count_powered(c);
        for (size_t i = 0; i < c->n_partitions; i++) {
                const struct partition *part = c->partitions[i];
                max_nodes[i] = nodes_of_one_job(part);
                p.lowest_tier = MIN(p.lowest_tier, part->priority_tier);
        }
        for (size_t i = 0; i < c->n_queue && p.n_blocked < c->n_partitions;) {
                struct job *j = c->queue[i];

                if (!consider(&p, j))
                        i++; /* else it has left the queue */
        }
        c->want_sched = false; /* what the pass itself changed was seen by it */
}
