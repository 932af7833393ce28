/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/limit_check.h"

#include "controller/core/array.h"

/* How each limit of resources is called, in a QOS and in an association. */
static const struct {
        enum job_reason qos[TRES_MAX], assoc[TRES_MAX];
} reasons[LIMIT_TRES_MAX] = {
        [LIMIT_GRP_TRES] = {
                { [TRES_CPU] = REASON_QOS_GRP_CPU, [TRES_MEM] = REASON_QOS_GRP_MEM, [TRES_NODE] = REASON_QOS_GRP_NODE, [TRES_BILLING] = REASON_QOS_GRP_BILLING },
                { [TRES_CPU] = REASON_ASSOC_GRP_CPU, [TRES_MEM] = REASON_ASSOC_GRP_MEM, [TRES_NODE] = REASON_ASSOC_GRP_NODE, [TRES_BILLING] = REASON_ASSOC_GRP_BILLING },
        },
        [LIMIT_MAX_TRES_JOB] = {
                { [TRES_CPU] = REASON_QOS_JOB_CPU, [TRES_MEM] = REASON_QOS_JOB_MEM, [TRES_NODE] = REASON_QOS_JOB_NODE, [TRES_BILLING] = REASON_QOS_JOB_BILLING },
                { [TRES_CPU] = REASON_ASSOC_JOB_CPU, [TRES_MEM] = REASON_ASSOC_JOB_MEM, [TRES_NODE] = REASON_ASSOC_JOB_NODE, [TRES_BILLING] = REASON_ASSOC_JOB_BILLING },
        },
        [LIMIT_MAX_TRES_NODE] = {
                { [TRES_CPU] = REASON_QOS_PER_NODE_CPU, [TRES_MEM] = REASON_QOS_PER_NODE_MEM },
                { [TRES_CPU] = REASON_ASSOC_PER_NODE_CPU, [TRES_MEM] = REASON_ASSOC_PER_NODE_MEM },
        },
        [LIMIT_MAX_TRES_USER] = {
                { [TRES_CPU] = REASON_QOS_USER_CPU, [TRES_MEM] = REASON_QOS_USER_MEM, [TRES_NODE] = REASON_QOS_USER_NODE, [TRES_BILLING] = REASON_QOS_USER_BILLING },
                { 0 },
        },
        [LIMIT_MAX_TRES_ACCOUNT] = {
                { [TRES_CPU] = REASON_ACCOUNT_CPU, [TRES_MEM] = REASON_ACCOUNT_MEM, [TRES_NODE] = REASON_ACCOUNT_NODE, [TRES_BILLING] = REASON_ACCOUNT_BILLING },
                { 0 },
        },
        [LIMIT_MIN_TRES_JOB] = {
                { [TRES_CPU] = REASON_QOS_MIN_CPU, [TRES_MEM] = REASON_QOS_MIN_MEM, [TRES_NODE] = REASON_QOS_MIN_NODE, [TRES_BILLING] = REASON_QOS_MIN_BILLING },
                { 0 },
        },
        [LIMIT_MAX_TRES_MINS_JOB] = {
                { [TRES_CPU] = REASON_QOS_MINS_CPU, [TRES_MEM] = REASON_QOS_MINS_MEM, [TRES_NODE] = REASON_QOS_MINS_NODE, [TRES_BILLING] = REASON_QOS_MINS_BILLING },
                { [TRES_CPU] = REASON_ASSOC_MINS_CPU, [TRES_MEM] = REASON_ASSOC_MINS_MEM, [TRES_NODE] = REASON_ASSOC_MINS_NODE, [TRES_BILLING] = REASON_ASSOC_MINS_BILLING },
        },
};

/* ---- whose limits, in the order in which they count ---- */

struct points {
        const struct qos *qos[2];
        const struct tally *user[2], *account[2];
        const struct assoc *assoc;
};

static const struct tally nothing;

static struct points points_of(const struct job *j) {
        struct qos *own = j->qos, *part = j->partition->qos == own ? NULL : j->partition->qos;
        bool over = own && own->flags & QOS_OVER_PART_QOS;
        struct points p = { .qos = { over ? own : part, over ? part : own }, .assoc = j->assoc };

