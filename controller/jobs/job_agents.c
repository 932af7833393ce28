/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of slumberd about jobs (launched, frozen, ended), the jobs that a registering slumberd
 * has, and the steps.
 *
 * job->state is the desired state, job_node.stopped the state confirmed by slumberd. Every freeze
 * and thaw has a serial; an answer with an older serial is ignored.
 *
 * A job is never left half frozen. Each request has a deadline, job_node.due. A freeze that fails
 * or gets no answer is undone on all nodes: the job resumes, and its preemptor looks for other
 * victims. The job may be chosen again after a pause, which grows with each failure, or as soon as
 * the failed node reports the job frozen (scontrol suspend, a late answer). A thaw is repeated
 * until it works, at growing intervals. Answers of a disconnected node are not waited for: a
 * registering slumberd reports all jobs. */
#include "controller/accounts/priority.h"
#include "controller/ended/ended_step.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/job_deadline.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/het.h"

/* Pause between two attempts, doubling. */
#define ASK_AGAIN_FIRST USEC_PER_SEC
#define ASK_AGAIN_LAST  (5 * 60 * USEC_PER_SEC)
/* Time during which a job is not chosen again after a failed freeze, doubling. */
#define STOP_AGAIN_FIRST (10 * USEC_PER_SEC)
#define STOP_AGAIN_LAST  (60 * USEC_PER_SEC)
/* The same after a node did not answer: each attempt would last as long as freeze_time_limit(). */
#define STOP_AGAIN_SILENT (5 * 60 * USEC_PER_SEC)

void job_set_due(struct cluster *c, struct job *j, struct job_node *jn, usec_t at) {
        jn->due = at;
        if (j->stopping.answers_due == 0 || at < j->stopping.answers_due)
                j->stopping.answers_due = at;
        cluster_job_rearm(c, j);
}

static void freeze_retry_later(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        usec_t pause = ASK_AGAIN_FIRST << MIN(j->stopping.asked_again, 16u);

        j->stopping.asked_again++;
        cluster_job_changed(c, j);
        job_set_due(c, j, jn, now + MIN(pause, ASK_AGAIN_LAST));
}

/* Returns how long slumberd may take to freeze or thaw a job. */
static usec_t freeze_time_limit(const struct cluster *c, bool freeze) {
        return c->config->site.freeze_timeout + ANSWER_MARGIN +
               (freeze ? c->config->preempt.suspend_grace : 0);
}

static void send_freeze(struct cluster *c, struct job *j, struct job_node *jn, bool freeze,
                usec_t now) {
        struct effect *fx = effects_add(&c->effects, freeze ? FX_FREEZE : FX_THAW);

        fx->job = j->id;
        fx->node = jn->node;
        fx->serial = jn->serial = c->next_serial++;
        jn->unanswered = true;
        jn->stopped = false; /* until slumberd has answered */
        jn->reclaiming = false;
        job_set_due(c, j, jn, now + freeze_time_limit(c, freeze));
}

static void freeze_all(struct cluster *c, struct job *j, bool freeze, usec_t now) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                if (jn->done)
                        continue;
                if (!jn->used) /* nothing of j runs there */
                        jn->stopped = freeze;
                else if (jn->stopped != freeze || jn->unanswered) /* unanswered: state unknown */
                        send_freeze(c, j, jn, freeze, now);
        }
}

bool job_is_stopped_everywhere(const struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done && !j->placed.alloc[i].stopped)
                        return false;
        return true;
}

void job_stop(struct cluster *c, struct job *j, bool by_user, usec_t now) {
        usec_t ran = job_run_time(j, now);
        int r = job_move(j, JOB_STOPPED, 0);

        assert(r >= 0);
        j->running.ran_before = ran;
        j->running.resumed_at = 0;
        energy_job_rests(c, j, now);
        j->running.suspend_time = now;
        j->stopping.suspended_by_user = by_user;
        j->stopping.gang_filler = j->stopping.gang_next = false;
        if (!j->stopping.preempt_mode)
                j->stopping.stop_at = 0;
        j->stopping.late_boot = false;
        if (!by_user)
                cluster_stopped_insert(c, j);
        j->stopping.asked_again = 0;
        freeze_all(c, j, true, now);
        /* If j has no processes no slumberd will answer, so jobs waiting for the freeze are checked
           now. */
        if (job_is_stopped_everywhere(j))
                note_nodes(c, FACT_LAUNCH_POSSIBLE, j->placed.nodes);
        effects_add(&c->effects, FX_STOPPED)->job = j->id;
        note(c, FACT_JOB_STOPPED);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        alloc_recount(c, j->placed.alloc[i].node, now);
        cluster_job_changed(c, j);
}

