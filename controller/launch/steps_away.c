/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of srun while their command, a node or the controller is away.
 *
 * The command's connection may break (at this controller, or at the agent that relays it) while the
 * step keeps running. r->to is then empty until the command repeats its request (StepRequest.again,
 * run_attach()) or its time is up (orphan_due of the pure rooms). Meanwhile ends reported by agents
 * are kept and not acknowledged, so that another restart loses none. Data are dropped, because both
 * ends of a stream keep them (docs/protocol.md, StepIo). After a restart runs_restore() makes the
 * runs from the jobs, without commands. */
#include "controller/launch/run.h"
#include "controller/launch/run_span.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/step_end.h"
#include "controller/launch/step_requests.h"
#include "controller/launch/steps.h"
#include "controller/loop/caller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "lib/log.h"
#include "lib/process.h"

#include <signal.h>

/* ---- ends reported while the command is away ---- */

void run_keep_end(struct run *r, size_t at, const Slumber__StepEnded *m) {
        Slumber__StepEnded *end = wire_copy(&m->base);

        if (!r->ends)
                r->ends = xnew0(Slumber__StepEnded *, r->n_nodes);
        if (r->ends[at])
                slumber__step_ended__free_unpacked(r->ends[at], NULL);
        r->ends[at] = end;
}

/* Handles the kept ends: the command is back, or will never come back. */
static void take_ends(struct controller *ctl, uint32_t job, uint32_t step) {
        struct run *r = run_find(ctl, job, step);
        const struct job *j = cluster_job(ctl->cluster, job);

        for (size_t i = 0; j && r && r->ends && i < r->n_nodes; i++, r = run_find(ctl, job, step)) {
                Slumber__StepEnded *m = TAKE(r->ends[i]);
                if (!m)
                        continue;
                (void)run_step_ended(ctl, j->placed.alloc[i].node, m);
                step_end_ack(ctl, j->placed.alloc[i].node, m);
                slumber__step_ended__free_unpacked(m, NULL);
        }
}

/* ---- commands ---- */

/* Tells the nodes that nobody reads the tasks' output, so that step daemons need not wait for
   readers. */
static void step_output_drop(struct controller *ctl, const struct run *r, const struct job *j,
                const struct step *s) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = r->job;
        io.step_id = r->step;
        io.rank = RANK_ALL;
        io.stream = 1;
        io.eof = true;
        ENVELOPE(env, STEP_IO, step_io, &io);
        bitset_for_each(at, s->nodes)
                if (!bitset_has(s->ended, at))
                        (void)agent_send(ctl, j->placed.alloc[at].node, &env);
}

static void end_tasks(struct controller *ctl, const struct run *r, struct job *j,
                const struct step *s) {
        step_output_drop(ctl, r, j, s);
        (void)job_signal(ctl->cluster, j, SIGKILL, r->step, false, true);
        controller_changed(ctl);
}

static void run_abandon(struct controller *ctl, struct run *r) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct step *s = j ? job_step_find(j, r->step) : NULL;

        address_done(&r->to);
        r->abandoned = true;
        if (r->over || !s || job_is_finished(j)) {
                if (s && !r->over)
                        step_output_drop(ctl, r, j, s);
                run_end(ctl, r);
                controller_changed(ctl);
                return;
        }
        s->orphan_due = 0;
        uint32_t job = r->job, step = r->step;
        end_tasks(ctl, r, j, s);
        take_ends(ctl, job, step);
        r = run_find(ctl, job, step);
        if (r)
                run_end_unsent(ctl, r, j);
}

void run_orphaned(struct controller *ctl, uint32_t job, uint32_t step) {
        struct run *r = run_find(ctl, job, step);

        if (r && !r->to.peer)
                run_abandon(ctl, r);
}

void runs_client_gone(struct controller *ctl, const struct address *caller, bool for_good) {
        struct address gone = *caller;

        for (size_t i = ctl->n_runs; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                if (!address_same(&r->to, &gone))
                        continue;
                struct job *j = cluster_job(ctl->cluster, r->job);
                struct step *s = r->started && j ? job_step_find(j, r->step) : NULL;
                if (!s) {
                        run_remove(ctl, r);
                } else if (for_good) {
                        run_abandon(ctl, r);
                } else {
                        address_done(&r->to);
                        job_step_holder_lost(ctl->cluster, j, s, controller_now(ctl));
                        controller_changed(ctl);
                }
        }
}