        for (size_t i = 0; i < ELEMENTSOF(p.qos); i++) {
                struct qos *q = over == (i == 0) ? own : part;
                size_t at = q != own; /* in its charge */
                bool charged = q && j->charge.of[at].qos == q;
                p.user[i] = charged ? j->charge.of[at].user : q ? qos_user(q, j->user) : &nothing;
                p.account[i] = charged ? j->charge.of[at].account : q ? qos_account(q, strempty(j->spec.account)) : &nothing;
        }
        return p;
}

/* The first QOS that has it; -1: none. */
static int qos_with_tres(const struct points *p, enum limit_tres kind, size_t t) {
        for (int i = 0; i < (int)ELEMENTSOF(p->qos); i++)
                if (p->qos[i] && p->qos[i]->limits.tres[kind].of[t] != TRES_NONE)
                        return i;
        return -1;
}

static int qos_with_count(const struct points *p, enum limit_count kind) {
        for (int i = 0; i < (int)ELEMENTSOF(p->qos); i++)
                if (p->qos[i] && p->qos[i]->limits.count[kind] != LIMIT_NONE)
                        return i;
        return -1;
}

/* Of itself or the nearest above that has it. */
static uint64_t assoc_tres(const struct assoc *s, enum limit_tres kind, size_t t) {
        while (s && s->limits.tres[kind].of[t] == TRES_NONE)
                s = s->parent;
        return s ? s->limits.tres[kind].of[t] : TRES_NONE;
}

static uint32_t assoc_count(const struct assoc *s, enum limit_count kind) {
        while (s && s->limits.count[kind] == LIMIT_NONE)
                s = s->parent;
        return s ? s->limits.count[kind] : LIMIT_NONE;
}

/* ---- time ---- */

/* *ret: QOS or association. */
static usec_t max_wall(const struct points *p, enum job_reason *ret) {
        for (size_t i = 0; i < ELEMENTSOF(p->qos); i++)
                if (p->qos[i] && p->qos[i]->limits.max_wall != NO_LIMIT) {
                        *ret = REASON_QOS_MAX_WALL;
                        return p->qos[i]->limits.max_wall;
                }
        *ret = REASON_ASSOC_MAX_WALL;
        for (const struct assoc *s = p->assoc; s; s = s->parent)
                if (s->limits.max_wall != NO_LIMIT)
                        return s->limits.max_wall;
        return NO_LIMIT;
}

usec_t limits_time(const struct cluster *c, const struct job *j, usec_t otherwise) {
        enum job_reason unused;

        if (!(c->config->enforce & ENFORCE_LIMITS))
                return otherwise;
        const struct points p = points_of(j);
        return MIN(otherwise, max_wall(&p, &unused));
}

/* ---- how many jobs ---- */

static bool exceeds(uint64_t used, uint64_t more, uint64_t limit, uint64_t none) {
        return limit != none && used + more > limit;
}

static enum job_reason too_many_jobs(const struct points *p) {
        static const struct {
                enum limit_count kind;
                enum job_reason qos;
        } kinds[] = {
                { LIMIT_GRP_JOBS, REASON_QOS_GRP_JOBS },
                { LIMIT_MAX_JOBS, REASON_QOS_MAX_JOBS },
                { LIMIT_MAX_JOBS_ACCOUNT, REASON_ACCOUNT_MAX_JOBS },
        };

        for (size_t k = 0; k < ELEMENTSOF(kinds); k++) {
                int i = qos_with_count(p, kinds[k].kind);
                if (i < 0)
                        continue;
                const struct tally *of[] = { &p->qos[i]->all, p->user[i], p->account[i] };
                if (exceeds(of[k]->running, 1, p->qos[i]->limits.count[kinds[k].kind], LIMIT_NONE))
                        return kinds[k].qos;
        }
        if (p->assoc && qos_with_count(p, LIMIT_MAX_JOBS) < 0 &&
                        exceeds(p->assoc->used.running, 1, assoc_count(p->assoc, LIMIT_MAX_JOBS), LIMIT_NONE))
                return REASON_ASSOC_MAX_JOBS;
        for (const struct assoc *s = p->assoc; s && qos_with_count(p, LIMIT_GRP_JOBS) < 0; s = s->parent)
                if (exceeds(s->used.running, 1, s->limits.count[LIMIT_GRP_JOBS], LIMIT_NONE))
                        return REASON_ASSOC_GRP_JOBS;
        return REASON_NONE;
}

