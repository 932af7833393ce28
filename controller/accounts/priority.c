/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Priorities grow with time, so the priorities of all pending jobs are computed every
 * PriorityCalcPeriod.  They are not stored but computed again after a restart. */
#include "controller/accounts/priority.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/job_defaults.h"
#include "controller/accounts/qos.h"
#include "controller/accounts/usage.h"
#include "controller/model/spec.h"
#include "controller/model/tres.h"

/* ---- factors of a job ---- */

static double priority_ratio(double part, double all) {
        return all > 0 ? part / all : 0;
}

static uint32_t priority_nodes(const struct job *j) {
        return MAX(1u, j->placed.n_alloc ? (uint32_t)j->placed.n_alloc : j->asked.min_nodes);
}

static double priority_cpus(const struct job *j) {
        return j->placed.num_cpus ? j->placed.num_cpus : (double)job_cpus_asked(j);
}

/* Age from the time of accruing (accrue.c) until the start, or now. */
static double priority_age(const struct cluster *c, const struct job *j, usec_t now) {
        const struct config_priority *p = &c->config->priority;
        usec_t from = p->flags & PRIORITY_ACCRUE_ALWAYS ? j->submit_time : j->waiting.accrue_time;
        usec_t until = j->running.start_time && j->running.start_time < now ? j->running.start_time
                                                                            : now;

        if (from == 0 || from >= until)
                return 0;
        return p->max_age ? MIN(1.0, (double)(until - from) / (double)p->max_age) : 1;
}

/* Priority guide: the average of the shares of nodes and CPUs; with SMALL_RELATIVE_TO_TIME the
   larger share, per minute of the time limit. */
static double priority_job_size(const struct cluster *c, const struct job *j) {
        const struct config_priority *p = &c->config->priority;
        double nodes = priority_ratio(priority_nodes(j), (double)c->n_nodes),
               cpus = priority_ratio(priority_cpus(j), c->total_cpus), size;

        if (p->flags & PRIORITY_SMALL_RELATIVE_TO_TIME) {
                double minutes = j->needs.time_limit == NO_LIMIT
                                                 ? UINT32_MAX
                                                 : (double)j->needs.time_limit /
                                                                   (60.0 * USEC_PER_SEC);
                size = MAX(nodes, cpus) / MAX(1.0, minutes);
        } else {
                size = (nodes + cpus) / 2;
        }
        size = MIN(1.0, size);
        return p->favor_small ? 1 - size : size;
}

static double priority_partition(const struct cluster *c, const struct job *j) {
        if (c->config->priority.flags & PRIORITY_NO_NORMAL_PART)
                return j->partition->priority_job_factor;
        return priority_ratio(j->partition->priority_job_factor, c->most_job_factor);
}

static double priority_assoc(const struct cluster *c, const struct job *j) {
        if (c->config->priority.flags & PRIORITY_NO_NORMAL_ASSOC)
                return assoc_priority(j->accounting.assoc);
        return priority_ratio(assoc_priority(j->accounting.assoc), c->acct.most_priority);
}

static double priority_qos(const struct cluster *c, const struct job *j) {
        if (c->config->priority.flags & PRIORITY_NO_NORMAL_QOS)
                return j->accounting.qos ? j->accounting.qos->priority : 0;
        return qos_priority_factor(&c->acct, j->accounting.qos);
}

/* Memory is the share of the nodes unless requested. */
static double priority_memory(const struct job *j) {
        const struct partition *part = j->partition;

        if (j->needs.mem_per_node)
                return (double)j->needs.mem_per_node * priority_nodes(j);
        if (j->needs.mem_per_cpu)
                return (double)j->needs.mem_per_cpu * priority_cpus(j);
        return priority_ratio(part->total_memory, (double)part->n_nodes) * priority_nodes(j);
}

