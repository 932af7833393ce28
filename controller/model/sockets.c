/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/sockets.h"

#include "controller/model/job.h"
#include "controller/model/node.h"

uint32_t node_sockets(const struct node *n) {
        uint32_t sockets = MAX(1u, n->configured.boards) * MAX(1u, n->configured.sockets);

        return n->units % sockets ? 1 : sockets;
}

uint32_t job_threads_used(const struct job *j, const struct node *n) {
        const struct job_spec *s = &j->asked;
        uint64_t threads = n->cpus_per_unit;

        if (s->threads_per_core)
                threads = MIN(threads, (uint64_t)s->threads_per_core);
        if (s->ntasks_per_core && s->ntasks_per_core < TASKS_PER_CORE_ANY)
                threads = MIN(threads,
                                (uint64_t)s->ntasks_per_core * MAX(1u, j->needs.cpus_per_task));
        return (uint32_t)threads;
}

uint64_t job_memory_cpus(const struct job *j, const struct node *n, uint64_t cpus) {
        uint32_t used = j->asked.threads_per_core;

        return used && used < n->cpus_per_unit
                               ? DIV_ROUND_UP(cpus * used, (uint64_t)n->cpus_per_unit)
                               : cpus;
}

uint32_t job_tasks_in(const struct job *j, const struct node *n, uint32_t cpus,
                uint32_t cpus_per_task) {
        uint32_t used = job_threads_used(j, n);

        if (used < n->cpus_per_unit)
                cpus = cpus / n->cpus_per_unit * used;
        return cpus / MAX(1u, cpus_per_task);
}