void job_stop_whole(struct cluster *c, struct job *v, usec_t now) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (m && m->state == JOB_RUNNING)
                        job_stop(c, m, false, now);
        }
}

static void await_commands_anew(struct cluster *c, struct job *j, usec_t now);

/* An order to start j's script is dropped if j was suspended before the order was carried out, and
   the deadline for the confirmation did not run: the order is given again. A slumberd that has the
   script says so. */
static void launch_anew(struct job *j) {
        if (!job_has_script(j) || j->running.launched || !j->running.launch_sent)
                return;
        j->running.launch_sent = false;
        j->running.launch_due = 0;
}

void job_continue(struct cluster *c, struct job *j, usec_t now) {
        int r = job_move(j, JOB_RESUMED, 0);

        assert(r >= 0);
        launch_anew(j);
        await_commands_anew(c, j, now);
        j->running.resumed_at = j->configuring ? 0 : now; /* the run time begins with the launch */
        j->running.suspend_time = now;
        j->stopping.suspended_by_user = j->stopping.gang_next = false;
        if (!j->stopping.late_boot && !j->stopping.preempt_mode)
                j->stopping.stop_at = 0;
        j->stopping.late_boot = false;
        if (!j->configuring) {
                j->running.end_time = job_ends_by(j);
                energy_job_runs(c, j, now);
        }
        j->stopping.asked_again = 0;
        freeze_all(c, j, false, now);
        if (j->running.lost_nodes)
                note(c, FACT_NODE_LOST);
        effects_add(&c->effects, FX_CONTINUED)->job = j->id;
        /* j's launch may have been lost while j was stopped */
        note_node(c, FACT_LAUNCH_POSSIBLE, j->placed.alloc[j->placed.batch_at].node);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        alloc_recount(c, j->placed.alloc[i].node, now);
        cluster_job_changed(c, j);
}

static bool job_is_executing(const struct cluster *c, const struct job *v, const struct job *p,
                const struct node *n, void *user) {
        (void)c, (void)v, (void)n, (void)user;
        return p->state == JOB_RUNNING && !p->configuring && !p->completing;
}

static bool preemptor_runs_on(const struct cluster *c, const struct job *v) {
        if (memory_given(v))
                return true;
        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (alloc_crowded(c, v, v->placed.alloc[i].node, job_is_executing, NULL))
                        return true;
        return false;
}

/* Returns component i of v's heterogeneous job (i < job_n_together(v)), or v, if suspended; else
   NULL. */
static struct job *stops_with(struct job *v, uint32_t i) {
        struct job *m = job_together(v, i);

        return m && m->state == JOB_SUSPENDED ? m : NULL;
}

/* Returns whether a preemptor of v runs. Possible only if v was frozen and thawed by some accident,
   or if a component of v is frozen already and the preemptor runs there. */
static bool preemptor_runs(const struct cluster *c, struct job *v) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = stops_with(v, i);
                if (m && preemptor_runs_on(c, m))
                        return true;
        }
        return false;
}

static bool runs_or_is(const struct cluster *c, const struct job *p, const struct job *w,
                const struct node *n, void *user) {
        return w == user || job_is_executing(c, p, w, n, NULL);
}

/* Returns whether p has not begun and needs units or memory of v. If p waits for its own time slice
   (SUSPENDED), p does not need the units. */
static bool counts_on(const struct cluster *c, const struct job *p, struct job *v,
                const struct node *n) {
        if (p == v || !p->configuring || p->completing || p->running.launch_sent ||
                        p->running.launched)
                return false;
        return memory_is_awaited(p, v, n) ||
               (p->state == JOB_RUNNING && alloc_crowded(c, p, n, runs_or_is, v));
}

static usec_t stop_again(struct job *v, bool silent, usec_t now) {
        usec_t pause = STOP_AGAIN_FIRST << MIN(v->stopping.stop_failures, 16u);

        v->stopping.stop_failures++;
        return now + (silent ? STOP_AGAIN_SILENT : MIN(pause, STOP_AGAIN_LAST));
}

static void victim_resume(struct cluster *c, struct job *v, usec_t now) {
        if (v->priority == 0 && !job_is_held(v))
                v->priority = priority_take(c, v, now);
        job_continue(c, v, now);
}