void runs_command_dead(struct controller *ctl, uint64_t token, uid_t uid) {
        for (size_t i = ctl->n_runs; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                if (!token || r->spec->token != token)
                        continue;
                const struct job *j = cluster_job(ctl->cluster, r->job);
                if (!j || (uid != 0 && j->uid != uid))
                        continue;
                if (r->started)
                        run_abandon(ctl, r);
                else
                        run_remove(ctl, r);
        }
}

bool runs_look_for_commands(struct controller *ctl) {
        bool away = false;

        for (size_t i = ctl->n_runs; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                const struct job *j = cluster_job(ctl->cluster, r->job);
                const struct step *s = j && r->started ? job_step_find(j, r->step) : NULL;
                if (!s || !s->orphan_due || !s->command.pid)
                        continue;
                away = true;
                if (!process_is_gone(&s->command, ctl->process_space))
                        continue;
                log_fields(LOG_INFO, 0, j->id, NULL, "StepId=%u.%u: its srun is gone", j->id,
                                s->id);
                run_abandon(ctl, r);
        }
        return away;
}

/* Launches a held step, whose SrunProlog has succeeded, once this is stored. */
static void held_step_release(struct controller *ctl, struct run *r, struct job *j,
                struct step *s) {
        s->held = r->stored = false;
        cluster_job_changed(ctl->cluster, j);
        struct effect *fx = effects_add(&ctl->cluster->effects, FX_LAUNCH_STEP);
        fx->job = j->id;
        fx->step = s->id;
}

/* Returns the part of a request for this step; NULL: the request is about other components. */
static const Slumber__StepSpec *spec_asked(const struct job *j, const struct step *s,
                const Slumber__StepRequest *m) {
        for (size_t i = 0; s->span && i < MIN(m->n_components, m->n_parts + 1); i++)
                if (m->components[i] == j->het_offset)
                        return i ? m->parts[i - 1] : m->spec;
        return s->span ? NULL : m->spec;
}

/* Takes the specification from a repeated request if nodes still have to be launched: after a
   restart the controller has only part of it. */
static void take_texts(struct controller *ctl, struct run *r, const struct job *j,
                const struct step *s, const Slumber__StepRequest *m) {
        const Slumber__StepSpec *own = spec_asked(j, s, m);
        Slumber__StepRequest part = *m;

        if (r->texts || bitset_equal(s->launched, s->nodes) || !own)
                return;
        if (s->span) {
                part.spec = (Slumber__StepSpec *)(uintptr_t)own;
                part.n_parts = part.n_components = 0;
        }
        if (part.n_parts != r->n_more)
                return;
        run_take_request(ctl, r, &part);
        r->spec->num_tasks = s->num_tasks;
}

/* Makes the caller the command of the run. Returns true if the step was held and will be
   launched once stored. */
static bool take_command(struct controller *ctl, struct run *r, const struct caller *caller,
                const Slumber__StepRequest *m) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct step *s = r->started && j ? job_step_find(j, r->step) : NULL;

        address_done(&r->to);
        r->to = address_copy(&caller->from);
        r->with_job = false; /* the command knows about the job */
        peer_streams(r->to.peer);
        if (!s)
                return false;
        s->orphan_due = 0;
        if (address_process(&r->to, &s->command))
                cluster_job_changed(ctl->cluster, j);
        bool begins = s->held && m->go;
        if (begins)
                held_step_release(ctl, r, j, s);
        else
                log_fields(LOG_INFO, 0, j->id, NULL, "StepId=%u.%u: its srun is back", j->id,
                                s->id);
        take_texts(ctl, r, j, s, m);
        return begins;
}

static void tell_nodes_back(const struct controller *ctl, const struct run *r) {
        const struct job *j = cluster_job(ctl->cluster, r->job);
        const struct step *s = j ? job_step_find(j, r->step) : NULL;

        if (!s)
                return;
        bitset_for_each(at, s->nodes)
                if (!bitset_has(s->ended, at) && !bitset_has(r->missing, at) &&
                                ctl->agents[j->placed.alloc[at].node->index])
                        run_notice(r, SLUMBER__STEP_NOTICE__KIND__NODE_BACK,
                                        j->placed.alloc[at].node->name, 0, NULL);
}

/* Launches and ends what was missed, for all runs of the step of r. By job ids, because runs may
   be removed. */
static void runs_catch_up(struct controller *ctl, const struct run *r, bool begins) {
        _cleanup_free_ uint32_t *jobs = xnew(uint32_t, ctl->n_runs);
        uint32_t step = r->step;
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_runs; i++)
                if (run_is_with(r, ctl->runs[i]))
                        jobs[n++] = ctl->runs[i]->job;
        for (size_t i = 0; i < n; i++) {
                if (!begins)
                        run_launch(ctl, jobs[i], step);
                take_ends(ctl, jobs[i], step);
        }
}

