/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/steps/step_shape.h"

#include "controller/model/node.h"
#include "controller/model/sockets.h"

/* Returns the number of sockets on which the job has at least cores cores. */
static uint32_t sockets_with(const struct job *j, size_t at, uint32_t cores) {
        const struct job_node *jn = &j->placed.alloc[at];
        uint32_t sockets = node_sockets(jn->node), each = jn->node->units / sockets, n = 0;

        for (uint32_t k = 0; k < sockets; k++) {
                uint32_t has = 0;
                for (uint32_t u = k * each; u < (k + 1) * each; u++)
                        has += bitset_has(j->placed.units, jn->units_at + u);
                n += has >= MAX(1u, cores);
        }
        return n;
}

uint32_t step_threads(const struct job *j, size_t at) {
        uint32_t threads = MAX(1u, j->placed.alloc[at].node->configured.threads);

        return j->asked.threads_per_core ? MIN(threads, j->asked.threads_per_core) : threads;
}

bool step_shape_fits(const struct job *j, const Slumber__StepSpec *s, size_t at) {
        const struct job_node *jn = &j->placed.alloc[at];

        if (s->min_cpus_node > jn->cpus || s->tmp_disk > jn->node->configured.tmp_disk ||
                        s->threads_per_core > step_threads(j, at))
                return false;
        if (!s->sockets_per_node && !s->cores_per_socket)
                return true;
        return sockets_with(j, at, s->cores_per_socket) >= MAX(1u, s->sockets_per_node);
}

/* Returns how many CPUs of a core the step's tasks use, at most as many as the job's. */
static uint32_t threads_used(const struct job *j, const Slumber__StepSpec *s, size_t at) {
        uint32_t used = job_threads_used(j, j->placed.alloc[at].node);

        if (s->threads_per_core)
                used = MIN(used, s->threads_per_core);
        if (s->ntasks_per_core) {
                uint64_t most = (uint64_t)s->ntasks_per_core * MAX(1u, s->cpus_per_task);
                used = (uint32_t)MIN((uint64_t)used, most);
        }
        return used;
}

uint32_t step_tasks_allowed(const struct job *j, const Slumber__StepSpec *s, size_t at,
                uint32_t cpus) {
        uint32_t cores = DIV_ROUND_UP(cpus, j->placed.alloc[at].node->cpus_per_unit);
        uint64_t tasks = UINT32_MAX;

        if (s->ntasks_per_core)
                tasks = MIN(tasks, (uint64_t)cores * s->ntasks_per_core);
        if (s->ntasks_per_socket)
                tasks = MIN(tasks, (uint64_t)sockets_with(j, at, 1) * s->ntasks_per_socket);
        return (uint32_t)tasks;
}

uint32_t step_tasks_in(const struct job *j, const Slumber__StepSpec *s, size_t at, uint32_t cpus) {
        const struct node *n = j->placed.alloc[at].node;
        uint32_t threads = threads_used(j, s, at);
        uint64_t tasks = job_tasks_in(j, n, cpus, s->cpus_per_task);

        if (threads < job_threads_used(j, n))
                tasks = (uint64_t)(cpus / n->cpus_per_unit) * threads / MAX(1u, s->cpus_per_task);
        return (uint32_t)MIN(tasks, (uint64_t)step_tasks_allowed(j, s, at, cpus));
}

uint32_t step_cpus(const struct job *j, const Slumber__StepSpec *s, size_t at, uint32_t tasks) {
        uint64_t asked = (uint64_t)tasks * MAX(1u, s->cpus_per_task),
                 has = j->placed.alloc[at].cpus;
        uint32_t used = job_threads_used(j, j->placed.alloc[at].node),
                 threads = threads_used(j, s, at);

        if (threads < used)
                asked = DIV_ROUND_UP(asked, (uint64_t)threads) * used;
        return (uint32_t)(s->exact ? MIN(asked, has) : has);
}
