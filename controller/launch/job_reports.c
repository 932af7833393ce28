/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of agents about jobs become events of the pure rooms. Steps of srun are handled in
 * steps.c, steps of step managers in step_manager.c. */
#include "controller/launch/job_reports.h"

#include "controller/ended/ended_step.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/launch/step_end.h"
#include "controller/launch/step_manager.h"
#include "controller/launch/step_requests.h"
#include "controller/launch/steps.h"
#include "controller/launch/x11.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/tree.h"
#include "controller/loop/wall_clock.h"
#include "lib/log.h"

static const char *report_error_text(const Slumber__Error *e) {
        if (!e || e->code == SLUMBER_OK)
                return NULL;
        if (!isempty(e->text))
                return e->text;
        const char *text = slumber_error_text((int)e->code);
        return text ? text : "unknown error";
}

/* Returns the error text of a launch; NULL if launched. SLUMBER_NO_CHANGE counts as launched: a
   repeated request found the step running. */
static const char *launch_error(const Slumber__Error *e) {
        return e && e->code == SLUMBER_NO_CHANGE ? NULL : report_error_text(e);
}

/* Returns whether n runs or has run j's script; reports of other nodes about the script are
   ignored. */
static bool has_script_of(const struct node *n, const struct job *j, uint32_t restarts) {
        return j && j->restarts == restarts && j->asked.batch && j->placed.n_alloc &&
               j->placed.alloc[j->placed.batch_at].node == n &&
               !j->placed.alloc[j->placed.batch_at].done;
}

/* Drains a node whose agent cannot launch anything, so that no other job fails there. */
static void node_is_unfit(struct controller *ctl, struct node *n, const char *why) {
        struct cluster *c = ctl->cluster;

        if (n->flags & NODE_DRAIN)
                return;
        log_fields(LOG_WARNING, 0, 0, n->name, "Node %s is drained: %s", n->name, why);
        node_set_reason(c, n, why, c->config->slurm_uid, controller_now(ctl));
        node_flag(c, n, NODE_DRAIN, 0, controller_now(ctl));
        controller_changed(ctl);
}

/* Requeues a job after a launch failure of the node: the job waits for this or another node. */
static bool unlaunched_job_requeue(struct controller *ctl, struct job *j) {
        j->running.launch_due = 0;
        j->placed.alloc[j->placed.batch_at].used = false; /* none of its processes runs there */
        return job_requeue_unlaunched(ctl->cluster, j, false, false, controller_now(ctl)) ==
               SLUMBER_OK;
}

/* Tells the job's srun about the failure before the job ends. */
static void on_prolog_failed(struct controller *ctl, struct node *n,
                const Slumber__LaunchResult *m) {
        struct job *j = cluster_job(ctl->cluster, m->job_id);
        const struct job_node *jn = j && j->restarts == m->restarts ? job_node_find(j, n) : NULL;

        if (!jn || jn->done)
                return;
        if (step_is_sruns(m->step_id))
                run_launch_result(ctl, n, m);
        job_prolog_failed(ctl->cluster, j, n, report_error_text(m->error), controller_now(ctl));
        controller_changed(ctl);
}

/* Returns whether the extern step has failed to start, which counts as a prolog failure. A step
   that runs already, or a job that has ended, is no failure. */
static bool extern_failed(const Slumber__LaunchResult *m) {
        return m->step_id == STEP_EXTERN && m->error->code != SLUMBER_OK &&
               m->error->code != SLUMBER_NO_CHANGE && m->error->code != SLUMBER_JOB_ENDED;
}

static void take_launch_result(struct controller *ctl, struct node *n,
                const Slumber__LaunchResult *m) {
        struct job *j = cluster_job(ctl->cluster, m->job_id);
        bool unfit = m->error && m->error->code == SLUMBER_NODE_UNFIT;

        if (unfit)
                node_is_unfit(ctl, n, report_error_text(m->error));
        if (m->error && (m->error->code == SLUMBER_PROLOG_FAILED || extern_failed(m))) {
                on_prolog_failed(ctl, n, m);
        } else if (m->step_id == STEP_PROLOG || m->step_id == STEP_EXTERN) {
                if (j && j->restarts == m->restarts) {
                        job_prolog_over(ctl->cluster, j, n);
                        x11_extern_there(ctl, j, n);
                }
                controller_changed(ctl);
        } else if (m->step_id != STEP_BATCH) {
                run_launch_result(ctl, n, m);
        } else if (has_script_of(n, j, m->restarts)) {
                if (!unfit || job_is_finished(j) || j->completing ||
                                !unlaunched_job_requeue(ctl, j))
                        job_launched(ctl->cluster, j, launch_error(m->error), controller_now(ctl));
                controller_changed(ctl);
        }
}

void launch_reported(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__LaunchResult *m = env->launch_result;

        if (m->step_id == STEP_MAKER)
                home_failed(ctl, p, m, strempty(report_error_text(m->error)));
        else
                take_launch_result(ctl, p->node, m);
}

/* Launches that the tree reports for other nodes carry no error: the step runs. */
static void launched_by_tree(struct controller *ctl, const struct tree_wish *w, struct node *n) {
        Slumber__LaunchResult m = SLUMBER__LAUNCH_RESULT__INIT;
        const struct job *j = cluster_job(ctl->cluster, w->job);

        if (!j || j->restarts != w->restarts)
                return; /* requeued meanwhile */
        m.job_id = w->job;
        m.restarts = w->restarts;
        m.step_id = w->step;
        take_launch_result(ctl, n, &m);
}

void launches_reported(struct controller *ctl, struct peer *p, const Envelope *env) {
        tree_answer(ctl, p, env->tree_answer, launched_by_tree);
}