/* Generic resources of the partition's nodes, but all licenses. */
static double total_of(const struct cluster *c, const struct partition *part, size_t t) {
        const struct tres_named *of = &c->acct.tres.list[t - TRES_NAMED];
        const struct license *l = of->license ? license_find(&c->licenses, of->name) : NULL;
        const struct hres *h = of->license ? hres_find(&c->hres, of->name) : NULL;

        return !of->license ? (double)part->total_gres[t - TRES_NAMED]
               : h          ? (double)hres_total(h)
               : l          ? l->total
                            : 0;
}

static void named_tres(const struct cluster *c, const struct job *j, bool normal, double *ret) {
        const struct config_priority *p = &c->config->priority;
        struct tres_set set;

        if (p->n_tres == 0)
                return;
        if (j->placed.n_alloc)
                tres_of_job(c, j, &set);
        else
                tres_asked(c, j, &set, NULL);
        for (size_t i = 0; i < p->n_tres; i++) {
                int t = tres_find(&c->acct.tres, p->tres[i]);
                ret[i] = t < 0 ? 0
                               : priority_ratio((double)set.of[t],
                                                 normal ? total_of(c, j->partition, (size_t)t) : 1);
        }
}

static void priority_tres(const struct cluster *c, const struct job *j,
                double ret[PRIORITY_FACTOR_MAX]) {
        const struct partition *part = j->partition;
        bool normal = !(c->config->priority.flags & PRIORITY_NO_NORMAL_TRES);

        ret[PRIORITY_CPUS] = priority_ratio(priority_cpus(j), normal ? part->total_cpus : 1);
        ret[PRIORITY_MEMORY] = priority_ratio(priority_memory(j), normal ? part->total_memory : 1);
        ret[PRIORITY_NODES] = priority_ratio(priority_nodes(j), normal ? (double)part->n_nodes : 1);
        named_tres(c, j, normal, ret + PRIORITY_NAMED);
}

void priority_factors(const struct cluster *c, const struct job *j, usec_t now,
                double ret[PRIORITY_FACTOR_MAX]) {
        memset(ret, 0, PRIORITY_FACTOR_MAX * sizeof ret[0]);
        ret[PRIORITY_AGE] = priority_age(c, j, now);
        ret[PRIORITY_ASSOC] = priority_assoc(c, j);
        ret[PRIORITY_JOB_SIZE] = priority_job_size(c, j);
        ret[PRIORITY_PARTITION] = priority_partition(c, j);
        ret[PRIORITY_QOS] = priority_qos(c, j);
        ret[PRIORITY_FAIRSHARE] = j->accounting.assoc ? j->accounting.assoc->fairshare : 0;
        priority_tres(c, j, ret);
}

static uint32_t priority_bounded(double priority) {
        return priority < 1 ? 1 : priority >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)priority;
}

uint32_t priority_multifactor(const struct cluster *c, const struct job *j, usec_t now) {
        double factors[PRIORITY_FACTOR_MAX], sum = 0;

        priority_factors(c, j, now, factors);
        for (size_t i = 0; i < PRIORITY_FACTOR_MAX; i++)
                sum += factors[i] * c->config->priority.weight[i];
        return priority_bounded(sum + j->accounting.site_factor - j->asked.nice);
}

/* The factors that differ between a job's partitions; none depends on the time. */
static void factors_of_partition(const struct cluster *c, const struct job *j,
                double ret[PRIORITY_FACTOR_MAX]) {
        ret[PRIORITY_JOB_SIZE] = priority_job_size(c, j);
        ret[PRIORITY_PARTITION] = priority_partition(c, j);
        priority_tres(c, j, ret);
}

uint32_t priority_elsewhere(const struct cluster *c, const struct job *j, struct partition *there) {
        double here[PRIORITY_FACTOR_MAX] = { 0 }, other[PRIORITY_FACTOR_MAX] = { 0 },
               sum = j->priority;
        struct job room;

        if (!c->config->priority.multifactor || j->asked.priority || job_is_held(j))
                return 0;
        factors_of_partition(c, j, here);
        factors_of_partition(c, job_in_partition(j, there, &room), other);
        for (size_t i = 0; i < PRIORITY_FACTOR_MAX; i++)
                sum += (other[i] - here[i]) * c->config->priority.weight[i];
        return priority_bounded(sum);
}

