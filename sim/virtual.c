/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each round: move to the next deadline of the core or answer of a machine; handle due events and
 * their immediate consequences (virtual_handle_due()); turn(); schedule the answers to its effects.
 *
 * Operations in progress when the cluster was copied are answered, too (virtual_expect_pending()):
 * their messages were sent, and no effect will mention them again. */
#include "sim/virtual.h"

#include "controller/indexes/listen.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/het.h"
#include "controller/nodes/node_events.h"
#include "controller/turn/turn.h"

/* Rounds without progress of time: the plan of a long queue takes very many turns. */
#define ROUNDS_MAX 1000000
/* Steps of one event (an end, its answer, dependent jobs...); the rest follows after the next
   decisions. */
#define SETTLE_MAX 100

enum answer_kind {
        ANSWER_BOOTED,
        ANSWER_LAUNCHED,
        ANSWER_PROLOG,
        ANSWER_HOOK,
        ANSWER_FROZEN,
        ANSWER_GONE,
        ANSWER_OVER,
        ANSWER_OFF,
        ANSWER_RECLAIMED,
        ANSWER_KIND_MAX,
};

struct answer {
        usec_t at;
        uint64_t sequence;
        enum answer_kind kind;
        uint32_t node, job, restarts;
        uint64_t serial; /* serial of the freeze, or power_request answered by a boot or shutdown */
        bool frozen;
};

struct virtual {
        struct cluster *c;
        usec_t now;
        struct virtual_ops ops;
        void *user;
        struct answer *heap;
        size_t n, allocated;
        uint64_t sequence;
};

/* ---- future answers: a heap ordered by time, then by request ---- */

static bool answer_before(const struct answer *a, const struct answer *b) {
        return a->at != b->at ? a->at < b->at : a->sequence < b->sequence;
}

static void answer_push(struct virtual *v, struct answer a) {
        GROW(v->heap, v->allocated, v->n);
        size_t i = v->n++;

        a.sequence = v->sequence++;
        for (; i > 0 && answer_before(&a, &v->heap[(i - 1) / 2]); i = (i - 1) / 2)
                v->heap[i] = v->heap[(i - 1) / 2];
        v->heap[i] = a;
}

static struct answer answer_pop(struct virtual *v) {
        struct answer first = v->heap[0], last = v->heap[--v->n];
        size_t i = 0;

        for (size_t child; (child = 2 * i + 1) < v->n; i = child) {
                if (child + 1 < v->n && answer_before(&v->heap[child + 1], &v->heap[child]))
                        child++;
                if (!answer_before(&v->heap[child], &last))
                        break;
                v->heap[i] = v->heap[child];
        }
        v->heap[i] = last;
        return first;
}

/* ---- machines ---- */

usec_t virtual_boot(const struct node *n) {
        if (n->boot_took)
                return n->boot_took;
        if (n->boots_in)
                return n->boots_in;
        return n->resume_timeout == NO_LIMIT ? VIRTUAL_BOOT : n->resume_timeout;
}

/* Returns the end of a boot; a late node comes up at the last moment. */
static usec_t boot_end(const struct node *n, usec_t now) {
        usec_t end = n->power_request + virtual_boot(n);

        if (end >= now)
                return end;
        return n->resume_timeout == NO_LIMIT ? now : MAX(now, n->power_request + n->resume_timeout);
}

static void expect_boot(struct virtual *v, const struct node *n) {
        usec_t takes = v->ops.boots ? v->ops.boots(n, v->user) : virtual_boot(n);

        if (takes != USEC_INFINITY)
                answer_push(v, (struct answer){ .at = v->ops.boots ? n->power_request + takes
                                                                   : boot_end(n, v->now),
                                               .kind = ANSWER_BOOTED,
                                               .node = n->index,
                                               .serial = n->power_request });
}

/* The node draws its off power even before SuspendTimeout declares it off. */
static void answer_off(struct virtual *v, const struct answer *a, struct node *n) {
        if (n->power == NODE_POWERING_DOWN && n->power_request == a->serial)
                energy_reading(v->c, n, n->figures[ENERGY_OFF], v->now);
}