/* ---- how much ---- */

struct wish {
        struct tres_set job, node;
        uint64_t minutes; /* of its time limit; UINT64_MAX: none */
        bool alone;       /* as if nothing were in use */
};

static struct wish wish_of(const struct job *j, const struct placement_demand *with) {
        const struct job_spec *s = &j->spec;
        struct placement_demand d = { 0 };
        struct wish w = { .alone = false };

        if (with) {
                d = *with;
        } else {
                d.nodes = MAX(1u, s->min_nodes);
                d.cpus = MAX((uint64_t)job_tasks(j) * MAX(1u, s->cpus_per_task), d.nodes * MAX(1u, s->min_cpus_node));
                d.cpus = MAX(d.cpus, d.nodes);
                d.memory = j->mem_per_node ? j->mem_per_node * d.nodes : j->mem_per_cpu * d.cpus;
                d.node_cpus = DIV_ROUND_UP(d.cpus, d.nodes);
                d.node_memory = DIV_ROUND_UP(d.memory, d.nodes);
        }
        w.job = (struct tres_set){ .of = { [TRES_CPU] = d.cpus, [TRES_MEM] = d.memory, [TRES_NODE] = d.nodes, [TRES_BILLING] = d.cpus } };
        w.node = (struct tres_set){ .of = { [TRES_CPU] = d.node_cpus, [TRES_MEM] = d.node_memory, [TRES_NODE] = 1 } };
        w.minutes = j->time_limit == NO_LIMIT ? UINT64_MAX : DIV_ROUND_UP(j->time_limit, 60 * USEC_PER_SEC);
        return w;
}

static uint64_t times(uint64_t a, uint64_t b) {
        return a && b > UINT64_MAX / 2 / a ? UINT64_MAX / 2 : a * b;
}

/* Is it beyond that limit, where used is in use already. */
static bool beyond(const struct wish *w, enum limit_tres kind, size_t t, uint64_t used, uint64_t limit) {
        switch (kind) {
        case LIMIT_MAX_TRES_NODE:
                return exceeds(0, w->node.of[t], limit, TRES_NONE);
        case LIMIT_MIN_TRES_JOB:
                return limit != TRES_NONE && w->job.of[t] < limit;
        case LIMIT_MAX_TRES_MINS_JOB:
                return exceeds(0, times(w->job.of[t], w->minutes), limit, TRES_NONE);
        case LIMIT_MAX_TRES_JOB:
                return exceeds(0, w->job.of[t], limit, TRES_NONE);
        case LIMIT_GRP_TRES:
        case LIMIT_MAX_TRES_USER:
        case LIMIT_MAX_TRES_ACCOUNT:
                return exceeds(used, w->job.of[t], limit, TRES_NONE);
        case LIMIT_TRES_MAX:
                break;
        }
        abort();
}

static enum job_reason beyond_qos(const struct points *p, int i, const struct wish *w, enum limit_tres kind, size_t t) {
        const struct tally *used = w->alone                      ? &nothing
                                   : kind == LIMIT_GRP_TRES        ? &p->qos[i]->all
                                   : kind == LIMIT_MAX_TRES_USER ? p->user[i]
                                                                 : p->account[i];

        return beyond(w, kind, t, used->used.of[t], p->qos[i]->limits.tres[kind].of[t]) ? reasons[kind].qos[t] : REASON_NONE;
}

static enum job_reason beyond_assoc(const struct assoc *s, const struct wish *w, enum limit_tres kind, size_t t) {
        if (kind != LIMIT_GRP_TRES)
                return beyond(w, kind, t, 0, assoc_tres(s, kind, t)) ? reasons[kind].assoc[t] : REASON_NONE;
        for (; s; s = s->parent)
                if (beyond(w, kind, t, w->alone ? 0 : s->used.used.of[t], s->limits.tres[kind].of[t]))
                        return reasons[kind].assoc[t];
        return REASON_NONE;
}

