/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of srun from launch to end.
 *
 * The controller relays streams between agents and the command. A step ends when its last node
 * reports the end. step_requests.c handles the start of steps, steps_away.c the absence of a step's
 * command or node. */
#include "controller/launch/steps.h"

#include "controller/ended/ended_step.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/launch.h"
#include "controller/launch/run.h"
#include "controller/launch/run_span.h"
#include "controller/launch/step_end.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/step_requests.h"
#include "controller/launch/x11.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/tree.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/abilities.h"
#include "controller/model/layout.h"
#include "controller/steps/step_shape.h"
#include "controller/steps/step_span.h"
#include "lib/log.h"
#include "lib/step/tasklist.h"

#include <signal.h>

/* Well below the limit at which the agent's connection would be closed */
#define AGENT_BACKLOG_MAX ((size_t)128 << 20)

/* ---- the list ---- */

struct run *run_find(const struct controller *ctl, uint32_t job, uint32_t step) {
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->started && ctl->runs[i]->job == job && ctl->runs[i]->step == step)
                        return ctl->runs[i];
        return NULL;
}

void run_forget_parts(struct run *r) {
        for (size_t i = 0; i < r->n_more; i++)
                slumber__step_spec__free_unpacked(r->more[i], NULL);
        free(TAKE(r->more));
        r->n_more = 0;
}

void run_forget_lists(struct run *r) {
        for (size_t i = 0; i < r->n_lists; i++)
                task_list_free(r->lists[i]);
        free(TAKE(r->lists));
        r->n_lists = 0;
}

static void step_run_free(struct run *r) {
        sd_event_source_disable_unref(r->silence);
        address_done(&r->to);
        slumber__step_spec__free_unpacked(r->spec, NULL);
        free(r->components);
        run_forget_parts(r);
        run_forget_request(r);
        for (size_t i = 0; r->ends && i < r->n_nodes; i++)
                if (r->ends[i])
                        slumber__step_ended__free_unpacked(r->ends[i], NULL);
        free(r->ends);
        bitset_free(r->missing);
        free(r->cpus);
        free(r->count);
        free(r->place);
        run_forget_lists(r);
        bitset_free(r->told);
        free(r->launcher);
        free(r);
}

/* Acknowledges the ends that agents have reported and still keep. */
static void acknowledge_ends(struct controller *ctl, const struct run *r) {
        const struct job *j = cluster_job(ctl->cluster, r->job);

        for (size_t i = 0; r->ends && j && i < MIN(r->n_nodes, j->placed.n_alloc); i++)
                if (r->ends[i])
                        step_end_ack(ctl, j->placed.alloc[i].node, r->ends[i]);
}

void run_remove(struct controller *ctl, struct run *r) {
        acknowledge_ends(ctl, r);
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i] == r) {
                        /* The order is kept: the first request starts first */
                        memmove(&ctl->runs[i], &ctl->runs[i + 1],
                                        (ctl->n_runs - i - 1) * sizeof ctl->runs[0]);
                        ctl->n_runs--;
                        break;
                }
        step_run_free(r);
}

void runs_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_runs; i++)
                step_run_free(ctl->runs[i]);
        free(TAKE(ctl->runs));
        ctl->n_runs = ctl->a_runs = 0;
}

/* Sends a notice: a message with no request to answer. */
static void run_send_notice(const struct run *r, Envelope *env) {
        struct address to = { r->to.peer, r->to.client, 0 };

        reply_now(&to, env);
}

void run_notice(const struct run *r, Slumber__StepNotice__Kind kind, const char *node,
                uint32_t exit_code, const char *text) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = run_known_job(r);
        m.step_id = r->step;
        m.kind = kind;
        m.node = (char *)(uintptr_t)(node ? node : "");
        m.exit_code = exit_code;
        m.text = (char *)(uintptr_t)(text ? text : "");
        ENVELOPE(env, STEP_NOTICE, step_notice, &m);
        run_send_notice(r, &env);
}

/* Tells the command the process ids of the tasks on a node. */
static void tell_processes(const struct run *r, const struct node *n,
                const Slumber__LaunchResult *result) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = run_known_job(r);
        m.step_id = r->step;
        m.kind = SLUMBER__STEP_NOTICE__KIND__PROCESSES;
        m.node = n->name;
        m.processes = result->processes;
        m.n_processes = result->n_processes;
        ENVELOPE(env, STEP_NOTICE, step_notice, &m);
        run_send_notice(r, &env);
}

