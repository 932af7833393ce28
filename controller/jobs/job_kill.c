/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ending a job on its nodes: each node is asked, until nothing of the job is left.
 *
 * slumberd gives a job KillWait after SIGTERM and UnkillableStepTimeout after SIGKILL, and then
 * reports the result. A slumberd silent for longer is asked once more; after that the node is
 * drained, as for processes that do not die, and the job is released: no job waits for ever. A
 * disconnected node is left to SlurmdTimeout; with SlurmdTimeout=0 the job is released all the
 * same, and processes left on a registering node are a stray.
 *
 * Strays are processes of jobs without a place on the node. No job starts beside strays, so the
 * same deadline holds for strays. */
#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"

const char kill_failed[] = "Kill task failed", epilog_failed[] = "Epilog error",
           prolog_failed[] = "Prolog error";
static const struct node_fault silent = { kill_failed,
        "its agent does not say that the job's processes have ended" };

static usec_t kill_deadline(const struct cluster *c, usec_t now) {
        return now + c->config->kill_wait + c->config->unkillable_step_timeout + ANSWER_MARGIN;
}

/* Returns whether w's processes run on n, or may run there. */
static bool job_may_run_on(const struct job *w, const struct node *n) {
        const struct job_node *wn = job_node_find(w, n);

        if (w->completing || w->state == JOB_SUSPENDED) /* the freeze may not have happened yet */
                return wn->used && !wn->stopped;
        return w->state == JOB_RUNNING && !w->configuring;
}

static bool may_run(const struct cluster *c, const struct job *j, const struct job *w,
                const struct node *n, void *user) {
        (void)c, (void)j, (void)user;
        return job_may_run_on(w, n);
}

/* Returns whether j must stay frozen while being ended, because another job runs on j's units on
   n. */
static bool must_stay_stopped(const struct cluster *c, const struct job *j, const struct node *n) {
        if (alloc_counts_cpus(c))
                return alloc_crowded(c, j, n, may_run, NULL);
        if (!n->units_shared)
                return false;
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i] != j && job_may_run_on(n->jobs[i], n) &&
                                alloc_overlap(j, n->jobs[i], n))
                        return true;
        return false;
}

static void termination_request(struct cluster *c, uint32_t id, struct node *n, uint32_t restarts,
                bool at_once, bool epilog) {
        struct effect *fx = effects_add(&c->effects, FX_TERMINATE);

        fx->job = id;
        fx->node = n;
        fx->serial = restarts;
        fx->now = at_once;
        fx->epilog = epilog && config_has_epilog(c->config);
}

void job_kill_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        jn->unanswered = false;
        if (jn->due == 0)
                job_set_due(c, j, jn, kill_deadline(c, now));
        if (!jn->node->connected)
                return;
        /* thawed, j would use memory given to other jobs */
        bool at_once = jn->given || must_stay_stopped(c, j, jn->node);
        if (!at_once)
                jn->stopped = false; /* j is thawed to receive SIGTERM */
        termination_request(c, j->id, jn->node, job_incarnation(j), at_once, true);
}

void node_drain_for(struct cluster *c, struct node *n, uint32_t job, const struct node_fault *fault,
                usec_t now) {
        cluster_log(c, job, n, "Node %s is drained: %s", n->name, fault->error);
        if (n->flags & NODE_DRAIN) /* the first reason stays, as in Slurm */
                return;
        node_set_reason(c, n, fault->reason, c->config->slurm_uid, now);
        node_flag(c, n, NODE_DRAIN, 0, now);
}

void job_gone(struct cluster *c, struct job *j, struct node *n, const struct node_fault *fault,
                usec_t now) {
        struct job_node *jn = job_node_find(j, n);

        if (!jn || jn->done || !j->completing)
                return;
        if (fault)
                node_drain_for(c, n, j->id, fault, now);
        job_let_go(c, j, jn, now);
}

void job_kill_due(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        struct node *n = jn->node;
        bool again = !jn->overdue;

        jn->due = 0;
        jn->overdue = true;
        if (!n->connected && c->config->slurmd_timeout)
                return;
        if (again) {
                cluster_log(c, j->id, n, "JobId=%u: %s has not confirmed its end, asking again",
                                j->id, n->name);
                job_kill_node(c, j, jn, now);
                cluster_job_changed(c, j);
                return;
        }
        if (!n->connected)
                cluster_log(c, j->id, n, "JobId=%u does not wait for %s any longer", j->id,
                                n->name);
        job_gone(c, j, n, n->connected ? &silent : NULL, now);
}

/* ---- strays ---- */

void node_end_stray(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts, bool epilog,
                usec_t now) {
        GROW(n->strays, n->a_strays, n->n_strays);
        n->strays[n->n_strays++] = (struct stray){ .job = id,
                .restarts = restarts,
                .due = kill_deadline(c, now) };
        termination_request(c, id, n, restarts, true, epilog);
        node_rearm(c, n, now);
}

static void stray_gone(struct cluster *c, struct node *n, size_t at, const struct node_fault *fault,
                usec_t now) {
        uint32_t id = n->strays[at].job;

        n->strays[at] = n->strays[--n->n_strays];
        if (n->n_strays == 0 && n->changeable) /* n may be rebooted for a job now */
                note(c, FACT_NODE_USABLE);
        if (fault)
                node_drain_for(c, n, id, fault, now);
        note_node(c, FACT_LAUNCH_POSSIBLE, n);
}

void strays_due(struct cluster *c, struct node *n, usec_t now) {
        for (size_t i = n->n_strays; n->connected && i-- > 0;) {
                struct stray *s = &n->strays[i];
                if (s->due > now)
                        continue;
                if (s->overdue) {
                        stray_gone(c, n, i, &silent, now);
                        continue;
                }
                s->overdue = true;
                s->due = kill_deadline(c, now);
                termination_request(c, s->job, n, s->restarts, true, false);
        }
}

/* Returns the index of the stray; SIZE_MAX if none. */
static size_t stray_at(const struct node *n, uint32_t id, uint32_t restarts) {
        for (size_t i = 0; i < n->n_strays; i++)
                if (n->strays[i].job == id && n->strays[i].restarts == restarts)
                        return i;
        return SIZE_MAX;
}

void node_job_gone(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts,
                const struct node_fault *fault, usec_t now) {
        size_t stray = stray_at(n, id, restarts);
        struct job *j = cluster_job(c, id);

        if (stray != SIZE_MAX)
                stray_gone(c, n, stray, fault, now);
        else if (j && restarts == job_incarnation(j))
                job_gone(c, j, n, fault, now);
}

void node_job_busy(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts, usec_t now) {
        size_t stray = stray_at(n, id, restarts);
        struct job *j = cluster_job(c, id);
        struct job_node *jn = j && j->completing && restarts == job_incarnation(j)
                                              ? job_node_find(j, n)
                                              : NULL;

        if (stray != SIZE_MAX) {
                n->strays[stray].overdue = false;
                n->strays[stray].due = kill_deadline(c, now);
                node_rearm(c, n, now);
        } else if (jn && !jn->done) {
                jn->overdue = false;
                job_set_due(c, j, jn, kill_deadline(c, now));
        }
}