static enum job_reason too_much(const struct points *p, const struct wish *w) {
        for (int k = 0; k < LIMIT_TRES_MAX; k++)
                for (size_t t = 0; t < TRES_MAX; t++) {
                        int i = qos_with_tres(p, (enum limit_tres)k, t);
                        enum job_reason r = i >= 0      ? beyond_qos(p, i, w, (enum limit_tres)k, t)
                                            : p->assoc ? beyond_assoc(p->assoc, w, (enum limit_tres)k, t)
                                                       : REASON_NONE;
                        if (r != REASON_NONE)
                                return r;
                }
        return REASON_NONE;
}

/* What it could not have even if it were alone. */
static enum job_reason hindered_alone(const struct job *j, const struct points *p) {
        struct wish w = wish_of(j, NULL);
        enum job_reason wall;

        w.alone = true;
        return j->time_limit > max_wall(p, &wall) ? wall : too_much(p, &w);
}

enum slumber_error limits_admit(const struct cluster *c, const struct job *j, size_t tasks) {
        static const enum limit_count kinds[] = { LIMIT_GRP_SUBMIT, LIMIT_MAX_SUBMIT, LIMIT_MAX_SUBMIT_ACCOUNT };

        if (!(c->config->enforce & ENFORCE_LIMITS))
                return SLUMBER_OK;
        const struct points p = points_of(j);
        for (size_t k = 0; k < ELEMENTSOF(kinds); k++) {
                int i = qos_with_count(&p, kinds[k]);
                if (i >= 0) {
                        const struct tally *of[] = { &p.qos[i]->all, p.user[i], p.account[i] };
                        if (exceeds(of[k]->submitted, tasks, p.qos[i]->limits.count[kinds[k]], LIMIT_NONE))
                                return SLUMBER_ACCOUNTING_POLICY;
                } else if (kinds[k] == LIMIT_MAX_SUBMIT) {
                        if (p.assoc && exceeds(p.assoc->used.submitted, tasks, assoc_count(p.assoc, LIMIT_MAX_SUBMIT), LIMIT_NONE))
                                return SLUMBER_ACCOUNTING_POLICY;
                } else {
                        for (const struct assoc *s = p.assoc; s && kinds[k] == LIMIT_GRP_SUBMIT; s = s->parent)
                                if (exceeds(s->used.submitted, tasks, s->limits.count[LIMIT_GRP_SUBMIT], LIMIT_NONE))
                                        return SLUMBER_ACCOUNTING_POLICY;
                }
        }
        return limits_flag(j, QOS_DENY_ON_LIMIT) && hindered_alone(j, &p) != REASON_NONE ? SLUMBER_ACCOUNTING_POLICY : SLUMBER_OK;
}

enum job_reason limits_hinder(const struct cluster *c, const struct job *j, const struct placement_demand *with) {
        enum job_reason wall, r;

        if (!(c->config->enforce & ENFORCE_LIMITS) || (!j->qos && !j->assoc && !j->partition->qos))
                return REASON_NONE;
        const struct points p = points_of(j);
        r = too_many_jobs(&p);
        if (r != REASON_NONE)
                return r;
        if (j->time_limit > max_wall(&p, &wall))
                return wall;
        const struct wish w = wish_of(j, with);
        return too_much(&p, &w);
}

/* ---- flags ---- */

bool limits_flag(const struct job *j, enum qos_flag flag) {
        return (j->qos && j->qos->flags & flag) || (j->partition->qos && j->partition->qos->flags & flag);
}

uint32_t limits_plan_priority(const struct cluster *c, const struct job *j) {
        if (limits_flag(j, QOS_NO_RESERVE))
                return UINT32_MAX;
        if (!(c->config->enforce & ENFORCE_LIMITS))
                return 0;
        const struct points p = points_of(j);
        int i = qos_with_count(&p, LIMIT_MIN_PRIO);
        return i >= 0 ? p.qos[i]->limits.count[LIMIT_MIN_PRIO] : 0;
}
