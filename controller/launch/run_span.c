/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps over several components of a heterogeneous job. A request waits as one run, whose job is
 * the first component. When the resources of all components are free, all components start at once,
 * and each gets a run. */
#include "controller/launch/run_span.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/step_requests.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/het.h"
#include "controller/steps/step_span.h"

#include <signal.h>
#include <sys/random.h>

/* ---- runs of the same step ---- */

bool run_is_with(const struct run *r, const struct run *o) {
        return r == o ||
               (r->span && r->span == o->span && r->started && o->started && r->step == o->step);
}

struct run *run_find_known(const struct controller *ctl, uint32_t job, uint32_t step) {
        for (size_t i = 0; i < ctl->n_runs; i++) {
                struct run *r = ctl->runs[i];
                if (r->started && r->step == step && run_known_job(r) == job)
                        return r;
        }
        return NULL;
}

struct run *run_find_on(const struct controller *ctl, uint32_t job, uint32_t step,
                const struct node *n) {
        for (size_t i = 0; i < ctl->n_runs; i++) {
                struct run *r = ctl->runs[i];
                const struct job *j = r->started && r->step == step && run_known_job(r) == job
                                                      ? cluster_job(ctl->cluster, r->job)
                                                      : NULL;
                if (j && job_node_find(j, n))
                        return r;
        }
        return NULL;
}

bool run_is_of(const struct run *r, uint32_t job) {
        if (r->job == job)
                return true;
        for (size_t i = 0; r->components && !r->started && i <= r->n_more; i++)
                if (r->span + r->components[i] == job)
                        return true;
        return false;
}

struct job *run_job(const struct controller *ctl, const struct run *r, size_t part) {
        return cluster_job(ctl->cluster, r->components ? r->span + r->components[part] : r->job);
}

/* ---- the tasks as srun sees them ---- */

static Slumber__TaskList **run_task_lists(const struct run_tasks *t) {
        Slumber__TaskList **pointers = xmalloc(
                        t->n * (sizeof(Slumber__TaskList *) + sizeof(Slumber__TaskList)));
        Slumber__TaskList *lists = (Slumber__TaskList *)(void *)(pointers + t->n);
        uint32_t *ranks = t->ranks;

        for (size_t i = 0; i < t->n; ranks += t->count[i++]) {
                pointers[i] = &lists[i];
                slumber__task_list__init(&lists[i]);
                lists[i].ranks = ranks;
                lists[i].n_ranks = t->count[i];
        }
        return pointers;
}

static uint32_t *counts_copy(const uint32_t *list, size_t n) {
        uint32_t *new = xnew(uint32_t, n + 1);

        for (size_t i = 0; i < n; i++)
                new[i] = list[i];
        return new;
}

void run_tasks_fill(const struct controller *ctl, const struct run *r, struct run_tasks *t) {
        const struct job *j = cluster_job(ctl->cluster, r->job);
        const struct step *s = j ? job_step_find(j, r->step) : NULL;
        const struct step_span *span = s ? s->span : NULL;

        *t = (struct run_tasks){ .restarts = span ? span->restarts : j ? j->restarts : 0 };
        t->n = span ? span->num_nodes : r->n_launches;
        t->count = counts_copy(span ? span->count : r->count, t->n);
        t->nodes = span ? xstrdup(span->nodes) : s ? step_nodes_text(j, s) : xstrdup("");
        t->ranks = span ? span_ranks(span) : run_ranks(r);
        t->lists = run_task_lists(t);
        t->n_parts = span ? span->n_parts : s ? s->n_parts : 0;
        t->parts = xnew(uint32_t, t->n_parts + 1);
        for (size_t i = 0; i < t->n_parts; i++)
                t->parts[i] = span ? span->parts[i] : s->parts[i].num_tasks;
}

void run_tasks_done(struct run_tasks *t) {
        free(t->nodes);
        free(t->count);
        free(t->ranks);
        free(t->lists);
        free(t->parts);
}

/* ---- all runs of a step ---- */

