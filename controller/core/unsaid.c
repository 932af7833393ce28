/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/unsaid.h"

#include "controller/core/limit_check.h"

bool unsaid_memory(const struct job_spec *s) {
        return !s->mem_per_node && !s->mem_per_cpu && !s->mem_per_gpu && !s->all_memory;
}

void unsaid_default_memory(const struct cluster *c, const struct job *j, uint64_t *ret_per_node, uint64_t *ret_per_cpu) {
        const struct partition *p = j->partition;
        bool own = p->def_mem_per_node || p->def_mem_per_cpu;

        *ret_per_node = own ? p->def_mem_per_node : c->config->def_mem_per_node;
        *ret_per_cpu = own ? p->def_mem_per_cpu : c->config->def_mem_per_cpu;
}

/* More than MaxMemPerCPU for each CPU is spread over more of them, as at its submission. */
static struct unsaid here(const struct cluster *c, const struct job *j) {
        struct unsaid u = { .time_limit = j->spec.time_limit ? j->time_limit : limits_default_time(c, j) };
        uint64_t most = partition_max_mem_per_cpu(c, j->partition);

        unsaid_default_memory(c, j, &u.mem_per_node, &u.mem_per_cpu);
        if (most && u.mem_per_cpu > most)
                u.mem_per_cpu = DIV_ROUND_UP(u.mem_per_cpu, DIV_ROUND_UP(u.mem_per_cpu, most));
        return u;
}

static void take(struct job *j, const struct unsaid *u) {
        if (!j->spec.time_limit)
                j->time_limit = u->time_limit;
        if (!unsaid_memory(&j->spec))
                return;
        j->mem_per_node = u->mem_per_node;
        j->mem_per_cpu = u->mem_per_cpu;
}

void unsaid_look_up(const struct cluster *c, struct job *j) {
        const struct unsaid u = here(c, j);

        take(j, &u);
}

void unsaid_take_here(struct job *j) {
        for (size_t i = 0; j->n_bids > 1 && i < j->n_bids; i++)
                if (j->bids[i].partition == j->partition)
                        take(j, &j->bids[i].unsaid);
}

void unsaid_settle_bids(const struct cluster *c, struct job *j) {
        struct partition *before = j->partition;

        for (size_t i = 0; j->n_bids > 1 && i < j->n_bids; i++) {
                j->partition = j->bids[i].partition;
                j->bids[i].unsaid = here(c, j);
        }
        j->partition = before;
        unsaid_take_here(j);
}

bool unsaid_settle(const struct cluster *c, struct job *j) {
        const struct unsaid was = { .time_limit = j->time_limit, .mem_per_node = j->mem_per_node, .mem_per_cpu = j->mem_per_cpu };

        if (j->spec.time_limit && !unsaid_memory(&j->spec))
                return false;
        unsaid_look_up(c, j);
        unsaid_settle_bids(c, j);
        return was.time_limit != j->time_limit || was.mem_per_node != j->mem_per_node || was.mem_per_cpu != j->mem_per_cpu;
}
