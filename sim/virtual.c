/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One round: the next of core's deadlines and the machines' answers -> what is due happens -> turn() -> its effects
 * become answers to come.  Answers of the same moment are given together, as the daemon reads many messages in a turn.
 *
 * What was under way when the cluster was copied is answered too (take_up): its messages have left, and no effect speaks
 * of them any more. */
#include "sim/virtual.h"

#include "controller/core/job_events.h"
#include "controller/core/node_events.h"
#include "controller/turn.h"

#define ROUNDS_MAX 10000 /* without time moving */

enum answer_kind {
        ANSWER_BOOTED,
        ANSWER_LAUNCHED,
        ANSWER_FROZEN,
        ANSWER_GONE,
        ANSWER_KIND_MAX,
};

struct answer {
        usec_t at;
        uint64_t sequence;
        enum answer_kind kind;
        uint32_t node, job, restarts;
        uint64_t serial; /* of the freeze; the power_request that a boot answers */
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

/* ---- answers to come: a heap, earliest first, then first asked ---- */

static bool before(const struct answer *a, const struct answer *b) {
        return a->at != b->at ? a->at < b->at : a->sequence < b->sequence;
}

static void expect(struct virtual *v, struct answer a) {
        GROW(v->heap, v->allocated, v->n);
        size_t i = v->n++;

        a.sequence = v->sequence++;
        for (; i > 0 && before(&a, &v->heap[(i - 1) / 2]); i = (i - 1) / 2)
                v->heap[i] = v->heap[(i - 1) / 2];
        v->heap[i] = a;
}

static struct answer take_first(struct virtual *v) {
        struct answer first = v->heap[0], last = v->heap[--v->n];
        size_t i = 0;

        for (size_t child; (child = 2 * i + 1) < v->n; i = child) {
                if (child + 1 < v->n && before(&v->heap[child + 1], &v->heap[child]))
                        child++;
                if (!before(&v->heap[child], &last))
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
        return n->resume_timeout == NO_LIMIT ? VIRTUAL_BOOT : n->resume_timeout;
}

/* One that is late already comes at the last moment. */
static usec_t boot_end(const struct node *n, usec_t now) {
        usec_t end = n->power_request + virtual_boot(n);

        if (end >= now)
                return end;
        return n->resume_timeout == NO_LIMIT ? now : MAX(now, n->power_request + n->resume_timeout);
}

static void expect_boot(struct virtual *v, const struct node *n) {
        expect(v, (struct answer){ .at = boot_end(n, v->now), .kind = ANSWER_BOOTED, .node = n->index,
                                  .serial = n->power_request });
}

static void on_booted(struct virtual *v, const struct answer *a, struct node *n) {
        struct registration reg = { .hardware = n->configured, .free_memory = n->configured.memory,
                .boot_time = v->now, .start_time = v->now };

        if (n->power_request == a->serial && (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED))
                (void)node_register(v->c, n, &reg, v->now, NULL);
}

static void on_launched(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);