/* ---- launches ---- */

Slumber__StepSpec *run_spec(const struct run *r, size_t part) {
        return part ? r->more[part - 1] : r->spec;
}

struct step_taker run_taker(const struct run *r, const struct step *s, size_t part) {
        return (struct step_taker){
                .spec = run_spec(r, part),
                .cpus = r->cpus,
                .nodes = part < s->n_parts ? s->parts[part].nodes : NULL,
                .n_nodes = r->n_nodes,
        };
}

uint32_t *run_ranks(const struct run *r) {
        if (r->place)
                return layout_ranks_at(r->place, r->spec->num_tasks, r->count, r->n_launches);
        return layout_ranks(r->count, r->n_launches, r->spec->cyclic ? 1 : r->spec->plane);
}

/* Frees the environments, which are large, once the step runs on all nodes. */
void run_forget_texts(struct run *r) {
        r->texts = false;
        for (size_t part = 0; part <= r->n_more; part++) {
                Slumber__StepSpec *s = run_spec(r, part);
                texts_free(TAKE(s->environment), s->n_environment);
                s->n_environment = 0;
        }
        r->size = 0;
}

/* Ends the step on a node after a failure in the controller: the agent knows no step. */
static void step_launch_failed(struct controller *ctl, struct run *r, const struct launch *l) {
        struct node *n = l->at->node;
        unsigned lacks = launch_lacks(ctl, l);
        _cleanup_free_ char *why = lacks ? abilities_lack_text(n, lacks) : NULL;

        if (why)
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__LAUNCH_FAILED, n->name, 0, why);
        run_node_ended(ctl, r, n, 1 << 8, NULL);
}

/* Launches l on each position of `where` that belongs to the component (part) and still misses
   the step; sets l's node and tasks. Nodes with an absent agent get the launch when the agent is
   back. Where the launch fails, the step ends; other steps may then start and the job's array of
   steps may move. Returns false if the step is gone. ranks: of all tasks, ordered by node. */
static bool send_launches(struct controller *ctl, struct run *r, struct launch *l,
                const struct bitset *where, const struct bitset *part, const uint32_t *ranks) {
        const struct job *j = l->job;
        uint32_t job = j->id, i = 0;

        bitset_for_each(at, where) {
                const struct step_taker taker = { .spec = l->spec,
                        .cpus = r->cpus,
                        .n_nodes = r->n_nodes };
                uint32_t rank = i++;
                const uint32_t *first = ranks;
                ranks += r->count[rank];
                if (!bitset_has(part, at) || !bitset_has(r->missing, at))
                        continue;
                l->at = &j->placed.alloc[at];
                l->node_rank = l->first_node + rank;
                l->cpus = step_cpus(j, l->spec, at, r->count[rank]);
                l->memory = step_memory(j, &taker, at);
                l->ranks = first;
                l->n_ranks = r->count[rank];
                int e = launch_send(ctl, l);
                if (e >= 0)
                        bitset_del(r->missing, at);
                else if (e != -ENOTCONN)
                        step_launch_failed(ctl, r, l);
                if (!(r = run_find(ctl, job, l->step)))
                        return false;
        }
        return true;
}

/* Returns the nodes of component `part` (from 0), or all nodes of a step without components. */
static struct bitset *part_nodes(const struct step *s, size_t part) {
        return bitset_copy(part < s->n_parts ? s->parts[part].nodes : s->nodes);
}

/* Launches one component, whose nodes share a part of the message. */
static bool component_launch(struct controller *ctl, struct run *r, struct launch *l,
                const struct bitset *where, const struct bitset *part, const uint32_t *ranks) {
        _cleanup_(wire_tail_unrefp) struct wire_tail *common = l->common = launch_common(ctl, l);

        l->tree = launch_tree(ctl, l, bitset_count_and(r->missing, part));
        bool goes_on = send_launches(ctl, r, l, where, part, ranks);
        if (l->tree)
                tree_send(l->tree);
        return goes_on;
}

/* Tells the command that the job is suspended or resumed: srun does not count suspended time for
   --msg-timeout and --wait. */
static void tell_job(const struct run *r, Slumber__JobNotice__Kind kind) {
        Slumber__JobNotice m = SLUMBER__JOB_NOTICE__INIT;

        m.job_id = run_known_job(r);
        m.kind = kind;
        ENVELOPE(env, JOB_NOTICE, job_notice, &m);
        run_send_notice(r, &env);
}

