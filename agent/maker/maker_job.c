/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/maker/maker_job.h"

#include "controller/model/node.h"
#include "controller/model/step_cores.h"
#include "controller/steps/step_fit.h"
#include "controller/steps/step_shape.h"

#define UNITS_MAX 65536 /* cores of a node; slurm.conf takes fewer */

/* One node and what its job has of it: nothing else of a cluster is there. */
struct maker_job {
        struct node node;
        struct job_node alloc;
        struct job job;
        bool pack;
        uint32_t max_tasks_per_node;
};

static int check(const Slumber__StepMaker *m, struct fail *fail) {
        if (!m->launch || !m->credential || !m->settings || !m->hardware)
                return fail_set(fail, -EBADMSG,
                                "it has no launch, credential, settings or hardware");
        if (m->units == 0 || m->units > UNITS_MAX || m->cpus_per_unit == 0 || m->cpus == 0 ||
                        m->cpus_per_unit > UNITS_MAX ||
                        m->cpus > (uint64_t)m->units * m->cpus_per_unit)
                return fail_set(fail, -EBADMSG,
                                "%u CPUs of %u cores with %u each are no part of a node", m->cpus,
                                m->units, m->cpus_per_unit);
        return 0;
}

struct maker_job *maker_job_new(const Slumber__StepMaker *m, struct fail *fail) {
        const Slumber__Hardware *hw = m->hardware;

        if (check(m, fail) < 0)
                return NULL;
        struct maker_job *j = xnew0(struct maker_job, 1);
        j->pack = m->settings->pack;
        j->max_tasks_per_node = m->settings->max_tasks_per_node;
        j->node.name = m->credential->node;
        j->node.power = NODE_ON;
        j->node.base = NODE_IDLE;
        j->node.connected = true;
        j->node.units = m->units;
        j->node.cpus_per_unit = m->cpus_per_unit;
        j->node.features = m->features;
        j->node.configured = (struct node_hardware){ .cpus = hw->cpus,
                .boards = hw->boards,
                .sockets = hw->sockets,
                .cores = hw->cores,
                .threads = hw->threads,
                .tmp_disk = hw->tmp_disk };
        j->alloc = (struct job_node){ .node = &j->node, .cpus = m->cpus, .memory = m->memory };
        j->job.id = m->credential->job_id;
        j->job.restarts = m->credential->restarts;
        j->job.asked.features = *m->asked_features ? m->asked_features : NULL;
        j->job.asked.threads_per_core = m->threads_per_core;
        j->job.asked.ntasks_per_core = m->ntasks_per_core;
        j->job.needs.cpus_per_task = m->cpus_per_task;
        j->job.placed.alloc = &j->alloc;
        j->job.placed.n_alloc = 1;
        j->job.placed.units = bitset_new(m->units);
        if (bitset_parse(j->job.placed.units, m->credential->job_cores) < 0) {
                fail_set(fail, -EBADMSG, "cores \"%.64s\" are not those of a node with %u",
                                m->credential->job_cores, m->units);
                return maker_job_free(j);
        }
        return j;
}

struct maker_job *maker_job_free(struct maker_job *j) {
        if (!j)
                return NULL;
        while (j->job.running.n_steps)
                job_step_remove(&j->job, &j->job.running.steps[0]);
        free(j->job.running.steps);
        bitset_free(j->job.placed.units);
        free(j);
        return NULL;
}

enum slumber_error maker_job_fit(const struct maker_job *j, const Slumber__StepSpec *spec,
                const struct task_list *list, const struct maker_taker *others, size_t n,
                uint32_t *ret_tasks, struct fail *fail) {
        _cleanup_free_ struct step_taker *takers = xnew(struct step_taker, n + 1);
        const struct step_ask ask = {
                .spec = spec,
                .list = list,
                .others = takers,
                .n_others = n,
                .pack = j->pack,
                .max_tasks_per_node = j->max_tasks_per_node,
        };
        struct fit f = { 0 };

        for (size_t i = 0; i < n; i++)
                takers[i] = (struct step_taker){ others[i].spec, others[i].taken, 1 };
        enum slumber_error e = fit_in(&ask, &j->job, &f, fail);
        *ret_tasks = f.tasks;
        fit_done(&f);
        return e;
}

static struct step *add(struct maker_job *j, const Slumber__MadeStep *m) {
        struct step *s = job_step_add(&j->job);

        s->id = m->step_id;
        s->nodes = bitset_new(1);
        s->ended = bitset_new(1);
        s->launched = bitset_new(1);
        bitset_add(s->nodes, 0);
        s->n_tasks_on = 1;
        return s;
}

void maker_job_begin(struct maker_job *j, const Slumber__StepSpec *spec, uint32_t tasks,
                Slumber__MadeStep *m) {
        struct step *s = add(j, m);
        uint32_t cpus = step_cpus(&j->job, spec, 0, tasks);

        m->num_tasks = tasks;
        m->cpus = cpus;
        m->taken = spec->overlap ? 0 : cpus;
        m->mem_per_node = spec->mem_per_node;
        m->mem_per_cpu = spec->mem_per_cpu;
        if (!spec->exact)
                return;
        step_cores_deal(&j->job, s, &cpus, spec->socket_distribution == DISTRIBUTION_BLOCK);
        m->cores = bitset_text(s->cores[0]);
}

void maker_job_goes_on(struct maker_job *j, const Slumber__MadeStep *m) {
        struct step *s = add(j, m);
        struct bitset *cores = bitset_new(j->node.units);

        if (*m->cores && bitset_parse(cores, m->cores) >= 0) {
                s->cores = xnew(struct bitset *, 1);
                s->cores[0] = TAKE(cores);
        }
        bitset_free(cores);
}

void maker_job_end(struct maker_job *j, uint32_t step) {
        struct step *s = job_step_find(&j->job, step);

        if (s)
                job_step_remove(&j->job, s);
}

uint64_t maker_job_memory(const struct maker_job *j, const Slumber__StepSpec *spec,
                uint32_t taken) {
        const struct step_taker t = { .spec = spec, .cpus = &taken, .n_nodes = 1 };

        return step_memory(&j->job, &t, 0);
}
