/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/accounts/job_defaults.h"

#include "controller/accounts/limit_check.h"

/* MB, above any amount that admission accepts.  Products are capped here, so that an overflow
   cannot produce a small number. */
#define MEMORY_ENDLESS (UINT64_C(1) << 41)

static uint64_t product_capped(uint64_t a, uint64_t b, uint64_t most) {
        return b && a > most / b ? most : a * b;
}

static uint32_t cpus_product(uint64_t a, uint64_t b) {
        return (uint32_t)product_capped(a, b, UINT32_MAX);
}

/* True if the job requests no memory. */
static bool asks_no_memory(const struct job_spec *s) {
        return !s->mem_per_node && !s->mem_per_cpu && !s->mem_per_gpu && !s->all_memory;
}

/* Converts the requested or default CPUs and memory per GPU to CPUs and memory per task or node, if
   the number of GPUs is known. */
static void defaults_count_gpus(const struct cluster *c, const struct job *j,
                struct job_defaults *u) {
        const uint64_t task = gres_gpus_per_task(j->needs.gres_wants),
                       node = gres_gpus_per_node(j->needs.gres_wants);
        const uint32_t sharers = MAX(1u, j->asked.ntasks_per_gpu);
        const struct partition *p = j->partition;

        if (!task && !node && !gres_total_of(j->needs.gres_wants).n)
                return;
        if (!u->cpus_per_task && !u->cpus_per_gpu)
                u->cpus_per_gpu = p->def_cpu_per_gpu ? p->def_cpu_per_gpu
                                                     : c->config->def_cpu_per_gpu;
        if (asks_no_memory(&j->asked))
                u->mem_per_gpu = p->def_mem_per_gpu ? p->def_mem_per_gpu
                                                    : c->config->def_mem_per_gpu;
        if (u->cpus_per_gpu && task)
                u->cpus_per_task = MAX(u->cpus_per_task,
                                DIV_ROUND_UP(cpus_product(u->cpus_per_gpu, task), sharers));
        if (u->cpus_per_gpu && node)
                u->min_cpus_node = MAX(u->min_cpus_node, cpus_product(u->cpus_per_gpu, node));
        if (u->mem_per_gpu && task)
                u->mem_per_cpu = DIV_ROUND_UP(product_capped(u->mem_per_gpu, task, MEMORY_ENDLESS),
                                (uint64_t)MAX(1u, u->cpus_per_task) * sharers);
        else if (u->mem_per_gpu && node)
                u->mem_per_node = product_capped(u->mem_per_gpu, node, MEMORY_ENDLESS);
}

/* DefMemPerNode or DefMemPerCPU. */
static void take_memory(const struct cluster *c, const struct partition *p,
                struct job_defaults *u) {
        bool own = p->def_mem_per_node || p->def_mem_per_cpu;

        u->mem_per_node = own ? p->def_mem_per_node : c->config->def_mem_per_node;
        u->mem_per_cpu = own ? p->def_mem_per_cpu : c->config->def_mem_per_cpu;
}

/* MaxMemPerCPU: more memory requires more CPUs. */
static void defaults_count_cpus(uint64_t most, struct job_defaults *u) {
        uint64_t times = DIV_ROUND_UP(MAX(u->mem_per_cpu, u->mem_per_node), most);

        if (u->mem_per_cpu > most) {
                u->mem_per_cpu = DIV_ROUND_UP(u->mem_per_cpu, times);
                u->cpus_per_task = cpus_product(times, MAX(1u, u->cpus_per_task));
        } else if (u->mem_per_node)
                u->min_cpus_node = (uint32_t)MIN(MAX(times, (uint64_t)u->min_cpus_node),
                                UINT32_MAX);
}

static struct job_defaults defaults_in_partition(const struct cluster *c, const struct job *j) {
        const uint64_t most = partition_max_mem_per_cpu(c, j->partition);
        struct job_defaults u = {
                .time_limit = j->asked.time_limit ? j->needs.time_limit : limits_default_time(c, j),
        };

#define X(field) u.field = j->asked.field;
        UNSAID_SIZES(X)
#undef X
        defaults_count_gpus(c, j, &u);
        if (asks_no_memory(&j->asked) && !u.mem_per_gpu)
                take_memory(c, j->partition, &u);
        if (most)
                defaults_count_cpus(most, &u);
        return u;
}

/* Returns true if a value changed. */
static bool defaults_apply(struct job *j, const struct job_defaults *u) {
        bool other = !j->asked.time_limit && j->needs.time_limit != u->time_limit;

        if (!j->asked.time_limit)
                j->needs.time_limit = u->time_limit;
#define X(field)                                                                                   \
        other |= j->needs.field != u->field;                                                       \
        j->needs.field = u->field;
        UNSAID_SIZES(X)
#undef X
        return other;
}

bool job_defaults_look_up(const struct cluster *c, struct job *j) {
        const struct job_defaults u = defaults_in_partition(c, j);

        return defaults_apply(j, &u);
}

const struct job *job_in_new_partition(const struct cluster *c, const struct job *j,
                struct partition *p, struct job *room) {
        *room = *j;
        room->partition = p;
        (void)job_defaults_look_up(c, room);
        return room;
}

void job_defaults_take(struct job *j) {
        for (size_t i = 0; j->waiting.n_bids > 1 && i < j->waiting.n_bids; i++)
                if (j->waiting.bids[i].partition == j->partition)
                        (void)defaults_apply(j, &j->waiting.bids[i].job_defaults);
}

static void settle_bids(const struct cluster *c, struct job *j) {
        if (j->waiting.n_bids < 2)
                return;
        struct job there = *j;
        for (size_t i = 0; i < j->waiting.n_bids; i++) {
                there.partition = j->waiting.bids[i].partition;
                j->waiting.bids[i].job_defaults = defaults_in_partition(c, &there);
        }
        job_defaults_take(j);
}

bool job_defaults_settle(const struct cluster *c, struct job *j) {
        bool other = job_defaults_look_up(c, j);

        settle_bids(c, j);
        return other;
}