/* Jobs waiting for units or memory of v give their nodes back. */
static void unstart_waiting(struct cluster *c, struct job *v, usec_t now) {
        for (size_t i = 0; i < v->placed.n_alloc; i++) {
                struct node *m = v->placed.alloc[i].node;
                for (size_t k = m->n_jobs; k-- > 0;) {
                        struct job *p = m->jobs[k];
                        if (counts_on(c, p, v, m)) {
                                job_unstart(c, p, "a job there cannot be stopped", now);
                                k = MIN(k, m->n_jobs);
                        }
                }
        }
}

/* Handles the failed freeze of v: the preemptor gives the nodes back, v runs on and is not chosen
   again for a while. */
static void cannot_stop(struct cluster *c, struct job *v, struct job_node *jn, const char *error,
                bool silent, usec_t now) {
        struct node *n = jn->node;

        if (preemptor_runs(c, v)) {
                cluster_log(c, v->id, n, "JobId=%u is not frozen on %s yet (%s): trying again",
                                v->id, n->name, error);
                freeze_retry_later(c, v, jn, now);
                return;
        }
        cluster_log(c, v->id, n, "JobId=%u could not be stopped on %s (%s): it keeps running",
                        v->id, n->name, error);
        v->stopping.no_suspend = true;
        v->stopping.cannot_freeze = !silent;
        v->stopping.may_stop_again = stop_again(v, silent, now);
        jn->unstoppable = true;
        free(v->stopping.no_suspend_why);
        v->stopping.no_suspend_why = xasprintf("%s: %s", n->name, error);
        for (uint32_t i = 0; i < job_n_together(v); i++) { /* components are suspended together */
                struct job *m = stops_with(v, i);
                if (m)
                        unstart_waiting(c, m, now);
        }
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = stops_with(v, i);
                if (m)
                        victim_resume(c, m, now);
        }
}

void job_may_be_stopped(struct cluster *c, struct job *j) {
        j->stopping.may_stop_again = 0;
        j->stopping.no_suspend = j->stopping.cannot_freeze = false;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                j->placed.alloc[i].unstoppable = false;
        free_and_strdup(&j->stopping.no_suspend_why, NULL);
        note(c, FACT_JOB_STOPPABLE);
        cluster_job_changed(c, j);
}

/* jn's node reports j frozen, for any reason: freezing works there. */
static void stop_works(struct cluster *c, struct job *j, struct job_node *jn) {
        if (!jn->unstoppable)
                return;
        jn->unstoppable = false;
        cluster_job_changed(c, j);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (j->placed.alloc[i].unstoppable && !j->placed.alloc[i].done)
                        return;
        j->stopping.stop_failures = 0;
        job_may_be_stopped(c, j);
}

/* Logs the time from the order to the answer; the deadline was set with the order. */
static void freeze_log_answer(struct cluster *c, const struct job *j, const struct job_node *jn,
                bool frozen, usec_t now) {
        usec_t asked = jn->due - MIN(freeze_time_limit(c, j->state == JOB_SUSPENDED), jn->due);

        if (jn->unanswered && jn->due)
                cluster_debug(c, DEBUG_GANG, jn->node, "GANG: JobId=%u %s on %s after %.1f ms",
                                j->id, frozen ? "stands still" : "goes on", jn->node->name,
                                (double)(now - MIN(asked, now)) / USEC_PER_MSEC);
}

void job_frozen(struct cluster *c, struct job *j, struct node *n, bool frozen, uint64_t serial,
                const char *error, usec_t now) {
        struct job_node *jn = job_node_find(j, n);

        if (!jn || jn->done || j->completing || job_is_finished(j))
                return;
        if (frozen)
                stop_works(c, j, jn);
        if (jn->serial != serial)
                return;
        freeze_log_answer(c, j, jn, frozen, now);
        jn->unanswered = false;
        jn->stopped = frozen;
        jn->due = 0;
        cluster_job_changed(c, j);
        if (j->state == JOB_SUSPENDED && !frozen) {
                cannot_stop(c, j, jn, error ? error : "no reason given", false, now);
        } else if (j->state == JOB_RUNNING && frozen) {
                cluster_log(c, j->id, n, "JobId=%u could not be resumed on %s: %s", j->id, n->name,
                                strna(error));
                freeze_retry_later(c, j, jn, now);
        } else if (frozen && job_is_stopped_everywhere(j)) {
                j->stopping.stop_failures = 0;
                note_nodes(c, FACT_LAUNCH_POSSIBLE, j->placed.nodes);
        }
        if (frozen == (j->state == JOB_SUSPENDED))
                j->stopping.asked_again = 0;
}

