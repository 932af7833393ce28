/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/stepmgr/stepmgr_job.h"

#include "controller/model/gres.h"
#include "controller/model/node.h"
#include "controller/model/step_cores.h"
#include "controller/steps/step_fit.h"
#include "controller/steps/step_gres.h"
#include "controller/steps/step_shape.h"

#define UNITS_MAX 65536 /* cores of a node; slurm.conf allows fewer */
#define NODES_MAX 65536 /* nodes of a job */

/* Invariant: only the job's nodes and their resources are modelled, no other part of the
   cluster. */
struct stepmgr_job {
        const Slumber__StepMaker *message;
        struct node *nodes;
        struct job job;
};

/* ---- the job's nodes ---- */

static int job_model_check(const Slumber__StepMaker *m, struct fail *fail) {
        if (!m->launch || !m->credential || !m->settings)
                return fail_set(fail, -EBADMSG, "it has no launch, credential or settings");
        if (m->n_nodes == 0 || m->n_nodes > NODES_MAX)
                return fail_set(fail, -EBADMSG, "%zu nodes are none of a job", m->n_nodes);
        return 0;
}

static int job_model_check_node(const Slumber__StepMakerNode *m, struct fail *fail) {
        if (!m->hardware)
                return fail_set(fail, -EBADMSG, "it does not say the hardware of node \"%.64s\"",
                                m->name);
        if (m->units == 0 || m->units > UNITS_MAX || m->cpus_per_unit == 0 || m->cpus == 0 ||
                        m->cpus_per_unit > UNITS_MAX ||
                        m->cpus > (uint64_t)m->units * m->cpus_per_unit)
                return fail_set(fail, -EBADMSG,
                                "%u CPUs of %u cores with %u each are no part of a node", m->cpus,
                                m->units, m->cpus_per_unit);
        return 0;
}

static void job_model_fill_node(struct node *n, const Slumber__StepMakerNode *m) {
        const Slumber__Hardware *hw = m->hardware;

        n->name = m->name;
        n->power = NODE_ON;
        n->base = NODE_IDLE;
        n->connected = true;
        n->units = m->units;
        n->cpus_per_unit = m->cpus_per_unit;
        n->features = m->features;
        n->gres = m->gres;
        n->configured = (struct node_hardware){ .cpus = hw->cpus,
                .boards = hw->boards,
                .sockets = hw->sockets,
                .cores = hw->cores,
                .threads = hw->threads,
                .tmp_disk = hw->tmp_disk };
        gres_configure(n);
}

/* Reads the job's cores and generic resources on node number at, already filled by
   job_model_fill_node(). */
static int job_model_read_shares(struct stepmgr_job *j, size_t at, const Slumber__StepMakerNode *m,
                struct fail *fail) {
        struct job_placed *placed = &j->job.placed;
        _cleanup_(bitset_freep) struct bitset *cores = bitset_new(m->units);

        if (bitset_parse(cores, m->cores) < 0)
                return fail_set(fail, -EBADMSG, "cores \"%.64s\" are not those of a node with %u",
                                m->cores, m->units);
        bitset_for_each(i, cores)
                bitset_add(placed->units, placed->alloc[at].units_at + i);
        if (gres_shares_parse(&j->nodes[at], m->job_gres, (uint32_t)at, &placed->gres,
                            &placed->n_gres, fail) < 0)
                return fail_set(fail, -EBADMSG, "\"%.64s\" is no part of Gres=%.64s", m->job_gres,
                                m->gres);
        return 0;
}

static int job_model_read_nodes(struct stepmgr_job *j, const Slumber__StepMaker *m,
                struct fail *fail) {
        struct job_placed *placed = &j->job.placed;
        size_t units = 0;
        int r = 0;

        for (size_t i = 0; i < m->n_nodes && r >= 0; i++)
                r = job_model_check_node(m->nodes[i], fail);
        if (r < 0)
                return r;
        j->nodes = xnew0(struct node, m->n_nodes);
        placed->alloc = xnew0(struct job_node, m->n_nodes);
        placed->n_alloc = m->n_nodes;
        for (size_t i = 0; i < m->n_nodes; i++) {
                job_model_fill_node(&j->nodes[i], m->nodes[i]);
                placed->alloc[i] = (struct job_node){ .node = &j->nodes[i],
                        .cpus = m->nodes[i]->cpus,
                        .memory = m->nodes[i]->memory,
                        .units_at = units };
                units += m->nodes[i]->units;
        }
        placed->units = bitset_new(units);
        for (size_t i = 0; i < m->n_nodes && r >= 0; i++)
                r = job_model_read_shares(j, i, m->nodes[i], fail);
        return r;
}

