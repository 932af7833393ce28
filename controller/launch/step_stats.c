/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sstat: the current usage of running steps. Each node is asked once about all its steps. The reply
 * is sent when all nodes have answered or after ANSWER_MAX, and then lists the silent nodes, so
 * that a hanging node delays only this reply. No usage is stored. */
#include "controller/launch/step_stats.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/ended_step.h"
#include "controller/model/energy.h"
#include "lib/hostlist.h"
#include "lib/step/measure_wire.h"

#define ANSWER_MAX    (5 * USEC_PER_SEC)
#define QUESTIONS_MAX 256       /* in progress */
#define PARTS_MAX     (1 << 18) /* steps times nodes in one query */
#define PIDS_MAX      (1 << 16) /* of one step on a node */

struct part { /* a step on a node */
        char *node;
        size_t step;
        bool known, absent; /* the node has answered; absent: without such a step */
        uint32_t *pids;
        size_t n_pids;
};

struct asked {
        uint32_t job, id, part, restarts, num_tasks;
        enum slumber_error error; /* the step is not queried */
        uint64_t energy;          /* mJ */
        struct hostlist *nodes;
        struct measures measures;
};

struct question {
        struct controller *ctl;
        uint64_t id;
        struct address to;
        sd_event_source *timer;
        struct asked *steps;
        size_t n_steps;
        struct part *parts; /* sorted by node */
        size_t n_parts, allocated, n_waiting;
};

struct step_stats {
        struct question *list[QUESTIONS_MAX];
        size_t n;
        uint64_t last_id;
};

static void question_free(struct question *q) {
        struct step_stats *all = q->ctl->step_stats;

        for (size_t i = 0; i < all->n; i++)
                if (all->list[i] == q)
                        all->list[i--] = all->list[--all->n];
        for (size_t i = 0; i < q->n_steps; i++) {
                hostlist_free(q->steps[i].nodes);
                measures_done(&q->steps[i].measures);
        }
        for (size_t i = 0; i < q->n_parts; i++) {
                free(q->parts[i].node);
                free(q->parts[i].pids);
        }
        sd_event_source_disable_unref(q->timer);
        address_done(&q->to);
        free(q->steps);
        free(q->parts);
        free(q);
}

/* ---- the answer ---- */

struct answer { /* for one step */
        Slumber__StepStatOf m;
        Slumber__StepName name;
        Slumber__NodePids *pids;
};

static void answer_nodes(struct answer *a, const struct question *q, size_t step) {
        _cleanup_(hostlist_freep) struct hostlist *silent = hostlist_new();
        size_t n = hostlist_count(q->steps[step].nodes);

        a->pids = xnew(Slumber__NodePids, n + 1);
        a->m.pids = xnew(Slumber__NodePids *, n + 1);
        for (size_t i = 0; i < q->n_parts; i++) {
                const struct part *p = &q->parts[i];
                if (p->step != step || p->absent)
                        continue;
                if (!p->known) {
                        hostlist_push(silent, p->node);
                        continue;
                }
                Slumber__NodePids *to = a->m.pids[a->m.n_pids] = &a->pids[a->m.n_pids];
                a->m.n_pids++;
                slumber__node_pids__init(to);
                to->node = p->node;
                to->pids = p->pids;
                to->n_pids = p->n_pids;
        }
        hostlist_sort(silent);
        a->m.silent = hostlist_text(silent);
}

static void answer_fill(struct answer *a, const struct question *q, size_t step) {
        const struct asked *s = &q->steps[step];

        slumber__step_stat_of__init(&a->m);
        slumber__step_name__init(&a->name);
        a->name.job_id = s->job;
        a->name.step_id = s->id;
        a->name.part = s->part;
        a->m.step = &a->name;
        a->m.code = (uint32_t)s->error;
        a->m.num_tasks = s->num_tasks;
        a->m.energy = s->energy;
        a->m.nodes = s->nodes ? hostlist_text(s->nodes) : xstrdup("");
        a->m.measures = measures_pack(&s->measures);
        a->m.n_measures = MEASURE_MAX;
        if (s->nodes)
                answer_nodes(a, q, step);
        else
                a->m.silent = xstrdup("");
}