static void answer_due(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        bool silent = jn->unanswered, freeze = j->state == JOB_SUSPENDED;

        jn->due = 0;
        if (jn->done || (!silent && jn->stopped == freeze && !jn->reclaiming))
                return;
        if (jn->reclaiming) {
                memory_overdue(c, j, jn, now);
                return;
        }
        if (silent && freeze) {
                cannot_stop(c, j, jn, "its agent does not answer", true, now);
                return;
        }
        if (!jn->node->connected)
                return;
        if (silent)
                cluster_log(c, j->id, jn->node,
                                "JobId=%u: %s has not confirmed the thaw, asking again", j->id,
                                jn->node->name);
        uint32_t again = j->stopping.asked_again + 1;
        send_freeze(c, j, jn, freeze, now);
        if (silent) {
                j->stopping.asked_again = again;
                cluster_job_changed(c, j);
                job_set_due(c, j, jn,
                                jn->due + MIN(ASK_AGAIN_FIRST << MIN(again, 16u), ASK_AGAIN_LAST));
        }
}

void job_answers_due(struct cluster *c, struct job *j, usec_t now) {
        usec_t next = USEC_INFINITY;

        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                if (jn->done || jn->due == 0 || jn->due > now)
                        continue;
                if (j->completing)
                        job_kill_due(c, j, jn, now);
                else
                        answer_due(c, j, jn, now);
        }
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (j->placed.alloc[i].due && !j->placed.alloc[i].done)
                        next = MIN(next, j->placed.alloc[i].due);
        j->stopping.answers_due = next == USEC_INFINITY ? 0 : next;
}

void job_restarted(struct cluster *c, struct job *j, usec_t now) {
        job_hook_restarted(c, j);
        /* state of an earlier version, which set no end */
        if (j->stopping.no_suspend && !j->stopping.may_stop_again)
                job_may_be_stopped(c, j);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                if (jn->done && !j->completing)
                        job_goes_on_without(c, j, jn->node);
                if (jn->done || !jn->used)
                        continue;
                if (j->completing) {
                        job_kill_node(c, j, jn, now);
                } else if (j->state == JOB_SUSPENDED && !jn->stopped) {
                        jn->unanswered = true;
                        job_set_due(c, j, jn, now + freeze_time_limit(c, true));
                }
        }
}

/* A launch may fail because of the job (an output file that cannot be opened), so failed jobs of a
   single user do not drain a node. */
#define LAUNCHES_FAIL_MAX 3
/* Registrations without the job after a launch: slumberd does not survive the launch. */
#define LAUNCHES_LOST_MAX 3

static void count_failed_launch(struct cluster *c, const struct job *j, struct node *n,
                usec_t now) {
        n->failed_for_many |= n->failed_launches && n->failed_uid != j->uid;
        n->failed_uid = j->uid;
        n->failed_launches++;
        if (n->failed_launches < LAUNCHES_FAIL_MAX || !n->failed_for_many || n->flags & NODE_DRAIN)
                return;
        cluster_log(c, 0, n, "Node %s is drained: launches fail there", n->name);
        node_set_reason(c, n, "Launches fail", c->config->slurm_uid, now);
        node_flag(c, n, NODE_DRAIN, 0, now);
}

void job_freeze_launched(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        if (j->state == JOB_SUSPENDED && !j->completing && !jn->done)
                send_freeze(c, j, jn, true, now);
}

void job_launched(struct cluster *c, struct job *j, const char *error, usec_t now) {
        if (j->completing || job_is_finished(j) || j->state == JOB_PENDING)
                return;
        j->running.launch_due = 0;
        if (!error) {
                j->running.launched = true;
                job_write_notices(c, j);
                j->placed.alloc[j->placed.batch_at].node->failed_launches = 0;
                j->placed.alloc[j->placed.batch_at].node->failed_for_many = false;
                cluster_job_changed(c, j);
                return;
        }
        count_failed_launch(c, j, j->placed.alloc[j->placed.batch_at].node, now);
        cluster_log(c, j->id, j->placed.alloc[j->placed.batch_at].node,
                        "Launch of JobId=%u failed: %s", j->id, error);
        if (!config_has_prolog(c->config) && !config_has_epilog(c->config))
                j->placed.alloc[j->placed.batch_at].used = false; /* nothing of j runs there */
        if (job_requeue_unlaunched(c, j, false, true, now) == SLUMBER_OK)
                job_set_reason(c, j, REASON_LAUNCH_FAILED, "launch failed requeued held");
        else
                job_end(c, j, JOB_FAILED, REASON_LAUNCH_FAILED, NULL, now);
}

