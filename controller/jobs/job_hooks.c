/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prolog and Epilog, as far as they decide about a job.
 *
 * On nodes: slumberd runs Prolog before a job's first step there. With PrologFlags=Alloc
 * slumberctld requests the prolog at the allocation, and the job stays CONFIGURING until all
 * needed nodes (prolog_is_needed()) have answered. The requests may be repeated: slumberd
 * remembers finished prologs. A prolog may take any time, so silent nodes are asked again now and
 * then. Epilog belongs to a job's end (job_kill.c): a node is busy with the job until Epilog has
 * ended.
 *
 * With PrologFlags=Contain the same request makes the job's extern step on the node; the step
 * daemon, once up, answers after the prolog. A node without the extern step is asked again.
 *
 * On the controller: PrologSlurmctld begins at the allocation, EpilogSlurmctld at the job's end,
 * in parallel with Prolog and Epilog on the nodes. EpilogSlurmctld runs for each allocation after
 * a finished PrologSlurmctld or a begun job. If an allocation ends during PrologSlurmctld,
 * PrologSlurmctld is ended first. Each run has a number within the job, so the program runs once
 * (FX_HOOK may be repeated), and the job is CONFIGURING or COMPLETING until the run is over. */
#include "controller/indexes/changed.h"
#include "controller/indexes/job_deadline.h"
#include "controller/jobs/job_events.h"

#define PROLOG_AGAIN (5 * 60 * USEC_PER_SEC)

/* Returns whether j's launch waits for the prolog on the node at. */
static bool prolog_is_needed(const struct cluster *c, const struct job *j, size_t at) {
        unsigned flags = c->config->prolog_flags;

        return j->asked.batch ? flags & PROLOG_DEFER || at == j->placed.batch_at
                              : !(flags & PROLOG_NOHOLD);
}

/* Makes j's extern step (PrologFlags=Contain): on all nodes, without a task or resources. */
static void make_extern(struct cluster *c, struct job *j, usec_t now) {
        size_t n = j->placed.n_alloc;
        struct step *s = job_step_add(j);

        s->id = STEP_EXTERN;
        s->name = xstrdup("extern");
        s->nodes = bitset_new(n);
        s->ended = bitset_new(n);
        s->launched = bitset_new(n);
        s->start_time = now;
        s->num_tasks = (uint32_t)n;
        s->cpus = j->placed.num_cpus;
        s->n_tasks_on = n;
        s->tasks = xnew(uint32_t, n);
        s->taken = xnew0(uint32_t, n);
        for (size_t i = 0; i < n; i++) {
                bitset_add(s->nodes, i);
                s->tasks[i] = 1;
        }
        energy_step_begins(j, s, now);
        cluster_job_changed(c, j);
}

/* Asks for the prolog on all nodes of j that are up and have not been asked. */
static void prolog_request(struct cluster *c, struct job *j) {
        struct bitset *nodes = NULL;

        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                if (jn->done || jn->prolog != PROLOG_NONE || !node_is_ready(jn->node))
                        continue;
                nodes = nodes ? nodes : bitset_new(c->n_nodes);
                bitset_add(nodes, jn->node->index);
                jn->prolog = PROLOG_ASKED;
                jn->used = true;
                j->running.prologs++;
        }
        if (!nodes)
                return;
        struct effect *fx = effects_add(&c->effects, FX_PROLOG);
        fx->job = j->id;
        fx->serial = j->restarts;
        fx->nodes = nodes;
        cluster_job_changed(c, j);
}

bool job_prologs_over(struct cluster *c, struct job *j, usec_t now) {
        bool over = j->running.hook != HOOKS_PROLOG;

        if (!(c->config->prolog_flags & PROLOG_ALLOC))
                return over;
        if (c->config->prolog_flags & PROLOG_CONTAIN && !job_step_find(j, STEP_EXTERN))
                make_extern(c, j, now);
        prolog_request(c, j);
        if (j->running.prologs && !j->running.launch_due) {
                j->running.launch_due = now + PROLOG_AGAIN;
                cluster_job_rearm(c, j);
        }
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done && j->placed.alloc[i].prolog != PROLOG_OVER)
                        over &= !prolog_is_needed(c, j, i);
        return over;
}

void job_extern_again(struct cluster *c, struct job *j) {
        if (j->state == JOB_RUNNING && !j->completing && !j->configuring &&
                        job_step_find(j, STEP_EXTERN))
                prolog_request(c, j);
}