        if (j && j->restarts == a->restarts)
                job_launched(v->c, j, NULL, v->now);
}

static void on_frozen(struct virtual *v, const struct answer *a, struct node *n) {
        struct job *j = cluster_job(v->c, a->job);

        if (j)
                job_frozen(v->c, j, n, a->frozen, a->serial, NULL, v->now);
}

static void on_gone(struct virtual *v, const struct answer *a, struct node *n) {
        node_job_gone(v->c, n, a->job, a->restarts, NULL, v->now);
}

static void happen(struct virtual *v, const struct answer *a) {
        static void (*const happenings[ANSWER_KIND_MAX])(struct virtual *, const struct answer *, struct node *) = {
                [ANSWER_BOOTED] = on_booted,
                [ANSWER_LAUNCHED] = on_launched,
                [ANSWER_FROZEN] = on_frozen,
                [ANSWER_GONE] = on_gone,
        };

        happenings[a->kind](v, a, v->c->nodes[a->node]);
}

/* ---- effects ---- */

static void answer_effect(struct virtual *v, const struct effect *fx) {
        struct answer a = { .at = v->now, .node = fx->node ? fx->node->index : 0, .job = fx->job,
                .restarts = (uint32_t)fx->serial, .serial = fx->serial };

        if (fx->kind == FX_LAUNCH) {
                a.kind = ANSWER_LAUNCHED;
                expect(v, a);
        } else if (fx->kind == FX_FREEZE || fx->kind == FX_THAW) {
                a.kind = ANSWER_FROZEN;
                a.frozen = fx->kind == FX_FREEZE;
                expect(v, a);
        } else if (fx->kind == FX_TERMINATE) {
                a.kind = ANSWER_GONE;
                expect(v, a);
        } else if (fx->kind == FX_RESUME || fx->kind == FX_REBOOT) {
                bitset_for_each(i, fx->nodes)
                        expect_boot(v, v->c->nodes[i]);
        }
}

static void carry_out(struct virtual *v) {
        struct cluster *c = v->c;
        struct effects todo = c->effects;

        c->effects = (struct effects){ 0 };
        for (size_t i = 0; i < todo.n; i++) {
                if (v->ops.effect)
                        v->ops.effect(&todo.list[i], v->now, v->user);
                answer_effect(v, &todo.list[i]);
        }
        effects_done(&todo);
        for (size_t i = 0; i < c->n_dirty_jobs; i++) { /* there is no store */
                struct job *j = cluster_job(c, c->dirty_jobs[i]);
                if (j)
                        j->dirty = false;
        }
        c->n_dirty_jobs = 0;
        bitset_clear(c->dirty_nodes);
}

/* ---- the beginning ---- */

static void take_up_job(struct virtual *v, const struct job *j) {
        for (size_t i = 0; i < j->n_alloc; i++) {
                const struct job_node *jn = &j->alloc[i];
                if (jn->done)
                        continue;
                if (j->completing)
                        expect(v, (struct answer){ .at = v->now, .kind = ANSWER_GONE, .node = jn->node->index,
                                                  .job = j->id, .restarts = job_incarnation(j) });
                else if (jn->unanswered)
                        expect(v, (struct answer){ .at = v->now, .kind = ANSWER_FROZEN, .node = jn->node->index,
                                                  .job = j->id, .serial = jn->serial,
                                                  .frozen = j->state == JOB_SUSPENDED });
        }
}

static void take_up(struct virtual *v) {
        for (size_t i = 0; i < v->c->n_nodes; i++) {
                const struct node *n = v->c->nodes[i];
                for (size_t k = 0; k < n->n_strays; k++)
                        expect(v, (struct answer){ .at = v->now, .kind = ANSWER_GONE, .node = n->index,
                                                  .job = n->strays[k].job, .restarts = n->strays[k].restarts });
                if (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED)
                        expect_boot(v, n);
        }
        for (size_t i = 0; i < v->c->n_active; i++)
                take_up_job(v, v->c->active[i]);
}

struct virtual *virtual_new(struct cluster *c, usec_t now, const struct virtual_ops *ops, void *user) {
        struct virtual *v = xnew0(struct virtual, 1);

        v->c = c;
        v->now = now;
        v->ops = *ops;
        v->user = user;
        take_up(v);
        return v;
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

int virtual_run(struct virtual *v, usec_t until) {
        unsigned rounds = 0;

        assert(until >= v->now);

        for (usec_t next = v->now; next <= until;) { /* the first round: what the copy has left undone */
                rounds = next > v->now ? 0 : rounds + 1;
                if (rounds > ROUNDS_MAX)
                        return -ELOOP;
                move_to(v, next);
                for (size_t n = v->n; n > 0 && v->n && v->heap[0].at <= v->now; n--) {
                        struct answer a = take_first(v);
                        happen(v, &a);
                }
                turn(v->c, v->now);
                carry_out(v);
                next = MAX(v->now, MIN(v->n ? v->heap[0].at : USEC_INFINITY, cluster_next_deadline(v->c)));
        }
        move_to(v, until);
        return 0;
}