void run_tell_whether_suspended(const struct run *r, const struct job *j) {
        tell_job(r, j->state == JOB_SUSPENDED ? SLUMBER__JOB_NOTICE__KIND__SUSPENDED
                                              : SLUMBER__JOB_NOTICE__KIND__RESUMED);
}

void runs_tell_job(const struct controller *ctl, uint32_t job, Slumber__JobNotice__Kind kind) {
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->job == job && ctl->runs[i]->started)
                        tell_job(ctl->runs[i], kind);
}

/* Launches the step on the nodes that miss it. A step not yet on disk is launched once stored, a
   held step at srun's request, a step of a suspended job when the job is resumed. */
void run_launch(struct controller *ctl, uint32_t job, uint32_t step) {
        struct job *j = cluster_job(ctl->cluster, job);
        struct run *r = run_find(ctl, job, step);
        const struct step *s = j ? job_step_find(j, step) : NULL;

        if (!s || !r || !r->stored || s->held || j->completing || !r->texts ||
                        bitset_empty(r->missing))
                return;
        if (j->state == JOB_SUSPENDED) {
                if (!r->late)
                        log_fields(LOG_INFO, 0, j->id, NULL,
                                        "StepId=%u.%u is launched when its job goes on", j->id,
                                        step);
                r->late = true;
                tell_job(r, SLUMBER__JOB_NOTICE__KIND__SUSPENDED);
                return;
        }
        _cleanup_(bitset_freep) struct bitset *where = bitset_copy(s->nodes);
        _cleanup_(run_tasks_done) struct run_tasks all;
        run_tasks_fill(ctl, r, &all);
        const uint32_t *ranks = all.ranks + (s->span ? span_tasks_before(s->span) : 0);
        _cleanup_free_ char *tasks = layout_text(all.count, all.n),
                            *job_nodes = cluster_nodes_text(ctl->cluster, j->placed.nodes);
        _cleanup_free_ char *mapping = layout_mapping(all.ranks, all.count, all.n);
        _cleanup_free_ char *home = r->to.peer ? relay_address(r->to.peer) : NULL;
        struct launch l = {
                .job = j,
                .step = step,
                .process_mapping = mapping,
                .num_nodes = (uint32_t)all.n,
                .num_tasks = s->span ? s->span->num_tasks : s->num_tasks,
                .first_node = s->span ? s->span->first_node : 0,
                .tasks_per_node = tasks,
                .step_nodes = all.nodes,
                .job_nodes = job_nodes,
                .launcher = r->launcher,
                .home = home,
        };
        for (size_t part = 0; part <= r->n_more; part++) {
                _cleanup_(bitset_freep) struct bitset *its = part_nodes(s, part);
                l.spec = run_spec(r, part);
                if (!component_launch(ctl, r, &l, where, its, ranks) ||
                                !(s = job_step_find(j, step)))
                        return;
        }
}

void run_is_stored(struct controller *ctl, uint32_t job, uint32_t step) {
        struct run *r = run_find(ctl, job, step);

        if (!r)
                return;
        r->stored = true;
        run_launch(ctl, job, step);
}

/* ---- while a step runs ---- */

/* Returns whether a command ignores the credits, which bound its data in transit: one command
   must not cost a node its connection. */
static bool command_floods(const struct controller *ctl, const struct node *n,
                const Slumber__StepIo *m) {
        const struct peer *p = ctl->agents[n->index];

        return m->data.len > STEP_WINDOW ||
               (m->data.len && p && p->conn && conn_queued(p->conn) > AGENT_BACKLOG_MAX);
}

/* Sends input to the nodes where the step runs. */
static bool pass_io(struct controller *ctl, const struct run *r, const Slumber__StepIo *m) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct step *s = j ? job_step_find(j, r->step) : NULL;
        Slumber__StepIo copy = *m;

        if (!s)
                return true;
        copy.job_id = j->id;
        ENVELOPE(env, STEP_IO, step_io, &copy);
        bitset_for_each(at, s->nodes) {
                struct node *n = j->placed.alloc[at].node;
                if (bitset_has(s->ended, at) || (*m->node && !streq(m->node, n->name)))
                        continue;
                if (command_floods(ctl, n, m)) {
                        log_fields(LOG_WARNING, 0, j->id, n->name,
                                        "JobId=%u StepId=%u: input beyond its credit, ended", j->id,
                                        s->id);
                        span_kill(ctl, r, 0);
                        return false;
                }
                (void)agent_send(ctl, n, &env);
        }
        return true;
}