void span_terminate(struct controller *ctl, const struct run *r) {
        for (size_t i = 0; i < ctl->n_runs; i++) {
                struct job *j = run_is_with(r, ctl->runs[i])
                                                ? cluster_job(ctl->cluster, ctl->runs[i]->job)
                                                : NULL;
                if (j)
                        (void)job_terminate_step(ctl->cluster, j, r->step);
        }
        controller_changed(ctl);
}

void span_kill(struct controller *ctl, const struct run *r, uint32_t abort_status) {
        for (size_t i = 0; i < ctl->n_runs; i++) {
                struct job *j = run_is_with(r, ctl->runs[i])
                                                ? cluster_job(ctl->cluster, ctl->runs[i]->job)
                                                : NULL;
                struct step *s = j ? job_step_find(j, r->step) : NULL;
                if (!s)
                        continue;
                if (abort_status)
                        s->abort_status = abort_status;
                (void)job_signal(ctl->cluster, j, SIGKILL, s->id, false, true);
                cluster_job_changed(ctl->cluster, j);
        }
        controller_changed(ctl);
}

void run_tell_ended(const struct controller *ctl, const struct run *r, const struct node *n,
                uint32_t exit_code) {
        for (size_t i = 0; i < ctl->n_runs; i++) {
                const struct run *o = ctl->runs[i];
                if (o == r || !run_is_with(r, o))
                        continue;
                if (!o->over)
                        return;
                exit_code = MAX(exit_code, o->worst);
        }
        run_notice(r, SLUMBER__STEP_NOTICE__KIND__ENDED, n ? n->name : NULL, exit_code, NULL);
}

bool span_launched(const struct controller *ctl, const struct run *r) {
        for (size_t i = 0; i < ctl->n_runs; i++) {
                const struct run *o = ctl->runs[i];
                const struct job *j = run_is_with(r, o) ? cluster_job(ctl->cluster, o->job) : NULL;
                const struct step *s = j ? job_step_find(j, o->step) : NULL;
                if (s && !step_launched(s))
                        return false;
        }
        return true;
}

/* ---- start ---- */

enum slumber_error span_check(const struct controller *ctl, const struct job *leader,
                const Slumber__StepRequest *m, struct fail *fail) {
        const struct het *h = leader->het;
        const Slumber__StepSpec *first = m->spec;

        if (m->n_components != m->n_parts + 1 || !h || h->id != leader->id)
                return SLUMBER_PROTOCOL;
        for (size_t i = 0; i < m->n_components; i++) {
                if (i && m->components[i] <= m->components[i - 1])
                        return SLUMBER_PROTOCOL;
                if (m->components[i] >= h->n) {
                        fail_set(fail, -EINVAL,
                                        "Requested het-group offset exceeds highest hetjob index "
                                        "(%u > %u)",
                                        m->components[i], h->n - 1);
                        return SLUMBER_NOT_SUPPORTED;
                }
                if (!h->of[m->components[i]])
                        return SLUMBER_JOB_ENDED;
        }
        if (ctl->cluster->config->no_hetjob_steps)
                fail_set(fail, -EOPNOTSUPP,
                                "Job steps that span multiple components of a heterogeneous job "
                                "are not currently supported");
        else if (first->resv_ports)
                fail_set(fail, -EOPNOTSUPP,
                                "--resv-ports is not for a step over several components of a "
                                "heterogeneous job");
        else
                return SLUMBER_OK;
        return SLUMBER_NOT_SUPPORTED;
}

/* Returns whether a step can start now in the component: running, and neither configuring nor
   suspended. */
static enum slumber_error can_begin(const struct job *j) {
        if (!j || job_is_finished(j) || j->completing)
                return SLUMBER_JOB_ENDED;
        if (j->state == JOB_PENDING)
                return SLUMBER_JOB_PENDING;
        return j->configuring || j->state == JOB_SUSPENDED ? SLUMBER_NODES_BUSY : SLUMBER_OK;
}