/* The priority of the next job that requests none. */
static uint32_t priority_next(struct cluster *c, const struct job *j, usec_t now) {
        acct_count_priorities(&c->acct);
        if (c->config->priority.multifactor)
                return priority_multifactor(c, j, now);
        return priority_bounded((double)MAX(1u, c->next_priority) - j->asked.nice);
}

uint32_t priority_take(struct cluster *c, const struct job *j, usec_t now) {
        uint32_t priority = priority_next(c, j, now);

        if (!c->config->priority.multifactor && c->next_priority > 1)
                c->next_priority--;
        return priority;
}

uint32_t priority_expected(struct cluster *c, const struct job *j, usec_t now) {
        return j->asked.hold ? 0 : j->asked.priority ? j->asked.priority : priority_next(c, j, now);
}

uint32_t priority_now(const struct cluster *c, const struct job *j, usec_t now) {
        return c->config->priority.multifactor ? priority_multifactor(c, j, now) : j->priority;
}

void priority_reniced(struct cluster *c, struct job *j, int32_t before, usec_t now) {
        if (c->config->priority.multifactor)
                j->priority = priority_multifactor(c, j, now);
        else
                j->priority = priority_bounded((double)j->priority + before - j->asked.nice);
}

/* ---- totals of the cluster ---- */

/* Only a few kinds exist: a unit is a thread, or a core with its threads. */
static void count_kind(struct partition *part, const struct node *n) {
        struct node_kind *k = part->kinds;

        while (k < part->kinds + part->n_kinds && k->cpus_per_unit != n->cpus_per_unit)
                k++;
        if (k == part->kinds + part->n_kinds) {
                part->kinds = xrenew(part->kinds, part->n_kinds + 1);
                k = &part->kinds[part->n_kinds++];
                *k = (struct node_kind){ .cpus_per_unit = n->cpus_per_unit };
        }
        k->units = MAX(k->units, n->units);
}

static void partition_sum_nodes(const struct cluster *c, struct partition *part) {
        const struct tres_set all = tres_of_partition(c, part);

        memcpy(part->total_gres, all.of + TRES_NAMED, sizeof part->total_gres);
        part->total_cpus = part->total_memory = 0;
        part->n_nodes = part->job_cpus = part->most_cpus = part->least_memory = 0;
        part->n_kinds = 0;
        bitset_for_each(i, part->nodes) {
                const struct node *n = c->nodes[i];
                uint32_t cpus = node_job_cpus(n);
                uint64_t memory = node_job_memory(n);

                part->least_memory = part->n_nodes ? MIN(part->least_memory, memory) : memory;
                part->n_nodes++;
                part->total_cpus += cpus;
                /* includes CPUs reserved for the system, as in Slurm */
                part->job_cpus += MIN(n->configured.cpus, part->max_cpus_per_node);
                part->most_cpus = MAX(part->most_cpus, cpus);
                count_kind(part, n);
                part->total_memory += (double)n->configured.memory;
        }
}

void priority_count_totals(struct cluster *c) {
        c->total_cpus = c->most_job_factor = 0;
        for (size_t i = 0; i < c->n_nodes; i++)
                c->total_cpus += node_job_cpus(c->nodes[i]);
        for (size_t k = 0; k < c->n_partitions; k++) {
                struct partition *part = c->partitions[k];

                partition_sum_nodes(c, part);
                c->most_job_factor = MAX(c->most_job_factor, part->priority_job_factor);
        }
}

void priority_rearm(struct cluster *c, usec_t at) {
        c->priority_armed = c->config->priority.multifactor ? at : 0;
        if (c->priority_armed)
                cluster_arm(c, at, DEADLINE_PRIORITY, 0);
}
