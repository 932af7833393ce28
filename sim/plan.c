/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings are applied to the copy; virtual_run() runs; each effect of power saving becomes lines;
 * nodes that never slept are grouped by reason.
 *
 * A rate stretches one decision over minutes, node by node: consecutive decisions no further apart
 * than the rate requires are one line, at most LINE_SPAN long. A line is open, with a set of nodes,
 * while it may grow. */
#include "sim/plan.h"

#include "controller/model/array.h"
#include "controller/model/het.h"
#include "controller/nodes/veto.h"
#include "sim/virtual.h"
#include "sim/what_if.h"

#include <inttypes.h>

#define LINE_SPAN (60 * USEC_PER_SEC)
/* Cause of a decision by a user or administrator, not by power saving. */
#define ASKED UINT64_MAX
#define SOON  (UINT64_MAX - 1) /* cause: a planned start */

static const char *const action_words[] = { "suspend", "resume", "resume-fail", "reboot" };
_Static_assert(ELEMENTSOF(action_words) == PLAN_ACTION_MAX, "an action without a word");
DEFINE_STRTAB_TEXT(plan_action, action_words)

struct open_line {
        size_t at; /* index in plan.lines */
        uint64_t cause;
        struct bitset *nodes;
};

struct planner {
        struct cluster *c;
        struct plan *plan;
        const struct bitset *scope;
        /* slept: was off at some time; guessed: booted in a time only guessed. */
        struct bitset *slept, *guessed;
        struct open_line *open;
        size_t n_open, a_open;
};

/* ---- lines ---- */

/* Returns the job's ID as squeue shows. */
static char *for_job_text(const struct cluster *c, uint32_t id) {
        const struct job *j = cluster_job(c, id);

        if (j && j->het)
                return xasprintf("for job %u+%u", j->het->id, j->het_offset);
        if (j && j->array)
                return xasprintf("for job %u_%u", j->array->id, j->array_task);
        return xasprintf("for job %u", id);
}

static char *why_text(const struct cluster *c, enum plan_action action, uint64_t cause) {
        if (action == PLAN_RESUME && cause == SOON)
                return xstrdup("needed soon, warm_up");
        if (action == PLAN_RESUME)
                return cause ? for_job_text(c, (uint32_t)cause) : xstrdup("asked for");
        if (action == PLAN_REBOOT || cause == ASKED)
                return xstrdup("asked for");
        if (action == PLAN_RESUME_FAIL)
                return xasprintf("ResumeTimeout %" PRIu64 " s reached",
                                (uint64_t)(cause / USEC_PER_SEC));
        return xasprintf("idle %" PRIu64 " s", (uint64_t)(cause / USEC_PER_SEC));
}

static void close_line(struct planner *p, size_t i) {
        struct open_line *o = &p->open[i];
        struct plan_line *l = &p->plan->lines[o->at];

        l->nodes = cluster_nodes_text(p->c, o->nodes);
        l->count = bitset_count(o->nodes);
        bitset_free(o->nodes);
        p->open[i] = p->open[--p->n_open];
}

/* Returns the maximum distance of two decisions separated only by the rate. */
static usec_t plan_rate_gap(const struct cluster *c, enum plan_action action) {
        const struct bucket *b = action == PLAN_SUSPEND ? &c->suspend_bucket : &c->resume_bucket;

        return b->rate ? 2 * MAX(60 * USEC_PER_SEC / b->rate, BUCKET_BEAT) : 0;
}

static struct open_line *open_line(struct planner *p, enum plan_action action, uint64_t cause,
                usec_t now) {
        for (size_t i = p->n_open; i-- > 0;) {
                const struct plan_line *l = &p->plan->lines[p->open[i].at];
                bool shown_apart = now / USEC_PER_SEC != l->until / USEC_PER_SEC;
                if ((now - l->until > plan_rate_gap(p->c, l->action) && shown_apart) ||
                                now - l->from >= LINE_SPAN)
                        close_line(p, i);
        }
        for (size_t i = 0; i < p->n_open; i++)
                if (p->plan->lines[p->open[i].at].action == action && p->open[i].cause == cause)
                        return &p->open[i];
        if (p->plan->n_lines >= PLAN_LINES_MAX) {
                p->plan->left_out++;
                return NULL;
        }
        GROW(p->plan->lines, p->plan->a_lines, p->plan->n_lines);
        p->plan->lines[p->plan->n_lines] = (struct plan_line){ .from = now,
                .action = action,
                .job = action == PLAN_RESUME && cause != SOON ? (uint32_t)cause : 0,
                .why = why_text(p->c, action, cause) };
        GROW(p->open, p->a_open, p->n_open);
        p->open[p->n_open] = (struct open_line){ p->plan->n_lines++, cause,
                bitset_new(p->c->n_nodes) };
        return &p->open[p->n_open++];
}