enum slumber_error span_fit(const struct controller *ctl, const struct run *r, struct fits *f,
                struct fail *fail) {
        enum slumber_error all = SLUMBER_OK, e = SLUMBER_OK;

        f->n = r->n_more + 1;
        f->parts = xnew0(struct fit, f->n);
        for (size_t i = 0; i < f->n; i++) {
                const struct job *j = run_job(ctl, r, i);
                e = can_begin(j);
                if (e == SLUMBER_JOB_PENDING && watch_of(ctl, WATCH_HOLDER, r->span, &r->to))
                        /* The preempted or requeued component will run again */
                        e = SLUMBER_NODES_BUSY;
                if (e != SLUMBER_OK && e != SLUMBER_NODES_BUSY)
                        return e;
                if (e == SLUMBER_NODES_BUSY)
                        all = e;
        }
        for (size_t i = 0; all == SLUMBER_OK && i < f->n; i++) {
                e = run_fit(ctl, r, i, run_job(ctl, r, i), &f->parts[i], fail);
                if (e == SLUMBER_NODES_BUSY) {
                        all = e;
                } else if (e != SLUMBER_OK) {
                        if (fail->text[0])
                                fail_prefix(fail, -EINVAL, "component %u", r->components[i]);
                        return e;
                }
        }
        return all;
}

/* Makes the run of a further component with its own tasks and files; all else is copied from r. */
static struct run *run_of_component(struct controller *ctl, struct run *r, size_t part) {
        struct run *o = xnew0(struct run, 1);

        o->spec = TAKE(r->more[part - 1]);
        o->texts = r->texts;
        o->job = r->span + r->components[part];
        o->span = r->span;
        o->uid = r->uid;
        o->immediate = r->immediate;
        o->to = address_copy(&r->to);
        o->launcher = r->launcher ? xstrdup(r->launcher) : NULL;
        o->size = slumber__step_spec__get_packed_size(o->spec);
        r->size -= MIN(r->size, o->size);
        GROW(ctl->runs, ctl->a_runs, ctl->n_runs);
        ctl->runs[ctl->n_runs++] = o;
        return o;
}

/* Gives all components one stream token; if one component has none, all streams go through the
   controller. */
static void join_streams(struct step **steps, size_t n) {
        bool streams = true, input = true;
        uint64_t token = 0;

        for (size_t i = 0; i < n; i++) {
                streams &= steps[i]->stream_token != 0;
                input &= steps[i]->input_of_rank;
        }
        while (streams && !token)
                (void)getrandom(&token, sizeof token, 0);
        for (size_t i = 0; i < n; i++) {
                steps[i]->stream_token = token;
                steps[i]->input_of_rank = input;
        }
}

void span_start(struct controller *ctl, struct run *r, struct fits *f) {
        size_t n = r->n_more + 1;
        _cleanup_free_ struct run **runs = xnew(struct run *, n);
        _cleanup_free_ struct step **steps = xnew(struct step *, n);
        _cleanup_free_ struct span_part *parts = xnew(struct span_part, n);
        _cleanup_free_ struct step_span **spans = xnew(struct step_span *, n);
        const struct job *leader = cluster_job(ctl->cluster, r->span);
        uint32_t id = job_step_number(run_job(ctl, r, 0), false);

        for (size_t i = 0; i < n; i++) {
                runs[i] = i ? run_of_component(ctl, r, i) : r;
                parts[i] = (struct span_part){ run_job(ctl, r, i), runs[i]->spec, &f->parts[i] };
        }
        free(TAKE(r->more));
        r->n_more = 0;
        free(TAKE(r->components));
        spans_new(leader, parts, n, spans);
        for (size_t i = 0; i < n; i++) {
                struct job *j = cluster_job(ctl->cluster, runs[i]->job);
                struct fits own = { .whole = f->parts[i] };
                j->running.next_step = id + 1;
                steps[i] = step_begin(ctl, runs[i], j, &own, id, NULL);
                steps[i]->span = spans[i];
                run_started(runs[i], steps[i], &f->parts[i]);
        }
        join_streams(steps, n);
        run_reply(ctl, r);
        for (size_t i = 0; i < n; i++) {
                struct effect *fx = effects_add(&ctl->cluster->effects, FX_LAUNCH_STEP);
                fx->job = runs[i]->job;
                fx->step = id;
        }
        controller_changed(ctl);
}