static void run_attach_command(struct controller *ctl, struct run *r, const struct caller *caller,
                const Slumber__StepRequest *m) {
        const struct job *j = cluster_job(ctl->cluster, r->job);
        const struct step *s = r->started && j ? job_step_find(j, r->step) : NULL;
        bool begins = false;

        for (size_t i = 0; i < ctl->n_runs; i++)
                if (run_is_with(r, ctl->runs[i]))
                        begins |= take_command(ctl, ctl->runs[i], caller, m);
        if (!s) { /* still waiting */
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__WAITS, NULL, r->waits_for, NULL);
                return;
        }
        run_reply(ctl, r);
        run_tell_whether_suspended(r, j);
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (run_is_with(r, ctl->runs[i]))
                        tell_nodes_back(ctl, ctl->runs[i]);
        if (r->over)
                run_tell_ended(ctl, r, NULL, s->exit_code);
        runs_catch_up(ctl, r, begins);
        controller_changed(ctl);
}

bool run_attach(struct controller *ctl, const struct caller *caller,
                const Slumber__StepRequest *m) {
        for (size_t i = 0; i < ctl->n_runs && m->spec->token; i++) {
                struct run *r = ctl->runs[i];
                if (run_known_job(r) == m->job_id && r->spec->token == m->spec->token &&
                                !r->abandoned) {
                        run_attach_command(ctl, r, caller, m);
                        return true;
                }
        }
        if (m->step)
                reply_result(ctl, &caller->from, SLUMBER_BAD_STEP_ID, NULL);
        return m->step != NULL;
}

/* ---- nodes ---- */

static struct step *step_on(struct controller *ctl, const struct run *r, const struct node *n,
                struct job **ret_job, size_t *ret_at) {
        struct job *j = r->started && !r->over ? cluster_job(ctl->cluster, r->job) : NULL;
        const struct job_node *jn = j && !j->completing ? job_node_find(j, n) : NULL;
        struct step *s = jn ? job_step_find(j, r->step) : NULL;

        if (!s || !bitset_has(s->nodes, (size_t)(jn - j->placed.alloc)) ||
                        bitset_has(s->ended, (size_t)(jn - j->placed.alloc)))
                return NULL;
        *ret_job = j;
        *ret_at = (size_t)(jn - j->placed.alloc);
        return s;
}

/* Handles a node that does not have the step: a launched step is lost; a launch that never
   arrived is repeated, unless the command has gone for good. */
static void run_missing_on(struct controller *ctl, struct run *r, struct job *j, struct step *s,
                size_t at) {
        if (bitset_has(s->launched, at) || r->abandoned) {
                run_node_ended(ctl, r, j->placed.alloc[at].node, 1 << 8, NULL);
                return;
        }
        bitset_add(r->missing, at);
        r->late = true;
        j->placed.alloc[at].used = true;
        cluster_job_changed(ctl->cluster, j);
        run_launch(ctl, r->job, r->step);
}

static bool register_has_step(const Slumber__Register *m, const struct job *j, uint32_t step) {
        for (size_t i = 0; i < m->n_jobs; i++)
                for (size_t k = 0; k < m->jobs[i]->n_steps; k++)
                        if (m->jobs[i]->job_id == j->id && m->jobs[i]->restarts == j->restarts &&
                                        m->jobs[i]->steps[k] == step)
                                return true;
        return false;
}

/* Messages in transit on the previous connection are lost. */
void runs_node_back(struct controller *ctl, struct node *n, const Slumber__Register *m) {
        struct job *j;
        size_t at;

        for (size_t i = n->n_jobs ? ctl->n_runs : 0; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                struct step *s = step_on(ctl, r, n, &j, &at);

                if (!s)
                        continue;
                if (!register_has_step(m, j, r->step)) {
                        run_missing_on(ctl, r, j, s, at);
                        continue;
                }
                bitset_add(s->launched, at);
                bitset_del(r->missing, at);
                s->held = false; /* the node has the step, so srun has released it */
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__NODE_BACK, n->name, 0, NULL);
                run_tell_started(ctl, r, s, n); /* the LaunchResult was lost */
                if (r->abandoned)
                        end_tasks(ctl, r, j, s);
        }
        /* Other steps may have waited for the node */
        for (size_t i = ctl->n_runs ? n->n_jobs : 0; i-- > 0; i = MIN(i, n->n_jobs))
                runs_retry(ctl, n->jobs[i]->id);
}

