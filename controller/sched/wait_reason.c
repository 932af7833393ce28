/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reasons for which a partition keeps a job waiting however many nodes are free, checked in this
 * order: nodes in the request that are no longer configured, the state of the partition, the
 * admitted accounts and QOS, and the sizes allowed. No node is examined, so the reason is known at
 * once for each pending job, and changes only when the administrator changes the configuration or
 * the partition. */
#include "controller/sched/sched.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/job_defaults.h"
#include "controller/accounts/limit_check.h"

static uint32_t least_nodes(const struct job *j) {
        return MAX(MAX(1u, j->asked.min_nodes),
                        j->needs.req_nodes ? (uint32_t)bitset_count(j->needs.req_nodes) : 0);
}

static bool lacks_cpus(const struct job *j) {
        return job_cpus_asked(j) > j->partition->job_cpus;
}

bool partition_is_too_small(const struct job *j) {
        return lacks_cpus(j) || least_nodes(j) > j->partition->n_nodes;
}

/* The maximum number of nodes for j. */
static uint64_t nodes_at_most(const struct job *j) {
        return MAX((size_t)1, MIN((size_t)place_most_nodes(j), j->partition->n_nodes));
}

/* The fewest CPUs needed by j on its largest node. */
static uint64_t cpus_of_a_node(const struct job *j) {
        const struct job_spec *s = &j->asked;
        uint64_t tasks = s->overcommit ? 1
                                       : MAX((uint64_t)s->ntasks_per_node,
                                                         DIV_ROUND_UP((uint64_t)job_tasks(j),
                                                                         nodes_at_most(j)));

        return MAX(tasks * MAX(1u, j->needs.cpus_per_task), (uint64_t)j->needs.min_cpus_node);
}

/* The least memory (MB) needed by j on its largest node. */
static uint64_t memory_of_a_node(const struct cluster *c, const struct job *j) {
        if (j->needs.mem_per_node)
                return j->needs.mem_per_node;
        if (j->needs.mem_per_cpu) {
                uint64_t cpus = cpus_of_a_node(j);
                return j->needs.mem_per_cpu > UINT64_MAX / cpus ? UINT64_MAX
                                                                : j->needs.mem_per_cpu * cpus;
        }
        if (j->needs.mem_per_gpu) {
                const struct gres_total total = gres_total_of(j->needs.gres_wants);
                uint64_t gpus = DIV_ROUND_UP(gres_total_sum(&total), nodes_at_most(j));
                return j->needs.mem_per_gpu > UINT64_MAX / MAX(UINT64_C(1), gpus)
                                       ? UINT64_MAX
                                       : j->needs.mem_per_gpu * gpus;
        }
        /* no memory request: all memory of the node */
        return partition_select(c, j->partition) & CR_MEMORY ? j->partition->least_memory : 0;
}

static bool has_other_size(const struct job *j) {
        const struct job_spec *s = &j->asked;
        const struct partition *p = j->partition;

        if (least_nodes(j) > p->n_nodes ||
                        (least_nodes(j) > p->max_nodes && !limits_flag(j, QOS_PARTITION_MAX_NODES)))
                return true;
        return s->max_nodes && s->max_nodes < p->min_nodes &&
               !limits_flag(j, QOS_PARTITION_MIN_NODES);
}

enum job_reason partition_forbids(const struct cluster *c, const struct job *j) {
        if (lacks_cpus(j))
                return REASON_PARTITION_CONFIG;
        if (has_other_size(j))
                return REASON_PARTITION_NODE_LIMIT;
        if (j->needs.time_limit > j->partition->max_time && !(j->needs.ordered & ORDERED_TIME) &&
                        !limits_flag(j, QOS_PARTITION_TIME_LIMIT))
                return REASON_PARTITION_TIME_LIMIT;
        uint64_t most = place_max_memory(c, j); /* MaxMemPerNode; MaxMemPerCPU only adds CPUs */
        return most != UINT64_MAX && memory_of_a_node(c, j) > most ? REASON_MAX_MEMORY
                                                                   : REASON_NONE;
}

enum job_reason partition_wait_reason(const struct cluster *c, const struct job *j) {
        const struct partition *part = j->partition;

        if (j->needs.unknown_nodes)
                return REASON_BAD_CONSTRAINTS;
        if (!(part->state & PARTITION_SCHED))
                return part->state & PARTITION_SUBMIT ? REASON_PARTITION_DOWN
                                                      : REASON_PARTITION_INACTIVE;
        if (!partition_takes_account(part, j->asked.account))
                return REASON_ACCOUNT;
        if (!partition_takes_qos(part, j->asked.qos))
                return REASON_QOS_NOT_ALLOWED;
        return partition_forbids(c, j);
}

enum job_reason partitions_wait_reason(const struct cluster *c, const struct job *j) {
        enum job_reason why = partition_wait_reason(c, j);
        const char *rest = strempty(j->asked.partition);
        struct job room;

        if (why == REASON_NONE || j->state != JOB_PENDING || !strchr(rest, ','))
                return why;
        for (char *name; why != REASON_NONE && (name = partition_next(&rest)); free(name)) {
                struct partition *p = cluster_partition(c, name);
                if (p && partition_wait_reason(c, job_in_new_partition(c, j, p, &room)) ==
                                                REASON_NONE)
                        why = REASON_NONE;
        }
        return why;
}

char *sched_unavailable_text(const struct cluster *c, const struct bitset *nodes) {
        _cleanup_free_ char *names = cluster_nodes_text(c, nodes);

        return xasprintf("ReqNodeNotAvail, UnavailableNodes:%s", names);
}

size_t partition_in_service(const struct cluster *c, const struct partition *p) {
        return bitset_count_and(c->schedulable, p->nodes);
}

char *partition_unavailable(const struct cluster *c, const struct partition *p) {
        _cleanup_(bitset_freep) struct bitset *missing = bitset_copy(p->nodes);

        bitset_minus(missing, c->schedulable);
        return sched_unavailable_text(c, missing);
}

char *job_unavailable(const struct cluster *c, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *missing = NULL;

        if (!j->needs.req_nodes)
                return NULL;
        bitset_for_each(i, j->needs.req_nodes)
                if (node_is_out_of_service(c->nodes[i])) {
                        missing = missing ? missing : bitset_new(c->n_nodes);
                        bitset_add(missing, i);
                }
        return missing ? sched_unavailable_text(c, missing) : NULL;
}
