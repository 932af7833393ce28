/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/listen.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/job_deadline.h"
#include "controller/indexes/node_deadline.h"

/* Time to read messages sent before the pause. */
#define READING_TIME (2 * USEC_PER_SEC)

static void listen_set_awaited(struct cluster *c, struct node *n, bool awaited) {
        c->listen.n_awaited += (size_t)awaited - (size_t)n->awaited;
        n->awaited = awaited;
}

/* True if the agent may have reports: the node is in service, or its boot should be over. */
static bool may_speak(const struct node *n, usec_t now) {
        if (n->base == NODE_FUTURE || n->base == NODE_DOWN)
                return false;
        return n->power == NODE_ON ||
               (n->power == NODE_POWERING_UP && node_power_deadline(n) <= now + READING_TIME);
}

void listen_begin(struct cluster *c, usec_t stood, usec_t now) {
        usec_t wait = c->listen.until ? MIN(stood, LISTEN_TIME) : LISTEN_TIME;

        c->listen.from = now;
        c->listen.until = MAX(c->listen.until, now + wait);
        c->listen.n_awaited = 0; /* awaited nodes may be removed from the configuration */
        for (size_t i = 0; i < c->n_nodes; i++) {
                c->nodes[i]->awaited = false;
                listen_set_awaited(c, c->nodes[i], may_speak(c->nodes[i], now));
                if (c->nodes[i]->connected)
                        listen_ask(c, c->nodes[i], now);
        }
        cluster_arm(c, c->listen.until, DEADLINE_TURN, 0);
}

/* ---- orders held back ---- */

void listen_hold(struct cluster *c, usec_t since) {
        if (!c->listen.held)
                c->listen.held = since;
}

static bool deadline_extend(usec_t *due, usec_t by) {
        if (*due == 0 || *due == NO_LIMIT)
                return false;
        *due += by;
        return true;
}

static void put_off_job(struct cluster *c, struct job *j, usec_t by) {
        bool changed = deadline_extend(&j->running.launch_due, by);

        changed |= deadline_extend(&j->stopping.grace_end, by);
        changed |= deadline_extend(&j->stopping.stop_at, by);
        changed |= deadline_extend(&j->stopping.answers_due, by);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                changed |= !j->placed.alloc[i].done && deadline_extend(&j->placed.alloc[i].due, by);
        if (changed)
                cluster_job_changed(c, j);
}

/* A power program decided on meanwhile starts now. */
static void put_off_node(struct cluster *c, struct node *n, usec_t since, usec_t now) {
        bool changed = n->power_request >= since && n->power_request < now;

        if (changed)
                n->power_request = now;
        for (size_t i = 0; i < n->n_strays; i++)
                changed |= deadline_extend(&n->strays[i].due, now - since);
        if (changed)
                cluster_node_changed(c, n, now);
}

void listen_release(struct cluster *c, usec_t now) {
        usec_t since = c->listen.held;

        if (!since)
                return;
        c->listen.held = 0;
        for (size_t i = 0; i < c->n_active && now > since; i++)
                put_off_job(c, c->active[i], now - since);
        for (size_t i = 0; i < c->n_nodes && now > since; i++)
                put_off_node(c, c->nodes[i], since, now);
        listen_begin(c, now - MIN(since, now), now);
}

/* ---- agents heard ---- */

static bool has_processes(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *jn = job_node_find(n->jobs[i], n);
                if (jn->used && !jn->done)
                        return true;
        }
        return false;
}

void listen_ask(struct cluster *c, struct node *n, usec_t now) {
        n->asked_at = 0;
        if (!n->awaited && !has_processes(n))
                return;
        n->asked_at = now;
        effects_add(&c->effects, FX_PROBE)->node = n;
}

void listen_heard(struct cluster *c, struct node *n) {
        n->asked_at = 0;
        listen_set_awaited(c, n, false);
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i]->running.heard_by) {
                        n->jobs[i]->running.heard_by = 0;
                        cluster_job_rearm(c, n->jobs[i]);
                }
}

/* True for a job without nodes: no agent can report about it, so --deadline and --begin do not
   wait. */
static bool is_pending(const struct cluster *c, const struct deadline *d) {
        const struct job *j = d->kind == DEADLINE_JOB ? cluster_job(c, d->id) : NULL;

        return j && j->placed.n_alloc == 0;
}

bool listen_keeps(struct cluster *c, const struct deadline *d) {
        static const bool waits[] = {
                [DEADLINE_NODE] = true,
                [DEADLINE_JOB] = true,
                [DEADLINE_RESV] = true,
                [DEADLINE_LIMITS] = true,
        };

        bool late = c->listen.held || (c->listen.until && d->at <= c->listen.from + READING_TIME);

        if (!late || (size_t)d->kind >= ELEMENTSOF(waits) || !waits[d->kind] || is_pending(c, d))
                return false;
        GROW(c->listen.kept, c->listen.a_kept, c->listen.n_kept);
        c->listen.kept[c->listen.n_kept++] = *d;
        return true;
}

void listen_review(struct cluster *c, usec_t now) {
        if (c->listen.held || !c->listen.until || (c->listen.n_awaited && now < c->listen.until))
                return;
        c->listen.until = 0;
        for (size_t i = 0; i < c->listen.n_kept; i++)
                cluster_arm(c, c->listen.kept[i].at, (int)c->listen.kept[i].kind,
                                c->listen.kept[i].id);
        c->listen.n_kept = 0;
}

/* The end of waiting for reports of n's agent; 0: the agent was heard. */
static usec_t heard_by(const struct cluster *c, const struct node *n) {
        if (n->base == NODE_DOWN || (n->connected && !n->asked_at))
                return 0;
        return (n->connected ? n->asked_at : n->lost_since) + cluster_patience(c);
}

/* The report of a step's end came late, and delayed the srun and script waiting for it: the job
   gets the time that was left when the step ended. */
static usec_t held_up_until(const struct cluster *c, const struct job *j) {
        usec_t up = job_overtime_up(c, j), ended = j->running.steps_told - j->running.steps_late;

        if (j->running.steps_told <= j->running.resumed_at ||
                        j->running.steps_late <= READING_TIME || up == NO_LIMIT || ended >= up)
                return 0;
        return j->running.steps_told + (up - ended);
}

/* The end of a step is reported when its srun has all output; after a start of the controller sruns
   connect later than agents. */
static usec_t sruns_return_by(const struct cluster *c, const struct job *j) {
        for (size_t i = 0; i < j->running.n_steps && c->listen.from; i++)
                if (j->running.steps[i].orphan_due)
                        return c->listen.from + LISTEN_TIME;
        return 0;
}

/* The end of a batch job is reported by the script's node, the end of other jobs by the steps'
   nodes. */
bool listen_for_job(const struct cluster *c, struct job *j, usec_t now) {
        size_t first = job_has_script(j) ? j->placed.batch_at : 0,
               end = job_has_script(j) ? first + 1 : j->placed.n_alloc;

        if (now < j->running.heard_by)
                return true;
        j->running.heard_by = MAX(held_up_until(c, j), sruns_return_by(c, j));
        for (size_t i = first; i < MIN(end, j->placed.n_alloc); i++)
                if (j->placed.alloc[i].used && !j->placed.alloc[i].done)
                        j->running.heard_by = MAX(j->running.heard_by,
                                        heard_by(c, j->placed.alloc[i].node));
        if (j->running.heard_by <= now)
                j->running.heard_by = 0;
        return j->running.heard_by > 0;
}
