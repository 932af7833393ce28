/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums are formed in the order of jobs and nodes, in whole numbers as far as possible: equal runs
   give equal digits. */
#include "sim/sums.h"
#include "controller/model/spec.h"

#define HOUR    3600e6
#define PER_KWH 3.6e9 /* mJ */

static int sums_by_value(const void *a, const void *b) {
        const double *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

/* Returns the smallest value not exceeded by percent of the values. */
static double sums_percentile(const double *sorted, size_t n, unsigned percent) {
        return sorted[MAX((size_t)1, DIV_ROUND_UP(n * percent, 100)) - 1];
}

static struct spread spread_of(double *values, size_t n) {
        double sum = 0;

        if (n == 0)
                return (struct spread){ 0 };
        list_sort(values, n, sizeof values[0], sums_by_value);
        for (size_t i = 0; i < n; i++)
                sum += values[i];
        double median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
        return (struct spread){ sum / (double)n, median, sums_percentile(values, n, 95),
                values[n - 1] };
}

size_t sums_waited(const struct trace *t, struct spread *ret) {
        _cleanup_free_ double *waits = xnew(double, t->n + 1);
        size_t n = 0;

        for (size_t i = 0; i < t->n; i++)
                if (t->jobs[i].waited != NO_LIMIT)
                        waits[n++] = (double)t->jobs[i].waited / (double)USEC_PER_SEC;
        *ret = spread_of(waits, n);
        return n;
}

static bool has_run(const struct sim_job *j) {
        return j->outcome > JOB_SUSPENDED && j->outcome < JOB_STATE_MAX && j->n_nodes;
}

static void sum_jobs(const struct cluster *c, const struct sim_result *r, struct sums *s) {
        _cleanup_free_ double *waits = xnew(double, r->n_jobs + 1),
                              *slowdowns = xnew(double, r->n_jobs + 1);
        usec_t first = USEC_INFINITY, last = 0;
        double used = 0, cpus = 0;

        for (size_t i = 0; i < r->n_jobs; i++) {
                const struct sim_job *j = &r->jobs[i];
                s->requeues += j->restarts;
                s->refused += j->outcome == SIM_REFUSED;
                s->never_started += j->outcome != SIM_REFUSED && !has_run(j);
                if (j->outcome != SIM_NOT_SUBMITTED)
                        first = MIN(first, j->submit);
                if (!has_run(j))
                        continue;
                double wait = (double)(j->start - j->submit),
                       run = (double)(j->end - j->start - j->suspended);
                double slowdown = (wait + run + (double)j->suspended) /
                                  MAX(run, (double)SLOWDOWN_BOUND);
                waits[s->ran] = wait / (double)USEC_PER_SEC;
                slowdowns[s->ran++] = MAX(slowdown, 1);
                s->by[j->outcome]++;
                used += run * j->cpus;
                s->jobs_suspended += j->suspended > 0;
                s->suspended += (double)j->suspended / (double)(3600 * USEC_PER_SEC);
                last = MAX(last, j->end);
        }
        for (size_t i = 0; i < c->n_nodes; i++)
                cpus += node_job_cpus(c->nodes[i]);
        s->makespan = last > first ? (double)(last - first) / (double)USEC_PER_SEC : 0;
        s->cpus_used = r->end && cpus > 0 ? 100 * used / (cpus * (double)r->end) : 0;
        s->wait = spread_of(waits, s->ran);
        s->slowdown = spread_of(slowdowns, s->ran);
}

static void sum_nodes(const struct sim_result *r, struct sums *s) {
        uint64_t used = 0, saved = 0;

        for (size_t i = 0; i < r->n_nodes; i++) {
                const struct sim_node *n = &r->nodes[i];
                for (int k = 0; k < SIM_STATE_MAX; k++)
                        s->hours[k] += (double)n->in[k] / HOUR;
                used += n->used;
                saved += n->saved;
                s->suspends += n->suspends;
                s->resumes += n->resumes;
                s->failures += n->failures;
                s->switches_max = MAX(s->switches_max, n->suspends + n->resumes);
        }
        double all = (double)r->n_nodes * (double)r->end / HOUR;
        s->nodes_busy = all > 0 ? 100 * s->hours[SIM_BUSY] / all : 0;
        s->switches_mean = r->n_nodes ? (double)(s->suspends + s->resumes) / (double)r->n_nodes : 0;
        s->energy = (double)used / PER_KWH;
        s->saved = (double)saved / PER_KWH;
        s->watts_mean = r->end ? (double)used * 1e3 / (double)r->end : 0;
}

static void sum_points(const struct sim_result *r, struct sums *s) {
        double pending = 0;

        for (size_t i = 0; i < r->n_points; i++) {
                const struct sim_point *p = &r->points[i];
                usec_t until = MIN(r->end, i + 1 < r->n_points ? r->points[i + 1].at : r->end);
                s->pending_max = MAX(s->pending_max, p->pending);
                s->watts_max = MAX(s->watts_max, (double)p->milliwatts / 1000);
                if (until > p->at)
                        pending += (double)p->pending * (double)(until - p->at);
        }
        s->pending_mean = r->end ? pending / (double)r->end : 0;
}

void sums_make(const struct cluster *c, const struct sim_result *r, struct sums *ret) {
        *ret = (struct sums){ .jobs = r->n_jobs,
                .nodes = r->n_nodes,
                .knows_watts = r->knows_watts,
                .out_at_end = r->out_at_end };
        sum_jobs(c, r, ret);
        sum_nodes(r, ret);
        sum_points(r, ret);
}