void handle_step_io(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__StepIo *m = env->step_io;

        if (m->step_id == STEP_EXTERN) {
                x11_client_io(ctl, caller, env);
                return;
        }
        const struct run *r = run_find_known(ctl, m->job_id, m->step_id);
        /* Late, or from another command */
        bool goes_on = r && address_same(&r->to, &caller->from);
        for (size_t i = 0; i < ctl->n_runs && goes_on; i++)
                if (run_is_with(r, ctl->runs[i]))
                        goes_on = pass_io(ctl, ctl->runs[i], m);
}

void run_step_io(struct controller *ctl, struct node *n, const Envelope *env) {
        Slumber__StepIo *m = env->step_io;

        if (m->step_id == STEP_EXTERN) {
                x11_node_io(ctl, n, env);
                return;
        }
        const struct run *r = run_find_on(ctl, m->job_id, m->step_id, n);

        if (!r)
                return; /* late, or no node of the step */
        ENVELOPE(copy, STEP_IO, step_io, m);
        run_send_notice(r, &copy);
}

/* A node with an ended step counts, too: the launch failed, or the end came before the launch's
   result */
bool step_launched(const struct step *s) {
        if (bitset_empty(s->ended))
                return bitset_equal(s->launched, s->nodes);
        _cleanup_(bitset_freep) struct bitset *done = bitset_copy(s->launched);
        bitset_or(done, s->ended);
        return bitset_equal(done, s->nodes);
}

void run_tell_started(struct controller *ctl, struct run *r, const struct step *s,
                const struct node *n) {
        if (!r->texts || !step_launched(s))
                return;
        if (span_launched(ctl, r))
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__STARTED, n->name, 0, NULL);
        run_forget_texts(r);
}

void run_launch_result(struct controller *ctl, struct node *n, const Slumber__LaunchResult *m) {
        struct run *r = run_find(ctl, m->job_id, m->step_id);
        struct job *j = r ? cluster_job(ctl->cluster, m->job_id) : NULL;
        struct job_node *jn = j ? job_node_find(j, n) : NULL;
        struct step *s = jn ? job_step_find(j, m->step_id) : NULL;

        if (!s)
                return;
        if (m->error && m->error->code != SLUMBER_OK && m->error->code != SLUMBER_NO_CHANGE) {
                bool prolog = m->error->code == SLUMBER_PROLOG_FAILED;
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__LAUNCH_FAILED, n->name, 0,
                                prolog ? slumber_error_text(SLUMBER_PROLOG_FAILED)
                                       : m->error->text);
                run_node_ended(ctl, r, n, prolog ? STATUS_PROLOG_FAILED : 1 << 8, NULL);
                return;
        }
        bitset_add(s->launched, (size_t)(jn - j->placed.alloc));
        job_freeze_launched(ctl->cluster, j, jn, controller_now(ctl));
        if (m->n_processes)
                tell_processes(r, n, m);
        if (r->late)
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__NODE_BACK, n->name, 0, NULL);
        /* Stored with the next change: no commit only for this */
        cluster_job_changed(ctl->cluster, j);
        if (j->state == JOB_SUSPENDED) /* the node has frozen the new step */
                controller_changed(ctl);
        run_tell_started(ctl, r, s, n);
}

/* The command has gone for good or knows the end. While the job is completing, the step stays
   with the job until its nodes have reported the usage. */
void run_end(struct controller *ctl, struct run *r) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct step *s = j ? job_step_find(j, r->step) : NULL;

        if (s && (!j->completing || job_step_is_over(s))) {
                step_is_over(ctl->cluster, j, s, controller_now(ctl));
                if (s->resv_ports && !job_step_is_over(s))
                        note(ctl->cluster, FACT_PORTS_FREED);
                job_step_remove(j, s);
                cluster_job_changed(ctl->cluster, j);
        }
        run_remove(ctl, r);
}

bool run_node_ended(struct controller *ctl, struct run *r, struct node *n, uint32_t status,
                const struct step_use *use) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct step *s = j ? job_step_find(j, r->step) : NULL;
        uint32_t job = r->job;

        if (!s)
                return false;
        if (!job_step_node_ended(ctl->cluster, j, s, n, status, use, controller_now(ctl))) {
                run_tell_started(ctl, r, s, n); /* the launch may have failed there */
                return false;
        }
        run_tell_ended(ctl, r, n, s->exit_code);
        r->worst = MAX(r->worst, s->exit_code);
        /* Kept until the command has gone, as the command may have missed the end */
        r->over = true;
        memset(r->cpus, 0, r->n_nodes * sizeof r->cpus[0]);
        if (r->abandoned)
                run_end(ctl, r);
        runs_retry(ctl, job);
        controller_changed_a_little(ctl);
        return true;
}

