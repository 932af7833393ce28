/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two jobs that could run on one node at one time, however full it is of them: one has cores of a reservation (CoreCnt) alone, the
 * other is kept off these all its time.  The plan gives a job its nodes whole, but the one need not wait for the other.
 *
 * Where it is not known that they do not lack anything else for each other it is no. */
#include "controller/sched/backfill_private.h"

#include "controller/core/sockets.h"

/* CPUs of n that it is charged for at most: whole cores, were all its tasks there.  Where tasks are dealt to each node or socket by
   number it is not known. */
static uint64_t most_cpus(const struct job *j, const struct node *n) {
        const struct job_spec *t = &j->spec;
        uint64_t cpus = (uint64_t)job_tasks(j) * MAX(1u, t->cpus_per_task);

        if (t->ntasks_per_node || t->ntasks_per_socket)
                return n->configured.cpus;
        uint64_t units = MAX(DIV_ROUND_UP(cpus, job_threads_used(j, n)), DIV_ROUND_UP(MAX(1u, t->min_cpus_node), n->cpus_per_unit));
        return MIN(units * n->cpus_per_unit, (uint64_t)n->configured.cpus);
}

/* MB that it has on n at most. */
static uint64_t most_memory(const struct job *j, const struct node *n) {
        if (j->mem_per_node)
                return j->mem_per_node;
        return j->mem_per_cpu ? most_cpus(j, n) * j->mem_per_cpu : n->configured.memory;
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