struct stepmgr_job *stepmgr_job_new(const Slumber__StepMaker *m, struct fail *fail) {
        if (job_model_check(m, fail) < 0)
                return NULL;
        struct stepmgr_job *j = xnew0(struct stepmgr_job, 1);
        j->message = m;
        j->job.id = m->credential->job_id;
        j->job.restarts = m->credential->restarts;
        j->job.asked.features = *m->asked_features ? m->asked_features : NULL;
        j->job.asked.threads_per_core = m->threads_per_core;
        j->job.asked.ntasks_per_core = m->ntasks_per_core;
        j->job.needs.cpus_per_task = m->cpus_per_task;
        return job_model_read_nodes(j, m, fail) < 0 ? stepmgr_job_free(j) : j;
}

struct stepmgr_job *stepmgr_job_free(struct stepmgr_job *j) {
        if (!j)
                return NULL;
        while (j->job.running.n_steps)
                job_step_remove(&j->job, &j->job.running.steps[0]);
        free(j->job.running.steps);
        for (size_t i = 0; i < j->job.placed.n_alloc; i++)
                gres_items_free(&j->nodes[i]);
        gres_shares_free(j->job.placed.gres, j->job.placed.n_gres);
        bitset_free(j->job.placed.units);
        free(j->job.placed.alloc);
        free(j->nodes);
        free(j);
        return NULL;
}

/* ---- the job's steps ---- */

struct fit *stepmgr_fit_free(struct fit *f) {
        if (f)
                fit_done(f);
        free(f);
        return NULL;
}

enum slumber_error stepmgr_job_fit_step(const struct stepmgr_job *j, const Slumber__StepSpec *spec,
                const struct task_list *list, const struct stepmgr_taker *others, size_t n,
                struct fit **ret, struct fail *fail) {
        size_t n_nodes = j->job.placed.n_alloc;
        _cleanup_free_ struct step_taker *takers = xnew(struct step_taker, n + 1);
        _cleanup_free_ uint32_t *cpus = xnew0(uint32_t, n * n_nodes + 1);
        const struct step_ask ask = {
                .spec = spec,
                .list = list,
                .others = takers,
                .n_others = n,
                .pack = j->message->settings->pack,
                .max_tasks_per_node = j->message->settings->max_tasks_per_node,
        };

        for (size_t i = 0; i < n; i++) {
                uint32_t *its = cpus + i * n_nodes;
                for (size_t k = 0; k < others[i].made->n_nodes; k++)
                        its[others[i].made->nodes[k]->place] = others[i].made->nodes[k]->taken;
                takers[i] = (struct step_taker){ .spec = others[i].spec,
                        .cpus = its,
                        .n_nodes = n_nodes };
        }
        _cleanup_(stepmgr_fit_freep) struct fit *f = xnew0(struct fit, 1);
        enum slumber_error e = fit_in(&ask, &j->job, f, fail);
        *ret = e == SLUMBER_OK ? TAKE(f) : NULL;
        return e;
}

static struct step *job_model_add_step(struct stepmgr_job *j, uint32_t id, size_t n_nodes) {
        struct step *s = job_step_add(&j->job);

        s->id = id;
        s->nodes = bitset_new(j->job.placed.n_alloc);
        s->ended = bitset_new(j->job.placed.n_alloc);
        s->launched = bitset_new(j->job.placed.n_alloc);
        s->n_tasks_on = n_nodes;
        return s;
}

static void made_step_fill_nodes(const struct stepmgr_job *j, const Slumber__StepSpec *spec,
                const struct fit *f, const struct step *s, Slumber__MadeStep *m) {
        m->n_nodes = f->n;
        m->nodes = xnew(Slumber__MadeStepNode *, f->n);
        for (size_t i = 0; i < f->n; i++) {
                Slumber__MadeStepNode *node = m->nodes[i] = xnew(Slumber__MadeStepNode, 1);
                size_t n = 0;
                slumber__made_step_node__init(node);
                node->place = (uint32_t)f->at[i];
                node->tasks = f->count[i];
                node->cpus = step_cpus(&j->job, spec, f->at[i], f->count[i]);
                node->taken = spec->overlap ? 0 : node->cpus;
                m->cpus += node->cpus;
                if (s->cores)
                        node->cores = bitset_text(s->cores[i]);
                if (s->gres_kind != STEP_GRES_OWN)
                        continue;
                const struct gres_share *shares = gres_shares_of(s->gres, s->n_gres, node->place,
                                &n);
                node->gres = gres_shares_text(&j->nodes[node->place], shares, n);
        }
}

