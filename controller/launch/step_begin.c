/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates a step's record when the step begins, and a record for each component: data to recognize
 * and to show the step, and the CPUs, cores, memory and generic resources that the step takes. */
#include "controller/launch/step_begin.h"

#include "controller/jobs/job_events.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/step_settings.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/energy.h"
#include "controller/model/step_cores.h"
#include "controller/steps/step_shape.h"
#include "lib/step/gpubind.h"

#include <sys/random.h>

void fits_done(struct fits *f) {
        fit_done(&f->whole);
        for (size_t i = 0; i < f->n; i++)
                fit_done(&f->parts[i]);
        free(f->parts);
}

static void take_cpus(struct run *r, const struct job *j, const struct fits *f) {
        r->n_nodes = j->placed.n_alloc;
        r->cpus = xnew0(uint32_t, j->placed.n_alloc);
        for (size_t part = 0; part <= r->n_more; part++) {
                const Slumber__StepSpec *spec = run_spec(r, part);
                const struct fit *its = fits_part(f, part);
                for (size_t i = 0; i < its->n && !spec->overlap; i++)
                        r->cpus[its->at[i]] = step_cpus(j, spec, its->at[i], its->count[i]);
        }
}

/* --exact gives a step its own cores; with --overlap other steps may have them, too. */
static void deal_cores(const Slumber__StepSpec *spec, const struct job *j, struct step *s,
                const struct fit *f) {
        _cleanup_free_ uint32_t *cpus = xnew(uint32_t, f->n + 1);

        for (size_t i = 0; i < f->n; i++)
                cpus[i] = step_cpus(j, spec, f->at[i], f->count[i]);
        step_cores_deal(j, s, cpus, spec->socket_distribution == DISTRIBUTION_BLOCK);
}

/* Sets texts and sizes of a step, or of a component of a step. */
static void step_names_fill(struct step *s, const Slumber__StepSpec *spec) {
        s->name = xstrdup(spec->interactive ? "interactive" : spec->name);
        s->host = xstrdup(spec->host);
        s->submit_line = xstrdup(spec->submit_line);
        s->container = isempty(spec->container) ? NULL : xstrdup(spec->container);
        s->pid = spec->pid;
        s->mem_per_node = spec->mem_per_node;
        s->mem_per_cpu = spec->mem_per_cpu;
        s->cpu_freq = *spec->cpu_freq ? xstrdup(spec->cpu_freq) : NULL;
        s->tres_bind = gpu_bind_tres(spec->gpu_bind);
        s->kill_on_bad_exit = spec->kill_on_bad_exit;
        s->no_kill = spec->no_kill;
        s->to_files = step_request_to_files(spec);
}

static void fill_tasks(struct step *s, const struct run *r, const struct fit *f) {
        s->num_tasks = f->tasks;
        s->n_tasks_on = f->n;
        s->tasks = xnew(uint32_t, f->n);
        s->taken = xnew(uint32_t, f->n);
        for (size_t i = 0; i < f->n; i++) {
                s->tasks[i] = f->count[i];
                s->taken[i] = r->cpus[f->at[i]];
        }
}

static uint32_t step_cpus_count(const struct job *j, const Slumber__StepSpec *spec,
                const struct fit *f) {
        uint32_t sum = 0;

        for (size_t i = 0; i < f->n; i++)
                sum += step_cpus(j, spec, f->at[i], f->count[i]);
        return sum;
}

static void fill_step(const struct controller *ctl, struct step *s, const struct run *r,
                const struct job *j, const struct fits *f) {
        bool streams = step_nodes_have_streams(ctl, j, s, &s->input_of_rank);
        Slumber__StepSettings settings = step_settings(ctl->cluster->config);

        step_names_fill(s, r->spec);
        fill_tasks(s, r, &f->whole);
        s->token = r->spec->token;
        (void)address_process(&r->to, &s->command);
        while (streams && !s->stream_token)
                (void)getrandom(&s->stream_token, sizeof s->stream_token, 0);
        s->cyclic = r->spec->cyclic;
        s->plane = r->spec->plane;
        s->tree_width = MIN(r->spec->tree_width, TREE_WIDTH_MAX);
        s->held = step_request_holds(&settings, r->spec);
        if (f->whole.place) {
                s->place = xnew(uint32_t, f->whole.tasks);
                memcpy(s->place, f->whole.place, f->whole.tasks * sizeof s->place[0]);
        }
        for (size_t part = 0; part <= r->n_more; part++) {
                s->cpus += step_cpus_count(j, run_spec(r, part), fits_part(f, part));
                s->to_files &= step_request_to_files(run_spec(r, part));
        }
}

