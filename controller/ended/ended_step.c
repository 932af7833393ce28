/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/ended/ended_step.h"

#include "controller/indexes/array.h"
#include "controller/indexes/changed.h"
#include "controller/model/het.h"
#include "controller/model/tres.h"

static bool ended_step_is_kept(const struct cluster *c) {
        return c->keeps_steps && !(c->config->enforce & ENFORCE_NO_STEPS);
}

/* True if the step was ended because the job (--no-kill) lost nodes of the step (NULL: no nodes).
   A step with --no-kill is only ended when all nodes of the step are lost. */
static bool has_lost(const struct job *j, const struct bitset *nodes, bool no_kill) {
        bool some = false, all = true;

        if (!nodes || !j->running.lost_nodes)
                return false;
        bitset_for_each(at, nodes) {
                some |= j->placed.alloc[at].done;
                all &= j->placed.alloc[at].done;
        }
        return no_kill ? all : some;
}

/* A step ended by a signal together with its job, or because of a lost node, is CANCELLED whatever
   its exit code. */
static const char *ended_step_state(const struct job *j, const struct bitset *nodes, bool no_kill,
                uint32_t status, bool told, bool out_of_memory) {
        bool stopped = status & 0x7f &&
                       (j->completing || job_is_finished(j) || has_lost(j, nodes, no_kill));

        return job_state_text(out_of_memory      ? JOB_OUT_OF_MEMORY
                              : !told || stopped ? JOB_CANCELLED
                              : status           ? JOB_FAILED
                                                 : JOB_COMPLETED);
}

/* Adds nodes and TRES for the nodes at places (indexes in j->placed.alloc). */
static void ended_step_put_places(struct ended_step *e, const struct cluster *c,
                const struct job *j, const struct bitset *places, uint32_t cpus) {
        _cleanup_free_ const char **names = xnew(const char *, j->placed.n_alloc);
        struct tres_set set;
        size_t n = 0;

        tres_clear(&set);
        set.of[TRES_CPU] = cpus;
        set.of[TRES_MEM] = 0;
        bitset_for_each(i, places) {
                names[n++] = j->placed.alloc[i].node->name;
                set.of[TRES_MEM] += j->placed.alloc[i].memory;
        }
        set.of[TRES_NODE] = n;
        set.of[TRES_MEM] = set.of[TRES_MEM] ? set.of[TRES_MEM] : TRES_NONE;
        e->nodes = hostlist_compress(names, n);
        e->tres_alloc = tres_text(&c->acct.tres, &set);
        e->num_nodes = (int64_t)n;
        e->num_cpus = cpus;
}

/* ran: the job's run time at the start of the step. */
static void put_times(struct ended_step *e, const struct job *j, usec_t start, usec_t ran,
                usec_t now) {
        usec_t run = job_step_run_time(j, start, ran, now);

        e->time_submit = j->submit_time;
        e->time_start = start;
        e->time_end = now;
        e->time_suspended = now > start + run ? now - start - run : 0;
}

static struct ended_step *row_new(const struct job *j, uint32_t step, const char *name,
                const char *state, const char *cpu_freq) {
        struct ended_step *e = xnew0(struct ended_step, 1);

        e->name = xstrdup(strempty(name));
        e->state = xstrdup(state);
        e->cpu_freq = xstrdup(strempty(cpu_freq));
        e->job_id = j->id;
        e->array_job = j->array ? j->array->id : 0;
        e->array_task = j->array && !job_is_rest(j) ? (int64_t)j->array_task : -1;
        e->het_job = j->het ? j->het->id : 0;
        e->het_offset = j->het_offset;
        e->restarts = job_incarnation(j);
        e->uid = j->uid;
        e->step_id = step;
        return e;
}

static void put_measures(struct ended_step *e, const struct measures *m) {
        e->task_most = measures_text(m, MOST);
        e->task_most_node = measures_text(m, MOST_NODE);
        e->task_most_rank = measures_text(m, MOST_TASK);
        e->task_least = measures_text(m, LEAST);
        e->task_least_node = measures_text(m, LEAST_NODE);
        e->task_least_rank = measures_text(m, LEAST_TASK);
        e->task_sum = measures_text(m, SUM);
}

static void ended_step_emit(struct cluster *c, const struct job *j, struct ended_step *e) {
        struct effect *fx = effects_add(&c->effects, FX_STEP_ROW);

        fx->job = j->id;
        fx->ended_step = e;
}