static void question_answer(struct question *q) {
        Slumber__StepStatReply m = SLUMBER__STEP_STAT_REPLY__INIT;
        _cleanup_free_ struct answer *list = xnew0(struct answer, q->n_steps + 1);
        _cleanup_free_ Slumber__StepStatOf **steps = xnew(Slumber__StepStatOf *, q->n_steps + 1);

        m.steps = steps;
        for (; m.n_steps < q->n_steps; m.n_steps++) {
                answer_fill(&list[m.n_steps], q, m.n_steps);
                steps[m.n_steps] = &list[m.n_steps].m;
        }
        ENVELOPE(env, STEP_STAT_REPLY, step_stat_reply, &m);
        reply_now(&q->to, &env);
        for (size_t i = 0; i < m.n_steps; i++) {
                free(list[i].m.nodes);
                free(list[i].m.silent);
                free(list[i].m.measures);
                free(list[i].m.pids);
                free(list[i].pids);
        }
        question_free(q);
}

static int question_timeout(sd_event_source *source, uint64_t at, void *user) {
        (void)source, (void)at;
        question_answer(user);
        return 0;
}

static struct part *question_find_part(struct question *q, const char *node,
                const Slumber__StepName *name) {
        for (size_t i = FIRST_NOT(q->n_parts, k, strcmp(q->parts[k].node, node) < 0);
                        i < q->n_parts && streq(q->parts[i].node, node); i++) {
                const struct asked *s = &q->steps[q->parts[i].step];
                if (s->job == name->job_id && s->id == name->step_id &&
                                s->restarts == name->restarts)
                        return &q->parts[i];
        }
        return NULL;
}

void step_stat_answered(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__StepStat *m = env->step_stat;
        struct question *q = NULL;

        for (size_t i = 0; ctl->step_stats && i < ctl->step_stats->n; i++)
                if (ctl->step_stats->list[i]->id == env->reply_to)
                        q = ctl->step_stats->list[i];
        struct part *part = q && m->step ? question_find_part(q, p->node->name, m->step) : NULL;
        if (!part || part->known || m->n_pids > PIDS_MAX)
                return;
        part->known = true;
        part->absent = m->absent;
        part->pids = xnew(uint32_t, m->n_pids + 1);
        for (; part->n_pids < m->n_pids; part->n_pids++)
                part->pids[part->n_pids] = m->pids[part->n_pids];
        struct measures there = measures_unpack(m->measures, m->n_measures);
        measures_merge(&q->steps[part->step].measures, &there, p->node->name);
        measures_done(&there);
        if (--q->n_waiting == 0)
                question_answer(q);
}

/* ---- the question ---- */

static void question_add_part(struct question *q, size_t step, const struct node *n) {
        hostlist_push(q->steps[step].nodes, n->name);
        GROW(q->parts, q->allocated, q->n_parts);
        q->parts[q->n_parts++] = (struct part){ .node = xstrdup(n->name), .step = step };
}

static void question_add_step(struct question *q, const struct caller *caller,
                const Slumber__StepName *m) {
        const struct viewer viewer = viewer_of(q->ctl, caller);
        const struct job *j = viewer_job(&viewer, m->job_id);
        struct asked *s = &q->steps[q->n_steps];
        bool batch = m->step_id == STEP_BATCH, runs = j && j->id == m->job_id && job_is_active(j);
        const struct step *step = runs && !batch ? job_step_find(j, m->step_id) : NULL;
        if (step && m->part)
                step = m->part <= step->n_parts ? &step->parts[m->part - 1] : NULL;

        q->n_steps++;
        *s = (struct asked){ .job = m->job_id, .id = m->step_id, .part = m->part };
        if (!runs || (batch ? !j->asked.batch : !step || job_step_is_over(step)))
                s->error = SLUMBER_BAD_JOB_ID;
        else if (!job_access(caller, j))
                s->error = SLUMBER_ACCESS_DENIED;
        if (s->error)
                return;
        s->nodes = hostlist_new();
        s->restarts = j->restarts;
        s->num_tasks = batch ? 1 : step->num_tasks;
        if (batch) {
                s->energy = energy_of_batch(j, controller_now(q->ctl));
                question_add_part(q, q->n_steps - 1, j->placed.alloc[j->placed.batch_at].node);
                return;
        }
        s->energy = energy_of_step(j, step, controller_now(q->ctl));
        Slumber__Measure **ended = measures_pack(&step->measures);
        s->measures = measures_unpack(ended, MEASURE_MAX);
        free(ended);
        bitset_for_each(at, step->nodes)
                if (bitset_has(step->ended, at))
                        hostlist_push(s->nodes, j->placed.alloc[at].node->name);
                else
                        question_add_part(q, q->n_steps - 1, j->placed.alloc[at].node);
}

static int compare_part_nodes(const void *a, const void *b) {
        const struct part *x = a, *y = b;

        return strcmp(x->node, y->node);
}