/* Returns whether the end of a task is new to the command: agents list all ended tasks in each
   report. */
static bool task_end_is_new(const struct run *r, uint32_t first, uint32_t rank) {
        return rank >= first && rank - first < r->told->bits && !bitset_has(r->told, rank - first);
}

/* Sends one notice for all ranks with an equal end. */
static void tell_exits(struct controller *ctl, struct run *r, struct node *n,
                const Slumber__StepEnded *m) {
        _cleanup_free_ uint32_t *ranks = xnew(uint32_t, m->n_tasks);
        const struct job *j = cluster_job(ctl->cluster, r->job);
        const struct step *s = j ? job_step_find(j, r->step) : NULL;
        uint32_t first = s && s->span ? s->span->first_task : 0;

        for (size_t i = 0; i < m->n_tasks; i++) {
                Slumber__StepNotice notice_m = SLUMBER__STEP_NOTICE__INIT;
                /* Searched once per status, not once per task */
                if (!task_end_is_new(r, first, m->tasks[i]->rank))
                        continue;
                for (size_t k = i; k < m->n_tasks; k++)
                        if (m->tasks[k]->status == m->tasks[i]->status &&
                                        m->tasks[k]->aborted == m->tasks[i]->aborted &&
                                        task_end_is_new(r, first, m->tasks[k]->rank)) {
                                bitset_add(r->told, m->tasks[k]->rank - first);
                                ranks[notice_m.n_ranks++] = m->tasks[k]->rank;
                        }
                notice_m.job_id = run_known_job(r);
                notice_m.step_id = r->step;
                notice_m.kind = SLUMBER__STEP_NOTICE__KIND__TASK_EXIT;
                notice_m.node = n->name;
                notice_m.ranks = ranks;
                notice_m.exit_code = m->tasks[i]->status;
                notice_m.aborted = m->tasks[i]->aborted;
                notice_m.text = (char *)(uintptr_t)(m->out_of_memory ? "Out Of Memory" : "");
                ENVELOPE(env, STEP_NOTICE, step_notice, &notice_m);
                run_send_notice(r, &env);
        }
}

/* Kills the step on all nodes if one of the tasks has aborted it (MPI_Abort). */
static void take_abort(struct controller *ctl, const struct run *r, struct job *j,
                const Slumber__StepEnded *m) {
        struct step *s = job_step_find(j, r->step);
        size_t i = 0;

        while (i < m->n_tasks && !m->tasks[i]->aborted)
                i++;
        if (i == m->n_tasks || !s || s->abort_status)
                return;
        span_kill(ctl, r, m->tasks[i]->status);
}

/* Notes the end of a step that has no command any more, in a completing job. */
static void note_left_step(struct controller *ctl, struct job *j, struct node *n,
                const Slumber__StepEnded *m) {
        struct step *s = j && m->last && j->completing && job_incarnation(j) == m->restarts
                                         ? job_step_find(j, m->step_id)
                                         : NULL;
        _cleanup_(step_use_done) struct step_use use = step_use_of(m);
        uint32_t worst = m->lost ? SIGKILL : 0;

        for (size_t i = 0; i < m->n_tasks; i++)
                worst = MAX(worst, m->tasks[i]->status);
        if (s)
                (void)job_step_node_ended(ctl->cluster, j, s, n, worst, m->lost ? NULL : &use,
                                controller_now(ctl));
}

bool run_step_ended(struct controller *ctl, struct node *n, const Slumber__StepEnded *m) {
        struct run *r = run_find(ctl, m->job_id, m->step_id);
        struct job *j = cluster_job(ctl->cluster, m->job_id);
        const struct job_node *jn = j ? job_node_find(j, n) : NULL;
        uint32_t worst = m->lost ? SIGKILL : 0;

        if (!r || !jn || r->over || job_incarnation(j) != m->restarts) {
                if (!r || !r->over)
                        note_left_step(ctl, j, n, m);
                return true;
        }
        for (size_t i = 0; i < m->n_tasks; i++)
                worst = MAX(worst, m->tasks[i]->status);
        take_abort(ctl, r, j, m);
        if (worst && r->spec->kill_on_bad_exit)
                span_terminate(ctl, r);
        /* A completing job's accounting record is written before a command could ask again */
        if (!r->to.peer && !r->abandoned && !j->completing) {
                if (m->last)
                        run_keep_end(r, (size_t)(jn - j->placed.alloc), m);
                return false;
        }
        tell_exits(ctl, r, n, m);
        if (m->lost && *m->text)
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__TASK_EXIT, n->name, SIGKILL, m->text);
        r->worst = MAX(r->worst, worst);
        _cleanup_(step_use_done) struct step_use use = step_use_of(m);
        if (m->last)
                run_node_ended(ctl, r, n, worst, m->lost ? NULL : &use);
        return true;
}