/* Sets the prolog state of jn; an open request no longer counts. */
static void prolog_set_state(struct job *j, struct job_node *jn, enum node_prolog now) {
        j->running.prologs -= jn->prolog == PROLOG_ASKED;
        jn->prolog = now;
}

/* Marks the extern step, if j has one, as running on jn's node. */
static void extern_runs(struct cluster *c, struct job *j, const struct job_node *jn) {
        struct step *s = job_step_find(j, STEP_EXTERN);
        size_t at = (size_t)(jn - j->placed.alloc);

        if (!s)
                return;
        bitset_del(s->ended, at); /* the node may have lost an earlier extern step */
        bitset_add(s->launched, at);
        cluster_job_changed(c, j);
}

void job_prolog_over(struct cluster *c, struct job *j, struct node *n) {
        struct job_node *jn = job_node_find(j, n);

        if (!jn || jn->done || jn->prolog != PROLOG_ASKED)
                return;
        prolog_set_state(j, jn, PROLOG_OVER);
        extern_runs(c, j, jn);
        if (j->running.prologs == 0 || jn == &j->placed.alloc[j->placed.batch_at])
                note_node(c, FACT_LAUNCH_POSSIBLE, n);
}

void job_prolog_again(struct job *j, struct job_node *jn) {
        if (jn->prolog == PROLOG_ASKED)
                prolog_set_state(j, jn, PROLOG_NONE);
}

void job_prologs_due(struct cluster *c, struct job *j) {
        if (!j->running.prologs)
                return;
        cluster_log(c, j->id, NULL, "JobId=%u waits for the prologs of %u nodes, asking again",
                        j->id, j->running.prologs);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                /* a disconnected node is asked when it registers */
                if (j->placed.alloc[i].node->connected)
                        job_prolog_again(j, &j->placed.alloc[i]);
        note_node(c, FACT_LAUNCH_POSSIBLE, j->placed.alloc[j->placed.batch_at].node);
}

void job_extern_found(struct cluster *c, struct job *j, struct job_node *jn, bool there) {
        if (!job_step_find(j, STEP_EXTERN) || j->completing)
                return;
        prolog_set_state(j, jn, there ? PROLOG_OVER : PROLOG_NONE);
        if (there)
                extern_runs(c, j, jn);
        note_node(c, FACT_LAUNCH_POSSIBLE, jn->node);
}

/* ---- PrologSlurmctld, EpilogSlurmctld ---- */

static void hook_effect(struct cluster *c, const struct job *j, enum effect_kind kind, bool end) {
        struct effect *fx = effects_add(&c->effects, kind);

        fx->job = j->id;
        fx->serial = j->running.hooks;
        fx->now = end;
}

static void controller_hook_begin(struct cluster *c, struct job *j, enum job_hook hook) {
        j->running.hook = hook;
        j->running.hooks++;
        j->running.hook_away = false;
        hook_effect(c, j, FX_HOOK, false);
        cluster_job_changed(c, j);
}

void job_hook_allocated(struct cluster *c, struct job *j) {
        j->running.hook = HOOKS_NONE;
        if (!isempty(c->config->prolog_slurmctld))
                controller_hook_begin(c, j, HOOKS_PROLOG);
}

void job_hook_leaves(struct cluster *c, struct job *j, bool began) {
        if (j->running.hook == HOOKS_PROLOG)
                /* EpilogSlurmctld begins when PrologSlurmctld has ended */
                hook_effect(c, j, FX_HOOK, true);
        else if ((j->running.hook == HOOKS_READY || (began && j->running.hook == HOOKS_NONE)) &&
                        !isempty(c->config->epilog_slurmctld))
                controller_hook_begin(c, j, HOOKS_EPILOG);
}

bool job_hook_ended(struct cluster *c, struct job *j, uint64_t number, const char *error) {
        bool epilog = j->running.hook == HOOKS_EPILOG;

        if (!job_hook_runs(j) || j->running.hooks != number)
                return false;
        if (error)
                cluster_log(c, j->id, NULL, "%s of JobId=%u failed: %s",
                                epilog ? "EpilogSlurmctld" : "PrologSlurmctld", j->id, error);
        hook_effect(c, j, FX_HOOK_OVER, false);
        j->running.hook = epilog ? HOOKS_OVER : HOOKS_READY;
        cluster_job_changed(c, j);
        return true;
}

void job_hook_restarted(struct cluster *c, const struct job *j) {
        if (!job_hook_runs(j))
                return;
        hook_effect(c, j, FX_HOOK, false);
        if (j->running.hook == HOOKS_PROLOG && j->completing)
                hook_effect(c, j, FX_HOOK, true);
}