void stepmgr_job_begin_step(struct stepmgr_job *j, const Slumber__StepSpec *spec,
                const struct fit *f, Slumber__MadeStep *m) {
        struct step *s = job_model_add_step(j, m->step_id, f->n);
        _cleanup_free_ uint32_t *cpus = xnew(uint32_t, f->n + 1);

        for (size_t i = 0; i < f->n; i++) {
                bitset_add(s->nodes, f->at[i]);
                cpus[i] = step_cpus(&j->job, spec, f->at[i], f->count[i]);
        }
        if (spec->exact)
                step_cores_deal(&j->job, s, cpus, spec->socket_distribution == DISTRIBUTION_BLOCK);
        step_gres_take(&j->job, s, spec, f->at, f->count, f->n);
        m->num_tasks = f->tasks;
        if (f->place && f->n > 1) {
                m->n_task_places = f->tasks;
                m->task_places = xnew(uint32_t, f->tasks);
                memcpy(m->task_places, f->place, f->tasks * sizeof f->place[0]);
        }
        m->mem_per_node = spec->mem_per_node;
        m->mem_per_cpu = spec->mem_per_cpu;
        m->gres_kind = (uint32_t)s->gres_kind;
        made_step_fill_nodes(j, spec, f, s, m);
}

/* protobuf-c shares one empty string, which must not be freed. */
static void free_text(char *text) {
        if (text != protobuf_c_empty_string)
                free(text);
}

void stepmgr_job_free_message(Slumber__MadeStep *m) {
        for (size_t i = 0; i < m->n_nodes; i++) {
                free_text(m->nodes[i]->cores);
                free_text(m->nodes[i]->gres);
                free(m->nodes[i]);
        }
        free(TAKE(m->nodes));
        free(TAKE(m->task_places));
        m->n_nodes = m->n_task_places = 0;
}

static bool made_step_nodes_are_valid(const struct stepmgr_job *j, const Slumber__MadeStep *m) {
        for (size_t i = 0; i < m->n_nodes; i++)
                if (m->nodes[i]->place >= j->job.placed.n_alloc ||
                                (i && m->nodes[i]->place <= m->nodes[i - 1]->place))
                        return false;
        for (size_t i = 0; i < m->n_task_places; i++)
                if (m->task_places[i] >= m->n_nodes)
                        return false;
        return m->n_nodes > 0;
}

/* Reads the step's own cores on its i-th node; an unreadable list gives an empty set. */
static void job_model_read_step_cores(const struct stepmgr_job *j, struct step *s, size_t i,
                const Slumber__MadeStepNode *m) {
        struct bitset *cores = bitset_new(j->nodes[m->place].units);

        if (bitset_parse(cores, m->cores) < 0)
                bitset_clear(cores);
        s->cores[i] = cores;
}

int stepmgr_job_restore_step(struct stepmgr_job *j, const Slumber__MadeStep *m) {
        struct fail fail = { 0 };

        if (!made_step_nodes_are_valid(j, m))
                return -EBADMSG;
        struct step *s = job_model_add_step(j, m->step_id, m->n_nodes);
        s->gres_kind = m->gres_kind <= STEP_GRES_NONE ? (enum step_gres)m->gres_kind
                                                      : STEP_GRES_ALL;
        if (*m->nodes[0]->cores)
                s->cores = xnew0(struct bitset *, m->n_nodes);
        for (size_t i = 0; i < m->n_nodes; i++) {
                const Slumber__MadeStepNode *node = m->nodes[i];
                bitset_add(s->nodes, node->place);
                if (s->cores)
                        job_model_read_step_cores(j, s, i, node);
                if (gres_shares_parse(&j->nodes[node->place], node->gres, node->place, &s->gres,
                                    &s->n_gres, &fail) < 0) {
                        job_step_remove(&j->job, s);
                        return -EBADMSG;
                }
        }
        return 0;
}

void stepmgr_job_end_step(struct stepmgr_job *j, uint32_t step) {
        struct step *s = job_step_find(&j->job, step);

        if (s)
                job_step_remove(&j->job, s);
}

uint64_t stepmgr_job_step_memory(const struct stepmgr_job *j, const Slumber__StepSpec *spec,
                const Slumber__MadeStepNode *node) {
        _cleanup_free_ uint32_t *taken = xnew0(uint32_t, j->job.placed.n_alloc);
        const struct step_taker t = { .spec = spec,
                .cpus = taken,
                .n_nodes = j->job.placed.n_alloc };

        taken[node->place] = node->taken;
        return step_memory(&j->job, &t, node->place);
}

const char *stepmgr_job_step_gres(const struct stepmgr_job *j, const Slumber__MadeStep *m,
                const Slumber__MadeStepNode *node) {
        if (m->gres_kind == STEP_GRES_OWN)
                return node->gres;
        return m->gres_kind == STEP_GRES_NONE ? "" : j->message->nodes[node->place]->job_gres;
}