void run_end_unsent(struct controller *ctl, struct run *r, const struct job *j) {
        if (r->over || !j)
                return;
        for (size_t at = 0; at < MIN(r->missing->bits, j->placed.n_alloc); at++) {
                if (!bitset_has(r->missing, at))
                        continue;
                bitset_del(r->missing, at);
                if (run_node_ended(ctl, r, j->placed.alloc[at].node, r->worst ? r->worst : SIGKILL,
                                    NULL))
                        return;
        }
}

bool run_is_held(const struct controller *ctl, const struct run *r) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        const struct step *s = j ? job_step_find(j, r->step) : NULL;

        return s && s->held;
}

/* Ends the step on n if the launch has not been sent to n. Returns false if n has the step, or
   is no node of the step. */
static bool end_unsent_on(struct controller *ctl, struct run *r, const struct job *j,
                const struct node *n, bool ends) {
        size_t at = 0;

        while (j && at < j->placed.n_alloc && j->placed.alloc[at].node != n)
                at++;
        if (!j || r->over || at >= MIN(r->missing->bits, j->placed.n_alloc) ||
                        !bitset_has(r->missing, at))
                return false;
        if (ends) {
                bitset_del(r->missing, at);
                (void)run_node_ended(ctl, r, j->placed.alloc[at].node,
                                r->worst ? r->worst : SIGKILL, NULL);
        }
        return true;
}

bool run_signal_unsent(struct controller *ctl, const struct effect *fx) {
        struct run *r = run_find(ctl, fx->job, fx->step);
        const struct job *j = cluster_job(ctl->cluster, fx->job);
        bool ends = fx->terminate || signal_ends_processes(fx->signal);

        if (!r || !r->started)
                return false;
        if (!run_is_held(ctl, r))
                return end_unsent_on(ctl, r, j, fx->node, ends);
        if (ends)
                run_end_unsent(ctl, r, j);
        return true;
}

void runs_end_job(struct controller *ctl, uint32_t job) {
        for (size_t i = ctl->n_runs; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                if (!run_is_of(r, job))
                        continue;
                if (r->started) {
                        if (!r->abandoned)
                                run_end_unsent(ctl, r, cluster_job(ctl->cluster, job));
                        continue;
                }
                reply_result(ctl, &r->to, SLUMBER_JOB_ENDED, NULL);
                run_remove(ctl, r);
        }
}

void runs_settle(struct controller *ctl) {
        for (size_t i = ctl->n_runs; i-- > 0;) {
                struct run *r = ctl->runs[i];
                const struct job *j = cluster_job(ctl->cluster, r->job);
                if (!r->started || (j && job_is_active(j) && job_step_find(j, r->step)))
                        continue;
                if (!r->over)
                        run_tell_ended(ctl, r, NULL, r->worst ? r->worst : SIGKILL);
                run_remove(ctl, r);
        }
}

/* Renumbers the positions in r. All nodes of the step are in keep, or the step would be over. */
static void run_renumber(struct run *r, const struct bitset *keep) {
        struct bitset *missing = bitset_new(bitset_count(keep));
        size_t n = 0;

        bitset_for_each(at, keep) {
                r->cpus[n] = r->cpus[at];
                if (r->ends)
                        r->ends[n] = r->ends[at];
                bitset_put(missing, n++, bitset_has(r->missing, at));
        }
        bitset_free(r->missing);
        r->missing = missing;
        r->n_nodes = n;
}

void runs_renumber(struct controller *ctl, const struct job *j, const struct bitset *keep) {
        runs_settle(ctl); /* removes runs on the nodes given up */
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->started && ctl->runs[i]->job == j->id)
                        run_renumber(ctl->runs[i], keep);
        runs_retry(ctl, j->id);
}
