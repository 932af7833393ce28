/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two jobs that could run on one node at one time, however full it is of them: one has cores of a reservation (CoreCnt) alone, the
 * other is kept off these all its time.  The plan gives a job its nodes whole, but the one need not wait for the other.
 *
 * Where it is not known that they do not lack anything else for each other it is no. */
#include "controller/sched/backfill_private.h"

/* MB that it has on n at most. */
static uint64_t most_memory(const struct job *j, const struct node *n) {
        uint64_t cpus = MIN((uint64_t)job_tasks(j) * MAX(1u, j->spec.cpus_per_task), (uint64_t)n->configured.cpus);

        if (j->mem_per_node)
                return j->mem_per_node;
        if (!j->mem_per_cpu)
                return n->configured.memory;
        cpus = DIV_ROUND_UP(cpus, n->cpus_per_unit) * n->cpus_per_unit; /* charged whole */
        return j->spec.ntasks_per_node || j->spec.threads_per_core ? n->configured.memory : cpus * j->mem_per_cpu;
}

/* Of the node, for of and j, and those who are there already on j's side. */
static bool memory_suffices(const struct cluster *c, const struct job *of, const struct job *j, const struct node *n) {
        uint64_t memory = most_memory(of, n) + most_memory(j, n);

        if (!((partition_select(c, of->partition) | partition_select(c, j->partition)) & CR_MEMORY))
                return true;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *jn = n->jobs[i]->resv == j->resv ? job_node_find(n->jobs[i], n) : NULL;
                memory += jn ? jn->memory : 0;
        }
        return memory <= n->configured.memory;
}

/* It takes no more of a node than its cores and its memory. */
static bool is_modest(const struct cluster *c, const struct job *j) {
        return !j->gres_wants && !place_wants_whole(c, j) && !(partition_select(c, j->partition) & CR_SOCKET) &&
               j->partition->max_cpus_per_node == UINT32_MAX;
}

/* a has such cores, b is kept off them from then until then. */
static bool keeps_off(const struct job *a, const struct job *b, usec_t from, usec_t until) {
        return a->resv && a->resv->n_cores && resv_binds(a) && resv_keeps_off(a->resv, b, from, until);
}

bool plan_is_apart(const struct cluster *c, const struct job_plan *p, const struct job *j, const struct node *n, usec_t from, usec_t until) {
        const struct job *of = p->job;

        return c->resvs.cores && !c->keeps_company && (keeps_off(of, j, from, until) || keeps_off(j, of, p->start, p->until)) && is_modest(c, of) && is_modest(c, j) &&
               memory_suffices(c, of, j, n);
}