void run_node_lost(struct controller *ctl, struct node *n, uint32_t job) {
        struct job *j;
        size_t at;

        for (size_t i = ctl->n_runs; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                struct step *s = r->job == job ? step_on(ctl, r, n, &j, &at) : NULL;

                /* The effect of the loss waits for its commit, but runs_node_back() does not: a
                   step launched there now was launched since */
                if (s && !bitset_has(s->launched, at))
                        run_missing_on(ctl, r, j, s, at);
        }
}

/* Returns the wait status of a step on a lost node. With --no-kill the lost node does not count,
   as in Slurm, unless the step has lost all its nodes. */
static uint32_t status_of_lost(const struct job *j, const struct step *s) {
        bool others = false;

        bitset_for_each(at, s->nodes)
                others |= !j->placed.alloc[at].done;
        return s->no_kill && others ? 0 : SIGKILL;
}

void run_node_failed(struct controller *ctl, struct node *n, uint32_t job) {
        struct job *j;
        size_t at;

        for (size_t i = ctl->n_runs; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                const struct step *s = r->job == job ? step_on(ctl, r, n, &j, &at) : NULL;
                if (!s)
                        continue;
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__NODE_FAILED, n->name, 0, NULL);
                if (!s->no_kill)
                        span_kill(ctl, r, SIGKILL);
                run_node_ended(ctl, r, n, status_of_lost(j, s), NULL);
        }
        note(ctl->cluster, FACT_NODE_LOST); /* even if no step was there */
        controller_changed(ctl);
}

/* ---- a restart ---- */

/* Returns the specification of a step or component as far as the job's record has it. */
static Slumber__StepSpec spec_of(const struct step *s) {
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;

        spec.num_tasks = s->num_tasks;
        spec.cyclic = s->cyclic;
        spec.plane = s->plane;
        spec.kill_on_bad_exit = s->kill_on_bad_exit;
        spec.token = s->token;
        spec.mem_per_node = s->mem_per_node;
        spec.mem_per_cpu = s->mem_per_cpu;
        return spec;
}

static void take_known(struct run *r, const struct step *s) {
        _cleanup_free_ Slumber__StepSpec *specs = xnew(Slumber__StepSpec, s->n_parts + 1),
                                         **list = xnew(Slumber__StepSpec *, s->n_parts + 1);
        Slumber__StepSpec first = spec_of(s);

        if (s->n_parts) { /* the first component's, not the whole step's */
                first.mem_per_node = s->parts[0].mem_per_node;
                first.mem_per_cpu = s->parts[0].mem_per_cpu;
        }
        run_take_spec(r, &first);
        for (size_t i = 1; i < s->n_parts; i++) {
                specs[i] = spec_of(&s->parts[i]);
                list[i - 1] = &specs[i];
        }
        if (s->n_parts)
                run_take_parts(r, list, s->n_parts - 1, NULL);
        run_forget_texts(r);
}

void runs_restore(struct controller *ctl, struct job *j, usec_t now) {
        for (size_t i = 0; i < j->running.n_steps && !j->completing && !job_is_finished(j); i++) {
                struct step *s = &j->running.steps[i];
                /* these steps have no command */
                if (s->id == STEP_EXTERN || job_step_is_home(j, s->id))
                        continue;
                struct run *r = xnew0(struct run, 1);
                size_t k = 0;

                take_known(r, s);
                r->job = j->id;
                r->span = s->span ? s->span->job : 0;
                r->step = s->id;
                r->uid = j->uid;
                r->started = r->stored = true;
                r->over = job_step_is_over(s);
                r->n_nodes = j->placed.n_alloc;
                r->cpus = xnew0(uint32_t, j->placed.n_alloc);
                bitset_for_each(at, s->nodes)
                        r->cpus[at] = r->over ? 0 : s->taken[k++];
                r->n_launches = s->n_tasks_on;
                r->count = xnew(uint32_t, s->n_tasks_on);
                memcpy(r->count, s->tasks, s->n_tasks_on * sizeof s->tasks[0]);
                if (s->place) {
                        r->place = xnew(uint32_t, s->num_tasks);
                        memcpy(r->place, s->place, s->num_tasks * sizeof r->place[0]);
                }
                r->told = bitset_new(s->num_tasks);
                r->missing = s->held && !r->over ? bitset_copy(s->nodes)
                                                 : bitset_new(j->placed.n_alloc);
                r->worst = s->exit_code;
                job_step_holder_lost(ctl->cluster, j, s, now);
                GROW(ctl->runs, ctl->a_runs, ctl->n_runs);
                ctl->runs[ctl->n_runs++] = r;
        }
}