static void expect_off(struct virtual *v, const struct node *n) {
        if (n->shuts_down_in)
                answer_push(v, (struct answer){ .at = n->power_request + n->shuts_down_in,
                                               .kind = ANSWER_OFF,
                                               .node = n->index,
                                               .serial = n->power_request });
}

/* Schedules the end of j, which only suspension or the time limit can change from now on. */
static void expect_over(struct virtual *v, const struct job *j) {
        usec_t runs = v->ops.runs ? v->ops.runs(j, v->user) : NO_LIMIT,
               ran = job_run_time(j, v->now);

        if (runs != NO_LIMIT)
                answer_push(v, (struct answer){ .at = v->now + (runs > ran ? runs - ran : 0),
                                               .kind = ANSWER_OVER,
                                               .node = j->placed.alloc[j->placed.batch_at]
                                                                       .node->index,
                                               .job = j->id,
                                               .restarts = j->restarts });
}

/* Handles the end of a script; after a suspension, the thaw has scheduled another end. */
static void answer_over(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);

        if (j && j->restarts == a->restarts && j->state == JOB_RUNNING && !j->completing &&
                        job_run_time(j, v->now) >= v->ops.runs(j, v->user))
                job_batch_ended(v->c, j, v->ops.status ? v->ops.status(j, v->user) : 0, false, NULL,
                                v->now, v->now);
}

static void answer_booted(struct virtual *v, const struct answer *a, struct node *n) {
        struct registration reg = { .hardware = n->configured,
                .free_memory = n->configured.memory,
                .boot_time = v->now,
                .start_time = v->now,
                .reclaims = n->reclaims,
                .swap_free = n->swap_free,
                .lacks = n->lacks };

        if (n->power_request == a->serial &&
                        (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED))
                (void)node_register(v->c, n, &reg, v->now, NULL);
}

static void answer_launched(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);

        if (!j || j->restarts != a->restarts)
                return;
        job_launched(v->c, j, NULL, v->now);
        if (j->state == JOB_RUNNING && !j->completing)
                expect_over(v, j);
}

static void answer_prolog(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);

        if (j && j->restarts == a->restarts)
                job_prolog_over(v->c, j, n);
}

static void answer_hook(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);

        (void)n;
        if (j)
                job_hook_over(v->c, j, a->serial, NULL, v->now);
}

static void answer_frozen(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);

        if (!j)
                return;
        job_frozen(v->c, j, n, a->frozen, a->serial, NULL, v->now);
        if (!a->frozen && j->state == JOB_RUNNING && !j->completing &&
                        j->placed.alloc[j->placed.batch_at].node == n)
                expect_over(v, j);
}

/* Swap is assumed to be large enough: its size is unknown. */
static void answer_reclaimed(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);
        const struct job_node *jn = j ? job_node_find(j, n) : NULL;

        if (jn)
                memory_reclaimed(v->c, j, n, a->serial, jn->memory, 0, 0, NULL, v->now);
}

static void answer_gone(struct virtual *v, const struct answer *a, struct node *n) {
        node_job_gone(v->c, n, a->job, a->restarts, NULL, v->now);
}

static void answer_handle(struct virtual *v, const struct answer *a) {
        static void (*const happenings[ANSWER_KIND_MAX])(struct virtual *, const struct answer *,
                        struct node *) = {
                [ANSWER_BOOTED] = answer_booted,
                [ANSWER_LAUNCHED] = answer_launched,
                [ANSWER_PROLOG] = answer_prolog,
                [ANSWER_HOOK] = answer_hook,
                [ANSWER_FROZEN] = answer_frozen,
                [ANSWER_GONE] = answer_gone,
                [ANSWER_OVER] = answer_over,
                [ANSWER_OFF] = answer_off,
                [ANSWER_RECLAIMED] = answer_reclaimed,
        };

        happenings[a->kind](v, a, v->c->nodes[a->node]);
}

/* ---- effects ---- */