static void plan_add_line(struct planner *p, enum plan_action action, uint64_t cause,
                const struct bitset *nodes, usec_t now) {
        struct open_line *o;

        if (bitset_empty(nodes) || !(o = open_line(p, action, cause, now)))
                return;
        p->plan->lines[o->at].until = now;
        bitset_or(o->nodes, nodes);
}

/* ---- effects ---- */

static uint64_t cause_of(enum plan_action action, const struct node *n, usec_t now) {
        if (action == PLAN_RESUME_FAIL)
                return n->resume_timeout;
        bool idle = n->last_busy && n->suspend_time != NO_LIMIT &&
                    now >= n->last_busy + n->suspend_time;

        return action == PLAN_SUSPEND && idle ? n->suspend_time : ASKED;
}

/* Adds a line for each cause, of which there are few. */
static void by_cause(struct planner *p, enum plan_action action, struct bitset *nodes, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *same = bitset_new(p->c->n_nodes);

        while (!bitset_empty(nodes)) {
                uint64_t cause = cause_of(action, p->c->nodes[bitset_next(nodes, 0)], now);
                bitset_clear(same);
                bitset_for_each(i, nodes)
                        if (cause_of(action, p->c->nodes[i], now) == cause)
                                bitset_add(same, i);
                plan_add_line(p, action, cause, same, now);
                bitset_minus(nodes, same);
        }
}

/* A node needed by several jobs is reported once. */
static void plan_on_resume(struct planner *p, const struct effect *fx, struct bitset *nodes,
                usec_t now) {
        p->plan->totals.resumes += bitset_count(nodes);
        bitset_for_each(i, nodes)
                if (!p->c->nodes[i]->boot_took && !p->c->nodes[i]->boots_in)
                        bitset_add(p->guessed, i);
        for (size_t i = 0; i < fx->n_wakes; i++) {
                _cleanup_(bitset_freep) struct bitset *part = bitset_copy(fx->wakes[i].nodes);
                bitset_and(part, nodes);
                plan_add_line(p, PLAN_RESUME, fx->wakes[i].job, part, now);
                bitset_minus(nodes, part);
        }
        _cleanup_(bitset_freep) struct bitset *soon = bitset_copy(p->c->warm);
        bitset_and(soon, nodes);
        plan_add_line(p, PLAN_RESUME, SOON, soon, now);
        bitset_minus(nodes, soon);
        plan_add_line(p, PLAN_RESUME, 0, nodes, now);
}

static void plan_on_effect(const struct effect *fx, usec_t now, void *user) {
        struct planner *p = user;
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;

        if (fx->kind != FX_SUSPEND && fx->kind != FX_RESUME && fx->kind != FX_RESUME_FAIL &&
                        fx->kind != FX_REBOOT)
                return;
        nodes = bitset_copy(fx->nodes);
        bitset_and(nodes, p->scope);
        if (fx->kind == FX_SUSPEND) {
                bitset_or(p->slept, nodes);
                p->plan->totals.suspends += bitset_count(nodes);
                by_cause(p, PLAN_SUSPEND, nodes, now);
        } else if (fx->kind == FX_RESUME) {
                plan_on_resume(p, fx, nodes, now);
        } else if (fx->kind == FX_RESUME_FAIL) {
                p->plan->totals.failures += bitset_count(nodes);
                by_cause(p, PLAN_RESUME_FAIL, nodes, now);
        } else {
                by_cause(p, PLAN_REBOOT, nodes, now);
        }
}

static size_t count_on(const struct planner *p) {
        return p->plan->totals.nodes - bitset_count_and(p->scope, p->c->power[NODE_POWERED_DOWN]);
}

static void plan_on_passes(usec_t from, usec_t to, void *user) {
        struct planner *p = user;

        p->plan->totals.on += count_on(p) * (to - from);
}

/* ---- nodes that stay awake ---- */

static const char *why_busy(const struct node *n) {
        if (node_has_suspended(n))
                return "holds suspended jobs";
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i]->needs.time_limit == NO_LIMIT)
                        return "runs a job without a time limit";
        return "runs jobs";
}

/* Returns the first reason, in the order of should_sleep() of power_save.c. */
static char *why_awake(const struct cluster *c, const struct node *n) {
        if (n->base == NODE_UNKNOWN)
                return xstrdup("has never registered");
        if (n->n_jobs)
                return xstrdup(why_busy(n));
        if (n->power == NODE_POWERING_UP || n->flags & NODE_REBOOT_ISSUED)
                return xstrdup("boots");
        if (node_is_vetoed(n))
                return xasprintf("a veto of its agent: %s", n->veto);
        if (bitset_has(c->to_suspend, n->index))
                return xstrdup("waits for its turn by SuspendRate");
        if (n->own_suspend_time == NO_LIMIT)
                return xstrdup("SuspendTime=INFINITE of the node");
        for (size_t i = 0; n->suspend_time == NO_LIMIT && i < n->n_partitions; i++)
                if (n->partitions[i]->suspend_time == NO_LIMIT)
                        return xasprintf("SuspendTime=INFINITE of partition %s",
                                        n->partitions[i]->name);
        if (n->suspend_time == NO_LIMIT)
                return xstrdup("SuspendTime=INFINITE");
        if (exclusion_of(c, n))
                return xstrdup(exclusion_of(c, n));
        if (bitset_has(c->exclusions.held, n->index))
                return xstrdup("a count in SuspendExcNodes");
        return xstrdup(n->last_busy ? "not idle for its SuspendTime yet"
                                    : "is not counted as idle");
}