/* s: the whole step, or a component. */
static void tell_step(struct cluster *c, struct job *j, const struct step *whole,
                const struct step *s, usec_t now) {
        bool told = job_step_is_over(s);
        usec_t end = told && s->ended_at ? MIN(now, MAX(s->ended_at, s->start_time)) : now;

        bool timed_out = whole->timed_out && !whole->cancelled_by && s->exit_code &&
                         !s->out_of_memory;
        struct ended_step *e = row_new(j, s->id, s->name,
                        timed_out ? job_state_text(JOB_TIMEOUT)
                                  : ended_step_state(j, s->nodes, whole->no_kill, s->exit_code,
                                                    told, s->out_of_memory),
                        s->cpu_freq);
        /* sacct's form; rows of jobs have a column for the user */
        if (whole->cancelled_by && s->exit_code && !s->out_of_memory) {
                free(e->state);
                e->state = xasprintf("CANCELLED by %u", whole->cancelled_by - 1);
        }
        ended_step_put_places(e, c, j, s->nodes, s->cpus);
        put_times(e, j, s->start_time, s->ran_before, end);
        e->max_rss_node = xstrdup(strempty(s->most_rss_on));
        e->submit_line = xstrdup(strempty(s->submit_line));
        e->container = xstrdup(strempty(s->container));
        e->num_tasks = s->num_tasks;
        e->part = s->part;
        e->exit_code = s->exit_code;
        e->user_cpu = (int64_t)s->user_cpu;
        e->system_cpu = (int64_t)s->system_cpu;
        e->max_rss = (int64_t)s->most_rss;
        e->sum_rss = (int64_t)s->sum_rss;
        e->consumed_energy = (int64_t)(energy_of_step(j, s, end) / 1000);
        put_measures(e, &s->measures);
        ended_step_emit(c, j, e);
}

void step_is_over(struct cluster *c, struct job *j, struct step *s, usec_t now) {
        if (!ended_step_is_kept(c) || s->told)
                return;
        s->told = true;
        for (size_t i = 0; i < s->n_parts; i++)
                tell_step(c, j, s, &s->parts[i], now);
        if (!s->n_parts)
                tell_step(c, j, s, s, now);
}

void batch_is_over(struct cluster *c, struct job *j, uint32_t status, const struct step_use *use,
                usec_t now) {
        if (!ended_step_is_kept(c) || j->accounting.batch_told || !job_has_script(j) ||
                        j->placed.n_alloc == 0)
                return;
        _cleanup_(bitset_freep) struct bitset *first = bitset_new(j->placed.n_alloc);
        uint64_t energy = energy_of_batch(j, now);
        j->accounting.batch_told = true;
        bitset_add(first, j->placed.batch_at);
        struct ended_step *e = row_new(j, STEP_BATCH, "batch",
                        ended_step_state(j, NULL, false, status, use, use && use->out_of_memory),
                        NULL);
        ended_step_put_places(e, c, j, first, j->placed.alloc[j->placed.batch_at].cpus);
        put_times(e, j, j->running.start_time, 0,
                        use && use->ended ? MIN(now, MAX(use->ended, j->running.start_time)) : now);
        e->max_rss_node = xstrdup(use ? j->placed.alloc[j->placed.batch_at].node->name : "");
        e->submit_line = xstrdup("");
        e->container = xstrdup(strempty(j->asked.container));
        e->num_tasks = 1;
        e->exit_code = status;
        e->consumed_energy = (int64_t)(energy / 1000);
        _cleanup_(measures_done) struct measures measures = { 0 };
        if (use) {
                measures_merge(&measures, &use->measures,
                                j->placed.alloc[j->placed.batch_at].node->name);
                e->user_cpu = (int64_t)use->user_cpu;
                e->system_cpu = (int64_t)use->system_cpu;
                e->max_rss = e->sum_rss = (int64_t)use->rss;
        }
        put_measures(e, &measures);
        ended_step_emit(c, j, e);
        cluster_job_changed(c, j);
}

void steps_are_over(struct cluster *c, struct job *j, usec_t now) {
        for (size_t i = 0; i < j->running.n_steps; i++)
                step_is_over(c, j, &j->running.steps[i], now);
        if (j->running.launched || j->running.launch_sent)
                batch_is_over(c, j, 0, NULL, now);
}