/* ---- Prolog ---- */

void job_prolog_failed(struct cluster *c, struct job *j, struct node *n, const char *error,
                usec_t now) {
        bool hold = !c->config->nohold_on_prolog_fail, began = !j->configuring;

        node_drain_for(c, n, j->id, &(struct node_fault){ prolog_failed, error }, now);
        if (j->completing || job_is_finished(j) || j->state == JOB_PENDING)
                return;
        j->running.launch_due = 0;
        enum slumber_error e = job_requeue_unlaunched(c, j, c->config->prolog_flags & PROLOG_FORCE,
                        hold, now);
        if (e == SLUMBER_OK && hold)
                job_set_reason(c, j, REASON_LAUNCH_FAILED, "launch failed requeued held");
        if (e == SLUMBER_OK)
                return;
        if (!j->asked.batch && !began) {
                struct effect *fx = effects_add(&c->effects, FX_MESSAGE);
                fx->job = j->id;
                fx->text = xasprintf("Prolog failure on node %s", n->name);
        }
        j->running.exit_code = began ? STATUS_PROLOG_FAILED : 0;
        job_end(c, j, began ? JOB_FAILED : JOB_CANCELLED,
                        began ? REASON_LAUNCH_FAILED : REASON_NONE, NULL, now);
}

/* ---- PrologSlurmctld, EpilogSlurmctld ---- */

/* A batch job waits for a new run and is not held, as in Slurm and in contrast to a failed Prolog
   of a node. */
static void hook_requeue_job(struct cluster *c, struct job *j, usec_t now) {
        if (!j->asked.batch) {
                struct effect *fx = effects_add(&c->effects, FX_MESSAGE);
                fx->job = j->id;
                fx->text = xstrdup("PrologSlurmctld failed, job killed");
        }
        if (job_may_run_again(j))
                j->waiting.not_before = now + REQUEUE_PAUSE;
        if (job_requeue_unlaunched(c, j, false, false, now) != SLUMBER_OK)
                job_end(c, j, JOB_CANCELLED, REASON_NONE, NULL, now);
}

void job_hook_over(struct cluster *c, struct job *j, uint64_t number, const char *error,
                usec_t now) {
        if (!job_hook_ended(c, j, number, error))
                return;
        if (j->completing) {
                job_hook_leaves(c, j, true);
                job_check_done(c, j, now);
        } else if (error) {
                hook_requeue_job(c, j, now);
        } else {
                note_node(c, FACT_LAUNCH_POSSIBLE, j->placed.alloc[j->placed.batch_at].node);
        }
}

void job_batch_ended(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory,
                const char *why, usec_t end, usec_t now) {
        if (j->completing || job_is_finished(j) || j->state == JOB_PENDING)
                return;
        j->running.said_end = end;
        job_exited(c, j, status, out_of_memory, now);
        if (why && j->state == JOB_FAILED)
                job_set_reason(c, j, j->reason, why);
}

void job_over_memory(struct cluster *c, struct job *j, struct node *n, usec_t now) {
        if (j->completing || !job_is_active(j))
                return;
        cluster_log(c, j->id, n,
                        "JobId=%u: its steps on %s together have more memory than the job: it is "
                        "cancelled",
                        j->id, n->name);
        j->running.cancelled_by = 1; /* root, as in Slurm */
        job_end(c, j, JOB_CANCELLED, REASON_OUT_OF_MEMORY, "EXCEEDED MEMORY LIMIT", now);
}

/* Time for a command to end after hearing of the end of the step; the delay of a late message does
   not count as run time. */
#define HOLDER_ENDS (5 * USEC_PER_SEC)

void job_holder_ended(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory,
                usec_t now) {
        if (j->running.steps_told && now - MIN(now, j->running.steps_told) < HOLDER_ENDS)
                j->running.said_end = now - MIN(now, j->running.steps_late);
        job_exited(c, j, status, out_of_memory, now);
}

/* ---- a registering slumberd ---- */

/* Returns slumberd's entry for j; NULL if none. A job with a lost step daemon counts as not found:
   the leftovers were killed. */