static void answer_effect(struct virtual *v, const struct effect *fx) {
        struct answer a = { .at = v->now,
                .node = fx->node ? fx->node->index : 0,
                .job = fx->job,
                .restarts = (uint32_t)fx->serial,
                .serial = fx->serial };

        if (fx->kind == FX_LAUNCH) {
                a.kind = ANSWER_LAUNCHED;
                answer_push(v, a);
        } else if (fx->kind == FX_READY) {
                const struct job *j = cluster_job(v->c, fx->job);
                if (j && job_is_het_follower(j) &&
                                !j->completing) /* a component has no launch that tells the start */
                        expect_over(v, j);
        } else if (fx->kind == FX_HOOK) { /* takes no time */
                a.kind = ANSWER_HOOK;
                answer_push(v, a);
        } else if (fx->kind == FX_PROLOG) { /* takes no time */
                a.kind = ANSWER_PROLOG;
                bitset_for_each(i, fx->nodes) {
                        a.node = i;
                        answer_push(v, a);
                }
        } else if (fx->kind == FX_FREEZE || fx->kind == FX_THAW) {
                a.kind = ANSWER_FROZEN;
                a.frozen = fx->kind == FX_FREEZE;
                if (a.frozen)
                        a.at += v->c->config->preempt.suspend_grace;
                answer_push(v, a);
        } else if (fx->kind == FX_RECLAIM) {
                a.kind = ANSWER_RECLAIMED;
                answer_push(v, a);
        } else if (fx->kind == FX_TERMINATE) {
                a.kind = ANSWER_GONE;
                answer_push(v, a);
        } else if (fx->kind == FX_RESUME || fx->kind == FX_REBOOT) {
                bitset_for_each(i, fx->nodes)
                        expect_boot(v, v->c->nodes[i]);
        } else if (fx->kind == FX_SUSPEND) {
                bitset_for_each(i, fx->nodes)
                        expect_off(v, v->c->nodes[i]);
        } else if (fx->kind == FX_PROBE) {
                listen_heard(v->c, fx->node);
        }
}

static void virtual_run_effects(struct virtual *v) {
        struct cluster *c = v->c;
        struct effects todo = c->effects;

        c->effects = (struct effects){ 0 };
        for (size_t i = 0; i < todo.n; i++) {
                if (v->ops.effect)
                        v->ops.effect(&todo.list[i], v->now, v->user);
                answer_effect(v, &todo.list[i]);
        }
        effects_done(&todo);
        if (v->ops.turned)
                v->ops.turned(v->now, v->user);
        for (size_t i = 0; i < c->n_dirty_jobs; i++) { /* the simulation has no store */
                struct job *j = cluster_job(c, c->dirty_jobs[i]);
                if (j)
                        j->dirty = false;
        }
        c->n_dirty_jobs = 0;
        follows_nodes_done(c, FOLLOW_STORE_NODE);
        follows_nodes_done(c, FOLLOW_STORE_LATER);
}

/* ---- start ---- */

/* Assumes that all slumberds have reported: pending reports are unknown. */
static void hear_all(struct cluster *c) {
        for (size_t i = 0; i < c->n_nodes; i++)
                listen_heard(c, c->nodes[i]);
}

static void virtual_expect_job(struct virtual *v, const struct job *j) {
        if (j->running.launch_sent && !j->running.launched && !j->completing)
                answer_push(v, (struct answer){ .at = v->now,
                                               .kind = ANSWER_LAUNCHED,
                                               .node = j->placed.alloc[j->placed.batch_at]
                                                                       .node->index,
                                               .job = j->id,
                                               .restarts = j->restarts });
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct job_node *jn = &j->placed.alloc[i];
                if (jn->done)
                        continue;
                if (j->completing)
                        answer_push(v, (struct answer){ .at = v->now,
                                                       .kind = ANSWER_GONE,
                                                       .node = jn->node->index,
                                                       .job = j->id,
                                                       .restarts = job_incarnation(j) });
                else if (jn->reclaiming)
                        answer_push(v, (struct answer){ .at = v->now,
                                                       .kind = ANSWER_RECLAIMED,
                                                       .node = jn->node->index,
                                                       .job = j->id,
                                                       .serial = jn->serial });
                else if (jn->unanswered)
                        answer_push(v, (struct answer){ .at = v->now,
                                                       .kind = ANSWER_FROZEN,
                                                       .node = jn->node->index,
                                                       .job = j->id,
                                                       .serial = jn->serial,
                                                       .frozen = j->state == JOB_SUSPENDED });
        }
}

