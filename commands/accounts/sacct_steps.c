/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct's steps: assignment to jobs, and order. */
#include "commands/accounts/sacct.h"

#include "commands/job_text.h"
#include "lib/hostlist.h"

/* Special steps sort before numbered steps, sbcast's steps after. */
static int64_t signed_step(const EndedStep *s) {
        return s->step_id > STEP_NUMBER_MAX ? (int64_t)s->step_id - UINT32_MAX : s->step_id;
}

static int ended_step_compare(const EndedStep *x, const EndedStep *y) {
        const int64_t keys[][2] = { { x->job_id, y->job_id },
                { (int64_t)x->time_submit, (int64_t)y->time_submit }, { x->restarts, y->restarts },
                { signed_step(x), signed_step(y) }, { x->part, y->part },
                { x->time_end != 0, y->time_end != 0 } };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i][0] != keys[i][1])
                        return keys[i][0] < keys[i][1] ? -1 : 1;
        return 0;
}

static int ended_step_order(const void *a, const void *b) {
        const EndedStep *const *x = a, *const *y = b;

        return ended_step_compare(*x, *y);
}

static bool ended_step_is_same(const EndedStep *x, const EndedStep *y) {
        return x->job_id == y->job_id && x->time_submit == y->time_submit &&
               x->restarts == y->restarts && x->step_id == y->step_id && x->part == y->part;
}

static int64_t hosts_in(const char *nodes) {
        _cleanup_(hostlist_freep) struct hostlist *list = NULL;

        return hostlist_parse(nodes, &list, NULL) >= 0 ? (int64_t)hostlist_count(list) : 1;
}

static void live_init(EndedStep *e, const Job *job, const Slumber__Step *s, usec_t now) {
        slumber__ended_step__init(e);
        e->name = s->name;
        e->state = (char *)job_shown_long((int)job->state);
        e->nodes = s->nodes;
        e->submit_line = s->submit_line;
        e->container = s->container;
        e->job_id = job->id;
        e->restarts = job->restarts;
        e->step_id = s->id;
        e->part = s->part;
        e->num_nodes = hosts_in(s->nodes);
        e->num_cpus = s->num_cpus;
        e->num_tasks = s->num_tasks;
        e->consumed_energy = (int64_t)(s->energy / 1000);
        e->time_submit = job->submit_time;
        e->time_start = s->start_time;
        e->time_suspended = now > s->start_time + s->run_time ? now - s->start_time - s->run_time
                                                              : 0;
        struct scratch scratch = { 0 };
        e->tres_alloc = xstrdup(step_tres(job, s, &scratch));
        scratch_done(&scratch);
}

void sacct_steps_init(struct sacct_steps *s, const struct ended_list *ended,
                const struct job_list *jobs, usec_t now) {
        size_t n = 0, kept = 0;

        for (size_t i = 0; i < jobs->n_jobs; i++)
                n += jobs->jobs[i]->n_steps;
        *s = (struct sacct_steps){ .live = xnew(EndedStep, n + 1),
                .measured = xnew0(bool, n + 1),
                .list = xnew(const EndedStep *, n + ended->n_steps + 1) };
        for (size_t i = 0; i < jobs->n_jobs; i++)
                for (size_t k = 0; k < jobs->jobs[i]->n_steps && !job_pending(jobs->jobs[i]); k++)
                        live_init(&s->live[s->n_live++], jobs->jobs[i], jobs->jobs[i]->steps[k],
                                        now);
        for (size_t i = 0; i < ended->n_steps; i++)
                s->list[s->n++] = ended->steps[i];
        for (size_t i = 0; i < s->n_live; i++)
                s->list[s->n++] = &s->live[i];
        list_sort(s->list, s->n, sizeof s->list[0], ended_step_order);
        for (size_t i = 0; i < s->n; i++) /* the finished record is last, and wins */
                if (i + 1 == s->n || !ended_step_is_same(s->list[i], s->list[i + 1]))
                        s->list[kept++] = s->list[i];
        s->n = kept;
}

void sacct_steps_done(struct sacct_steps *s) {
        for (size_t i = 0; i < s->n_live; i++) {
                free(s->live[i].tres_alloc);
                if (s->measured[i])
                        sacct_step_measure_done(&s->live[i]);
        }
        free(s->measured);
        free(s->live);
        free(s->list);
}

const EndedStep *const *sacct_steps_of(const struct sacct_steps *s, const Ended *job,
                size_t *ret_n) {
        const EndedStep first = {
                .job_id = job->job_id,
                .time_submit = job->time_submit,
                .restarts = job->restarts,
                .step_id = STEP_INTERACTIVE, /* smallest */
        };
        size_t from = FIRST_NOT(s->n, i, ended_step_compare(s->list[i], &first) < 0), end = from;

        while (end < s->n && s->list[end]->job_id == job->job_id &&
                        s->list[end]->time_submit == job->time_submit &&
                        s->list[end]->restarts == job->restarts)
                end++;
        *ret_n = end - from;
        return &s->list[from];
}

/* Makes a record of a step for the fields of jobs; texts are borrowed. */
static void sacct_step_record(const Ended *job, const EndedStep *step, Ended *ret) {
        slumber__ended__init(ret);
        ret->cluster = job->cluster;
        ret->account = job->account;
        ret->row = job->row;
        ret->job_id = job->job_id;
        ret->array_job = job->array_job;
        ret->het_job = job->het_job;
        ret->het_offset = job->het_offset;
        ret->array_task = job->array_task;
        ret->array_tasks = job->array_tasks;
        ret->name = step->name;
        ret->state = step->state;
        ret->nodes = step->nodes;
        ret->tres_alloc = step->tres_alloc;
        ret->num_nodes = step->num_nodes;
        ret->num_cpus = step->num_cpus;
        ret->exit_code = step->exit_code;
        ret->consumed_energy = step->consumed_energy;
        ret->cancelled_by = -1;
        ret->time_queued = ret->time_start = step->time_start;
        ret->time_end = step->time_end;
        ret->time_suspended = step->time_suspended;
}

struct sacct_row sacct_step_row(const Ended *job, const EndedStep *step, Ended *e) {
        sacct_step_record(job, step, e);
        return (struct sacct_row){ .e = e,
                .step = step,
                .user_cpu = (usec_t)step->user_cpu,
                .system_cpu = (usec_t)step->system_cpu,
                .measured = step->max_rss || step->user_cpu || step->system_cpu };
}