static const struct found_job *found_job_find(const struct found_job *found, size_t n,
                const struct job *j) {
        for (size_t i = 0; i < n; i++)
                if (found[i].id == j->id && found[i].restarts == job_incarnation(j) &&
                                !found[i].lost)
                        return &found[i];
        return NULL;
}

/* slumberd has the job: brings the node to the desired state. */
static void settle_found(struct cluster *c, struct job *j, struct job_node *jn,
                const struct found_job *f, usec_t now) {
        jn->used = true;
        jn->stopped = f->frozen;
        jn->unanswered = jn->reclaiming = false; /* a new slumberd has no open request */
        job_prolog_again(j, jn);
        job_extern_found(c, j, jn, f->extern_step);
        if (jn->unstoppable) /* the node answers again */
                job_may_be_stopped(c, j);
        /* The deadline of a completing job runs from the first request, however often slumberd
           registers. */
        if (!j->completing) {
                jn->due = 0;
                job_node_catch_up(c, j, jn);
        }
        if (job_has_script(j) && jn == &j->placed.alloc[j->placed.batch_at] && !j->completing) {
                j->running.launched = true;
                j->running.launch_due = 0;
        }
        if (j->completing) {
                job_kill_node(c, j, jn, now);
        } else if (f->frozen != (j->state == JOB_SUSPENDED)) {
                send_freeze(c, j, jn, j->state == JOB_SUSPENDED, now);
        } else if (f->frozen) {
                note_nodes(c, FACT_LAUNCH_POSSIBLE, j->placed.nodes);
        }
        cluster_job_changed(c, j);
}

/* slumberd has nothing of the job or, with hooks, only its prolog or epilog. */
static void settle_missing(struct cluster *c, struct job *j, struct job_node *jn,
                const struct found_job *hooks, usec_t now) {
        struct node *n = jn->node;
        bool script = job_has_script(j) && jn == &j->placed.alloc[j->placed.batch_at];

        job_prolog_again(j, jn);
        job_extern_found(c, j, jn, false);
        if (j->completing && config_has_epilog(c->config)) {
                job_kill_node(c, j, jn, now); /* the job's epilog has not run yet */
        } else if (j->completing) {
                job_gone(c, j, n, NULL, now);
        } else if (script && j->running.launched) {
                cluster_log(c, j->id, n, "JobId=%u is not on %s any more", j->id, n->name);
                jn->used = hooks != NULL; /* the job's prolog is remembered there */
                job_node_failed(c, j, n, now);
        } else if (script && j->running.launch_sent && !hooks &&
                        ++j->running.lost_launches >= LAUNCHES_LOST_MAX) {
                job_launched(c, j, "its node registers without it, again and again", now);
        } else if (jn->used) {
                /* The launch never arrived, or the job's steps are over; with hooks, steps may be
                   left. */
                jn->used = hooks != NULL;
                jn->unanswered = jn->reclaiming = false;
                memset(jn->signals, 0, sizeof jn->signals); /* no process is left to get signals */
                jn->due = 0;
                jn->stopped = j->state == JOB_SUSPENDED;
                note_nodes(c, FACT_LAUNCH_POSSIBLE, j->placed.nodes);
                if (script) {
                        j->running.launch_sent = false;
                        j->running.launch_due = 0;
                }
                struct effect *fx = effects_add(&c->effects, FX_STEP_LOST);
                fx->job = j->id;
                fx->node = n;
                cluster_job_changed(c, j);
        }
}

/* Returns whether j's prolog ran on the node in an earlier boot. */
static bool had_hooks(const struct found_job *found, size_t n, const struct job *j) {
        for (size_t i = 0; i < n; i++)
                if (found[i].id == j->id && found[i].restarts == job_incarnation(j) &&
                                found[i].lost && found[i].owes)
                        return true;
        return false;
}

/* Whatever j's prolog prepared was lost by the node's reboot, so j loses the node. */
static void lose_boot(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        cluster_log(c, j->id, jn->node, "JobId=%u was on %s before it booted", j->id,
                        jn->node->name);
        jn->used = true; /* the epilog has to run */
        job_node_failed(c, j, jn->node, now);
}

static bool is_scripts(const struct job *j, const struct job_node *jn) {
        return job_has_script(j) && jn == &j->placed.alloc[j->placed.batch_at] && !j->completing;
}

static bool has_place(const struct cluster *c, const struct node *n, const struct found_job *f) {
        const struct job *j = cluster_job(c, f->id);
        const struct job_node *jn = j ? job_node_find(j, n) : NULL;

        return jn && !jn->done && job_is_active(j) && f->restarts == job_incarnation(j);
}