static struct bitset *fit_places(const struct job *j, const struct fit *f) {
        struct bitset *set = bitset_new(j->placed.n_alloc);

        for (size_t i = 0; i < f->n; i++)
                bitset_add(set, f->at[i]);
        return set;
}

static void step_part_add(struct step *s, const struct run *r, const struct job *j,
                const struct fit *f) {
        size_t k = s->n_parts++;
        const Slumber__StepSpec *spec = run_spec(r, k);
        struct step *part = &s->parts[k];

        part->id = s->id;
        part->part = (uint32_t)k + 1;
        part->nodes = fit_places(j, f);
        part->ended = bitset_new(j->placed.n_alloc);
        part->launched = bitset_new(j->placed.n_alloc);
        part->start_time = s->start_time;
        part->ran_before = s->ran_before;
        step_names_fill(part, spec);
        fill_tasks(part, r, f);
        part->cpus = step_cpus_count(j, spec, f);
}

/* Joins the cores of the components. On nodes of a component without own cores, the step has all
   cores of the job. */
static void join_cores(const struct job *j, struct step *s) {
        size_t k = 0;

        s->cores = xnew0(struct bitset *, s->n_tasks_on);
        bitset_for_each(at, s->nodes) {
                struct step *part = job_step_part_at(s, at);
                const struct job_node *jn = &j->placed.alloc[at];
                struct bitset *set = bitset_new(jn->node->units);
                if (!part->cores)
                        bitset_or_part(set, j->placed.units, jn->units_at);
                else
                        bitset_or(set, part->cores[bitset_count_below(part->nodes, at)]);
                s->cores[k++] = set;
        }
        for (size_t i = 0; i < s->n_parts; i++)
                step_cores_free(&s->parts[i]);
}

static void begin_parts(struct run *r, struct job *j, struct step *s, const struct fits *f) {
        bool exact = false, own = false;

        s->parts = xnew0(struct step, f->n);
        for (size_t i = 0; i < f->n; i++) {
                const Slumber__StepSpec *spec = run_spec(r, i);
                step_part_add(s, r, j, &f->parts[i]);
                struct step *part = &s->parts[i];
                if (spec->exact)
                        deal_cores(spec, j, part, &f->parts[i]);
                exact |= spec->exact;
                /* The step holds the generic resources, by node, for its components */
                step_gres_take(j, s, spec, f->parts[i].at, f->parts[i].count, f->parts[i].n);
                part->gres_kind = s->gres_kind;
                own |= s->gres_kind == STEP_GRES_OWN;
        }
        s->gres_kind = own ? STEP_GRES_OWN : s->parts[0].gres_kind;
        if (exact)
                join_cores(j, s);
}

struct step *step_begin(struct controller *ctl, struct run *r, struct job *j, const struct fits *f,
                uint32_t id, char *ports) {
        _cleanup_(bitset_freep) struct bitset *set = fit_places(j, &f->whole);
        struct step *s = job_step_started(ctl->cluster, j, id, set, controller_now(ctl));

        s->resv_ports = ports;
        take_cpus(r, j, f);
        fill_step(ctl, s, r, j, f);
        if (f->n)
                begin_parts(r, j, s, f);
        else if (r->spec->exact)
                deal_cores(r->spec, j, s, &f->whole);
        energy_step_begins(j, s, controller_now(ctl));
        job_step_limit(ctl->cluster, j, s, r->spec->time_limit);
        if (!f->n)
                step_gres_take(j, s, r->spec, f->whole.at, f->whole.count, f->whole.n);
        return s;
}