/* Asks one node, to which the parts from..end belong. */
static void ask_node(struct question *q, size_t from, size_t end) {
        Slumber__StepStatAsk m = SLUMBER__STEP_STAT_ASK__INIT;
        _cleanup_free_ Slumber__StepName *names = xnew(Slumber__StepName, end - from);
        _cleanup_free_ Slumber__StepName **list = xnew(Slumber__StepName *, end - from);
        const struct node *n = cluster_node(q->ctl->cluster, q->parts[from].node);

        for (size_t i = from; i < end; i++) {
                const struct asked *s = &q->steps[q->parts[i].step];
                Slumber__StepName *name = list[m.n_steps++] = &names[i - from];
                slumber__step_name__init(name);
                name->job_id = s->job;
                name->step_id = s->id;
                name->restarts = s->restarts;
        }
        m.steps = list;
        ENVELOPE(env, STEP_STAT_ASK, step_stat_ask, &m);
        env.id = q->id;
        if (n && agent_send(q->ctl, n, &env))
                q->n_waiting += end - from;
}

static void question_ask_nodes(struct question *q) {
        list_sort(q->parts, q->n_parts, sizeof q->parts[0], compare_part_nodes);
        for (size_t from = 0, end; from < q->n_parts; from = end) {
                for (end = from + 1; end < q->n_parts; end++)
                        if (!streq(q->parts[end].node, q->parts[from].node))
                                break;
                ask_node(q, from, end);
        }
}

static int by_step(const void *a, const void *b) {
        const Slumber__StepName *x = *(Slumber__StepName *const *)a,
                                *y = *(Slumber__StepName *const *)b;
        const uint32_t keys[][2] = { { x->job_id, y->job_id }, { x->step_id, y->step_id },
                { x->part, y->part } };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i][0] != keys[i][1])
                        return keys[i][0] < keys[i][1] ? -1 : 1;
        return 0;
}

/* Returns whether b repeats a, or is a component of the step a. */
static bool is_twice(const Slumber__StepName *a, const Slumber__StepName *b) {
        return a->job_id == b->job_id && a->step_id == b->step_id &&
               (a->part == b->part || !a->part);
}

/* Refuses duplicates because each step costs its step daemons a scan of all its processes. */
static bool names_one_twice(const Slumber__StepStatQuery *m) {
        _cleanup_free_ Slumber__StepName **steps = xnew(Slumber__StepName *, m->n_steps + 1);
        size_t i = 1;

        for (size_t k = 0; k < m->n_steps; k++)
                steps[k] = m->steps[k];
        list_sort(steps, m->n_steps, sizeof *steps, by_step);
        while (i < m->n_steps && !is_twice(steps[i - 1], steps[i]))
                i++;
        return i < m->n_steps;
}

void handle_step_stat(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__StepStatQuery *m = env->step_stat_query;

        if (names_one_twice(m)) {
                reply_result(ctl, &caller->from, SLUMBER_PROTOCOL, "a step is named twice");
                return;
        }

        if (!ctl->step_stats) {
                ctl->step_stats = xnew0(struct step_stats, 1);
                /* Must differ from ids before a restart */
                ctl->step_stats->last_id = now_realtime();
        }
        struct step_stats *all = ctl->step_stats;
        if (all->n == QUESTIONS_MAX) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED,
                                "too many questions for the figures of steps are under way");
                return;
        }
        struct question *q = xnew0(struct question, 1);
        q->ctl = ctl;
        q->id = ++all->last_id;
        q->to = address_copy(&caller->from);
        q->steps = xnew0(struct asked, m->n_steps + 1);
        all->list[all->n++] = q;
        for (size_t i = 0; i < m->n_steps && q->n_parts <= PARTS_MAX; i++)
                question_add_step(q, caller, m->steps[i]);
        if (q->n_parts > PARTS_MAX) {
                reply_result(ctl, &caller->from, SLUMBER_TOO_BIG,
                                "the steps are on too many nodes for one question");
                question_free(q);
                return;
        }
        question_ask_nodes(q);
        if (q->n_waiting == 0 || sd_event_add_time_relative(ctl->event, &q->timer, CLOCK_MONOTONIC,
                                                 ANSWER_MAX, 0, question_timeout, q) < 0)
                question_answer(q);
}

void step_stats_free(struct controller *ctl) {
        while (ctl->step_stats && ctl->step_stats->n)
                question_free(ctl->step_stats->list[0]);
        free(TAKE(ctl->step_stats));
}