void jobs_reconcile(struct cluster *c, struct node *n, const struct found_job *found,
                size_t n_found, usec_t now) {
        n->n_strays = 0; /* the report is complete */
        for (size_t i = 0; i < n_found; i++) {
                if ((found[i].lost && !found[i].owes) || has_place(c, n, &found[i]))
                        continue;
                cluster_log(c, found[i].id, n,
                                "Node %s runs JobId=%u, which has no place there: ending it",
                                n->name, found[i].id);
                node_end_stray(c, n, found[i].id, found[i].restarts, false, now);
        }
        for (size_t i = n->n_jobs; i-- > 0; i = MIN(i, n->n_jobs)) {
                struct job *j = n->jobs[i];
                struct job_node *jn = job_node_find(j, n);
                const struct found_job *f = found_job_find(found, n_found, j);

                if (!f && !j->completing && had_hooks(found, n_found, j))
                        lose_boot(c, j, jn, now);
                else if (f && (f->script || f->terminating || !is_scripts(j, jn)))
                        settle_found(c, j, jn, f, now);
                else
                        settle_missing(c, j, jn, f, now);
        }
        note_node(c, FACT_LAUNCH_POSSIBLE, n);
}

/* ---- steps ---- */

struct step *job_step_started(struct cluster *c, struct job *j, uint32_t id,
                const struct bitset *nodes, usec_t now) {
        struct step *s = job_step_add(j);

        s->id = id;
        s->nodes = bitset_copy(nodes);
        s->ended = bitset_new(nodes->bits);
        s->launched = bitset_new(nodes->bits);
        s->start_time = now;
        s->ran_before = job_run_time(j, now);
        bitset_for_each(i, nodes)
                j->placed.alloc[i].used = true;
        cluster_job_changed(c, j);
        return s;
}

/* Signals rank above exit codes, higher values above lower values (job launch, exit codes). */
static uint32_t status_worse(uint32_t a, uint32_t b) {
        uint32_t sa = a & 0x7f, sb = b & 0x7f;

        if (sa != sb)
                return sa > sb ? a : b;
        return MAX(a, b);
}

static void add_use(struct step *s, const struct node *n, const struct step_use *use) {
        s->user_cpu += use->user_cpu;
        s->system_cpu += use->system_cpu;
        s->sum_rss += use->rss;
        s->out_of_memory |= use->out_of_memory;
        measures_merge(&s->measures, &use->measures, n->name);
        if (use->rss > s->most_rss) {
                s->most_rss = use->rss;
                free_and_strdup(&s->most_rss_on, n->name);
        }
}

/* Records the end of s on the node at; s may be a component of the step. */
static void step_record_end(struct step *s, size_t at, const struct node *n, uint32_t status,
                const struct step_use *use, usec_t now) {
        bitset_add(s->ended, at);
        s->exit_code = s->abort_status ? s->abort_status : status_worse(s->exit_code, status);
        if (use)
                add_use(s, n, use);
        s->ended_at = MAX(s->ended_at, use && use->ended ? use->ended : now);
}

bool job_step_node_ended(struct cluster *c, struct job *j, struct step *s, struct node *n,
                uint32_t status, const struct step_use *use, usec_t now) {
        struct job_node *jn = job_node_find(j, n);

        if (!jn)
                return false;
        size_t at = (size_t)(jn - j->placed.alloc);
        if (!bitset_has(s->nodes, at) || bitset_has(s->ended, at))
                return false;
        energy_step_leaves(j, s, at, use && use->ended ? MIN(use->ended, now) : now);
        if (s->n_parts)
                step_record_end(job_step_part_at(s, at), at, n, status, use, now);
        step_record_end(s, at, n, status, use, now);
        if (s->resv_ports)
                note(c, FACT_PORTS_FREED);
        /* exit codes rank above signals here, as in Slurm */
        if (s->id != STEP_EXTERN)
                j->running.derived_exit_code = MAX(j->running.derived_exit_code, status);
        cluster_job_changed(c, j);
        if (!job_step_is_over(s))
                return false;
        step_is_over(c, j, s, now);
        if (j->running.lost_nodes)
                note(c, FACT_NODE_LOST);
        j->running.steps_late = now - MIN(now, s->ended_at);
        j->running.steps_told = now;
        return true;
}

/* ---- commands holding jobs and steps ---- */