struct reason {
        char *why;
        struct bitset *nodes;
};

static void add_awake(struct planner *p, struct reason **list, size_t *n, char *why, size_t node) {
        size_t i = 0;

        while (i < *n && !streq((*list)[i].why, why))
                i++;
        if (i == *n) {
                *list = xrenew(*list, *n + 1);
                (*list)[(*n)++] = (struct reason){ TAKE(why), bitset_new(p->c->n_nodes) };
        }
        bitset_add((*list)[i].nodes, node);
        free(why);
}

static void tell_awake(struct planner *p) {
        _cleanup_(bitset_freep) struct bitset *awake = bitset_copy(p->scope);
        _cleanup_free_ struct reason *list = NULL;
        size_t n = 0;

        bitset_minus(awake, p->slept);
        bitset_for_each(i, awake)
                add_awake(p, &list, &n,
                                p->c->power_save ? why_awake(p->c, p->c->nodes[i])
                                                 : xstrdup("power saving is off"),
                                i);
        for (size_t i = 0; i < n; i++) {
                GROW(p->plan->awake, p->plan->a_awake, p->plan->n_awake);
                p->plan->awake[p->plan->n_awake++] = (struct plan_awake){
                        bitset_count(list[i].nodes), cluster_nodes_text(p->c, list[i].nodes),
                        list[i].why
                };
                bitset_free(list[i].nodes);
        }
}

/* ---- the plan ---- */

static struct bitset *make_scope(const struct cluster *c, const struct bitset *nodes) {
        struct bitset *scope = bitset_new(c->n_nodes);

        for (size_t i = 0; i < c->n_nodes; i++)
                if ((!nodes || bitset_has(nodes, i)) && c->nodes[i]->base != NODE_FUTURE)
                        bitset_add(scope, i);
        return scope;
}

static size_t count_endless(const struct cluster *c, const struct bitset *scope) {
        size_t n = 0;

        for (size_t i = 0; i < c->n_active; i++)
                n += c->active[i]->needs.time_limit == NO_LIMIT && !c->active[i]->completing &&
                     bitset_overlaps(c->active[i]->placed.nodes, scope);
        return n;
}

int plan_make(struct cluster *c, const struct plan_request *req, usec_t now, struct plan *ret,
                struct fail *fail) {
        static const struct virtual_ops ops = { .effect = plan_on_effect,
                .passes = plan_on_passes };
        _cleanup_(bitset_freep) struct bitset *scope = make_scope(c, req->nodes), *slept = NULL,
                                              *guessed = NULL;
        struct planner p = { .c = c, .plan = ret, .scope = scope };

        *ret = (struct plan){ .start = now, .end = now + req->horizon };
        int r = what_if_apply(c, req->settings, req->n_settings, now, fail);
        if (r < 0)
                return r;
        slept = p.slept = bitset_copy(c->power[NODE_POWERED_DOWN]);
        bitset_or(slept, c->power[NODE_POWERING_DOWN]);
        guessed = p.guessed = bitset_new(c->n_nodes);
        ret->totals.nodes = bitset_count(scope);
        ret->totals.on_start = count_on(&p);
        ret->off_because = xstrdup(c->power_save_off_because);
        ret->endless_jobs = count_endless(c, scope);
        _cleanup_(virtual_freep) struct virtual *v = virtual_new(c, now, &ops, &p);
        r = virtual_run(v, ret->end);
        while (p.n_open)
                close_line(&p, p.n_open - 1);
        free(p.open);
        if (r < 0)
                return fail_set(fail, r,
                                "the plan does not come to an end: one decision leads to another without time passing");
        ret->totals.on_end = count_on(&p);
        ret->guessed_boots = bitset_count(guessed);
        tell_awake(&p);
        return 0;
}

void plan_done(struct plan *p) {
        for (size_t i = 0; i < p->n_lines; i++) {
                free(p->lines[i].nodes);
                free(p->lines[i].why);
        }
        for (size_t i = 0; i < p->n_awake; i++) {
                free(p->awake[i].nodes);
                free(p->awake[i].why);
        }
        free(p->lines);
        free(p->awake);
        free(p->off_because);
        *p = (struct plan){ 0 };
}
