/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two jobs may share a full node: job A has only cores of a reservation (CoreCnt), and job B is
 * kept off these cores for its whole time. If A or B has parts of the node as a whole (parts.h),
 * and these parts are not usable by the second job, the plan has both jobs on the node. Only the
 * node's memory is shared by both. */
#include "controller/sched/plan/plan.h"

#include "controller/model/sockets.h"
#include "controller/model/spec.h"

/* Returns the most CPUs of n charged to j: whole cores for all tasks of j. All CPUs of n, if the
   number of tasks for each node or socket is given. */
static uint64_t most_cpus(const struct job *j, const struct node *n) {
        const struct job_spec *t = &j->asked;
        uint64_t cpus = (uint64_t)job_tasks(j) * MAX(1u, j->needs.cpus_per_task);

        if (t->ntasks_per_node || t->ntasks_per_socket)
                return node_job_cpus(n);
        uint64_t units = MAX(DIV_ROUND_UP(cpus, job_threads_used(j, n)),
                        DIV_ROUND_UP(MAX(1u, j->needs.min_cpus_node), n->cpus_per_unit));
        return MIN(units * n->cpus_per_unit, (uint64_t)node_job_cpus(n));
}

uint64_t plan_most_memory(const struct cluster *c, const struct job *j, const struct node *n) {
        if (!(partition_select(c, j->partition) & CR_MEMORY))
                return 0;
        if (j->needs.mem_per_node)
                return j->needs.mem_per_node;
        return j->needs.mem_per_cpu ? job_memory_cpus(j, n, most_cpus(j, n)) * j->needs.mem_per_cpu
                                    : node_job_memory(n);
}

bool plan_is_apart(struct backfill *b, const struct job_plan *p, const struct node *n,
                const struct part_wish *w) {
        if (!bitset_has(parts_split(b->node_parts), n->index))
                return false;
        for (size_t k = 0; k < parts_of(b->node_parts, n->index); k++) {
                size_t part = parts_at(b->node_parts, n->index, k);
                spend(b, 1);
                if (plan_has_part(p, part) && parts_is_wanted(b->node_parts, w, n, part))
                        return false;
        }
        return true;
}

bool plan_memory_suffices(struct cluster *c, struct backfill *b, const struct job *j,
                const struct node *n, usec_t now, struct period when, bool all) {
        const struct rests rests = plan_rests_of(c, b, j, now, when, all);
        struct node_rest rest;

        return !rests.of(&rests, n, &rest) || plan_most_memory(c, j, n) <= rest.memory;
}