static usec_t holder_due(const struct cluster *c, usec_t now) {
        return now + cluster_patience(c);
}

/* Returns InactiveLimit, 0: none. As in Slurm, jobs of RootOnly partitions have no such limit. */
static usec_t inactive_limit(const struct cluster *c, const struct job *j) {
        return j->partition->root_only ? 0 : c->config->inactive_limit;
}

static void await_holder(struct cluster *c, struct job *j, usec_t now) {
        usec_t limit = inactive_limit(c, j);

        j->running.orphan_due = limit ? now + limit : holder_due(c, now);
        cluster_job_rearm(c, j);
}

void job_holder_lost(struct cluster *c, struct job *j, usec_t now) {
        if (!job_outlives_holder(j) && !j->running.orphan_due && !job_is_finished(j))
                await_holder(c, j, now);
}

/* New deadlines for steps whose srun is disconnected. */
static void await_sruns(struct cluster *c, struct job *j, usec_t now) {
        for (size_t i = 0; i < j->running.n_steps; i++)
                if (j->running.steps[i].orphan_due)
                        j->running.steps[i].orphan_due = holder_due(c, now);
        j->running.step_orphans_due = holder_due(c, now);
        cluster_job_rearm(c, j);
}

/* New deadlines for commands that were cut off while j was suspended: the commands were suspended,
   too. */
static void await_commands_anew(struct cluster *c, struct job *j, usec_t now) {
        job_holder_answered(j);
        if (j->running.orphan_due)
                await_holder(c, j, now);
        if (j->running.step_orphans_due)
                await_sruns(c, j, now);
}

/* Returns whether each node of j has thawed j, or never had a process of j. */
static bool goes_on_everywhere(const struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct job_node *jn = &j->placed.alloc[i];
                if (jn->used && !jn->done && (jn->unanswered || jn->stopped))
                        return false;
        }
        return true;
}

void job_holder_answered(struct job *j) {
        j->running.holder_asked = 0;
        j->running.holder_late = false;
}

/* j ends at the second check: before the first check slumberctld may have been stopped, with the
   answer unread. */
bool job_holder_ask(struct cluster *c, struct job *j, usec_t now) {
        usec_t limit = inactive_limit(c, j);

        if (!limit || job_outlives_holder(j) || !job_is_active(j) || j->completing ||
                        j->state == JOB_SUSPENDED) {
                job_holder_answered(j);
                return false;
        }
        if (!j->running.holder_asked) {
                j->running.holder_asked = now;
                return true;
        }
        if (now < j->running.holder_asked + limit)
                return false;
        if (j->running.holder_late) {
                cluster_log(c, j->id, NULL,
                                "JobId=%u: the command that holds it has not answered for InactiveLimit",
                                j->id);
                job_end(c, j, JOB_TIMEOUT, REASON_INACTIVE_LIMIT, "INACTIVE LIMIT", now);
        } else
                j->running.holder_late = true;
        return false;
}

void job_step_limit(struct cluster *c, struct job *j, struct step *s, usec_t limit) {
        s->time_limit = limit == NO_LIMIT ? 0 : limit;
        j->running.limited_steps |= s->time_limit > 0;
        cluster_job_rearm(c, j);
}

void job_step_holder_lost(struct cluster *c, struct job *j, struct step *s, usec_t now) {
        if (s->orphan_due || job_is_finished(j))
                return;
        s->orphan_due = holder_due(c, now);
        if (!j->running.step_orphans_due)
                j->running.step_orphans_due = s->orphan_due;
        cluster_job_rearm(c, j);
}

void job_step_orphans_due(struct cluster *c, struct job *j, usec_t now) {
        if (!goes_on_everywhere(j)) {
                await_sruns(c, j, now);
                return;
        }
        j->running.step_orphans_due = 0;
        for (size_t i = 0; i < j->running.n_steps; i++) {
                struct step *s = &j->running.steps[i];
                if (s->orphan_due && s->orphan_due <= now) {
                        s->orphan_due = 0;
                        cluster_log(c, j->id, NULL, "StepId=%u.%u: its srun has not come back",
                                        j->id, s->id);
                        struct effect *fx = effects_add(&c->effects, FX_STEP_ORPHANED);
                        fx->job = j->id;
                        fx->step = s->id;
                } else if (s->orphan_due &&
                                (!j->running.step_orphans_due ||
                                                s->orphan_due < j->running.step_orphans_due)) {
                        j->running.step_orphans_due = s->orphan_due;
                }
        }
}