/* Notes the end and usage of a batch script, also for a job on its way back to the queue. */
static void note_batch(struct controller *ctl, const struct node *n, struct job *j,
                const Slumber__StepEnded *m) {
        _cleanup_(step_use_done) struct step_use use = step_use_of(m);

        if (j && m->last && !m->lost && job_is_active(j) && job_incarnation(j) == m->restarts &&
                        j->placed.n_alloc && j->placed.alloc[j->placed.batch_at].node == n &&
                        !j->placed.alloc[j->placed.batch_at].done)
                batch_is_over(ctl->cluster, j, m->n_tasks ? m->tasks[0]->status : 0, &use,
                                controller_now(ctl));
}

/* Notes that the extern step of an active job has ended on n: a new one is made. */
static void note_extern(struct controller *ctl, const struct node *n, struct job *j,
                const Slumber__StepEnded *m) {
        struct job_node *jn = j && job_is_active(j) && job_incarnation(j) == m->restarts
                                              ? job_node_find(j, n)
                                              : NULL;

        if (jn && !jn->done && m->last)
                job_extern_found(ctl->cluster, j, jn, false);
}

/* Returns the time at which the step ended. If the controller stood still (n->asked_at), the
   message may have waited: then an earlier end_time of the agent's clock counts. */
static usec_t when_ended(const struct controller *ctl, const struct node *n,
                const Slumber__StepEnded *m) {
        usec_t now = controller_now(ctl), end = now - MIN(m->since_end, now);

        return n->asked_at && m->end_time ? MIN(end, m->end_time) : end;
}

void step_end_reported(struct controller *ctl, struct peer *p, const Envelope *env) {
        Slumber__StepEnded *m = env->step_ended;
        struct job *j = cluster_job(ctl->cluster, m->job_id);
        bool taken = true;

        m->end_time = when_ended(ctl, p->node, m);

        if (m->step_id == STEP_BATCH)
                note_batch(ctl, p->node, j, m);
        if (m->step_id == STEP_EXTERN)
                note_extern(ctl, p->node, j, m);
        if (m->step_id != STEP_BATCH) {
                taken = run_step_ended(ctl, p->node, m);
        } else if (m->last && has_script_of(p->node, j, m->restarts)) {
                /* A plug-in's failure would be repeated on another node */
                if (m->lost && !*m->text && !j->completing && !job_is_finished(j))
                        job_node_failed(ctl->cluster, j, p->node, controller_now(ctl));
                else
                        job_batch_ended(ctl->cluster, j,
                                        m->n_tasks ? m->tasks[0]->status
                                        : m->lost  ? SIGKILL
                                                   : 0,
                                        m->out_of_memory, *m->text ? m->text : NULL, m->end_time,
                                        controller_now(ctl));
        }
        if (m->job_over_memory && j && j->restarts == m->restarts && job_node_find(j, p->node))
                job_over_memory(ctl->cluster, j, p->node, controller_now(ctl));
        if (m->last && taken)
                step_end_ack(ctl, p->node, m);
        /* The commit may wait a little: srun's next step or the end of the job follows soon */
        if (step_is_sruns(m->step_id) && !m->job_over_memory)
                controller_changed_a_little(ctl);
        else
                controller_changed(ctl);
}

void freeze_reported(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__FreezeResult *m = env->freeze_result;
        struct job *j = cluster_job(ctl->cluster, m->job_id);

        if (!j)
                return;
        job_frozen(ctl->cluster, j, p->node, m->frozen, m->serial, report_error_text(m->error),
                        controller_now(ctl));
        controller_changed(ctl);
}

/* Rounds up, because promises are in whole megabytes. */
static uint64_t in_megabytes(uint64_t bytes) {
        return bytes / (1024 * 1024) + (bytes % (1024 * 1024) != 0);
}

void reclaim_reported(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__ReclaimResult *m = env->reclaim_result;
        struct job *j = cluster_job(ctl->cluster, m->job_id);

        if (!j)
                return;
        memory_reclaimed(ctl->cluster, j, p->node, m->serial, in_megabytes(m->before),
                        in_megabytes(m->after), m->duration, report_error_text(m->error),
                        controller_now(ctl));
        controller_changed(ctl);
}

/* Acknowledges JobGone once it is durable. */
static void ack_gone(struct controller *ctl, struct peer *p, const Slumber__JobGone *m) {
        Slumber__JobGoneAck ack = SLUMBER__JOB_GONE_ACK__INIT;

        ack.job_id = m->job_id;
        ack.restarts = m->restarts;
        ENVELOPE(env, JOB_GONE_ACK, job_gone_ack, &ack);
        reply_durable(ctl, &(struct address){ p, 0, 0 }, &env);
}

void job_gone_reported(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__JobGone *m = env->job_gone;

        struct node *n = p->node;
        bool strays = n->n_strays > 0;
        uint32_t code = m->error ? m->error->code : 0;
        const struct node_fault fault = { code == SLUMBER_EPILOG_FAILED   ? epilog_failed
                                          : code == SLUMBER_PROLOG_FAILED ? prolog_failed
                                                                          : kill_failed,
                report_error_text(m->error) };

        if (m->busy) {
                node_job_busy(ctl->cluster, n, m->job_id, m->restarts, controller_now(ctl));
                controller_changed(ctl);
                return;
        }
        node_job_gone(ctl->cluster, n, m->job_id, m->restarts, fault.error ? &fault : NULL,
                        controller_now(ctl));
        if (m->kept)
                ack_gone(ctl, p, m);
        /* Steps may have waited for the stray jobs to go */
        for (size_t i = strays && n->n_strays == 0 ? n->n_jobs : 0; i-- > 0; i = MIN(i, n->n_jobs))
                runs_retry(ctl, n->jobs[i]->id);
        controller_changed(ctl);
}