static void virtual_expect_pending(struct virtual *v) {
        for (size_t i = 0; i < v->c->n_nodes; i++) {
                const struct node *n = v->c->nodes[i];
                for (size_t k = 0; k < n->n_strays; k++)
                        answer_push(v, (struct answer){ .at = v->now,
                                                       .kind = ANSWER_GONE,
                                                       .node = n->index,
                                                       .job = n->strays[k].job,
                                                       .restarts = n->strays[k].restarts });
                if (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED)
                        expect_boot(v, n);
        }
        for (size_t i = 0; i < v->c->n_active; i++)
                virtual_expect_job(v, v->c->active[i]);
}

/* Accounts are not available in virtual time: dependencies on forgotten jobs count as satisfied. */
static void ask_no_accounts(struct virtual *v) {
        v->c->pasts.kept = false;
        while (v->c->pasts.n)
                dependencies_untold(v->c, v->c->pasts.of[0]->job, v->now);
}

struct virtual *virtual_new(struct cluster *c, usec_t now, const struct virtual_ops *ops,
                void *user) {
        struct virtual *v = xnew0(struct virtual, 1);

        v->c = c;
        v->now = now;
        v->ops = *ops;
        v->user = user;
        hear_all(c);
        virtual_expect_pending(v);
        ask_no_accounts(v);
        return v;
}

void virtual_register_all(struct virtual *v) {
        for (size_t i = 0; i < v->c->n_nodes; i++) {
                struct node *n = v->c->nodes[i];
                struct registration reg = { .hardware = n->configured,
                        .free_memory = n->configured.memory,
                        .boot_time = v->now,
                        .start_time = v->now };

                if (n->power == NODE_ON && n->base != NODE_FUTURE && !n->connected)
                        (void)node_register(v->c, n, &reg, v->now, NULL);
        }
}

struct virtual *virtual_free(struct virtual *v) {
        if (!v)
                return NULL;
        free(v->heap);
        free(v);
        return NULL;
}

/* ---- time ---- */

static void move_to(struct virtual *v, usec_t to) {
        if (to > v->now && v->ops.passes)
                v->ops.passes(v->now, to, v->user);
        v->now = to;
}

/* Returns the time of the next event inside the simulation. */
static usec_t next_inside(const struct virtual *v) {
        return MAX(v->now, MIN(v->n ? v->heap[0].at : USEC_INFINITY, cluster_next_deadline(v->c)));
}

static usec_t next_of_all(const struct virtual *v) {
        usec_t outside = v->ops.next ? v->ops.next(v->user) : USEC_INFINITY;

        return MIN(next_inside(v), MAX(outside, v->now));
}

static void answers_handle_due(struct virtual *v) {
        while (v->n && v->heap[0].at <= v->now) {
                struct answer a = answer_pop(v);
                answer_handle(v, &a);
        }
}

/* Handles all ends due now with the machines' answers: no plan is disturbed by a job just
   ending. */
static void virtual_handle_due(struct virtual *v) {
        for (unsigned i = 0; i < SETTLE_MAX; i++) {
                answers_handle_due(v);
                turn_deadlines(v->c, v->now);
                virtual_run_effects(v);
                if (next_inside(v) > v->now)
                        break;
        }
}

int virtual_run(struct virtual *v, usec_t until) {
        unsigned rounds = 0;

        assert(until >= v->now);

        /* the first round handles work pending in the copy */
        for (usec_t next = v->now; next <= until;) {
                rounds = next > v->now ? 0 : rounds + 1;
                if (rounds > ROUNDS_MAX)
                        return -ELOOP;
                move_to(v, next);
                if (next_inside(v) > v->now && v->ops.outside && v->ops.next(v->user) <= v->now)
                        v->ops.outside(v->now, v->user);
                else
                        virtual_handle_due(v);
                turn(v->c, v->now);
                virtual_run_effects(v);
                next = next_of_all(v);
                if (next > v->now && v->ops.over && v->ops.over(v->now, v->user))
                        return 0;
                if (next == USEC_INFINITY)
                        break;
        }
        if (until != USEC_INFINITY)
                move_to(v, until);
        return 0;
}
