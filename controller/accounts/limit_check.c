/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/accounts/limit_check.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/qos.h"
#include "controller/model/tres.h"

void limits_clear(struct limits *l) {
        for (size_t i = 0; i < LIMIT_COUNT_MAX; i++)
                l->count[i] = LIMIT_NONE;
        for (size_t i = 0; i < LIMIT_TRES_MAX; i++)
                tres_clear(&l->tres[i]);
        l->max_wall = l->grp_wall = NO_LIMIT;
}

/* The first reason (for CPUs) of each resource limit, in a QOS and in an association. */
static const struct {
        enum job_reason qos, assoc;
} reasons[LIMIT_TRES_MAX] = {
        [LIMIT_GRP_TRES] = { REASON_QOS_GRP_CPU, REASON_ASSOC_GRP_CPU },
        [LIMIT_MAX_TRES_JOB] = { REASON_QOS_JOB_CPU, REASON_ASSOC_JOB_CPU },
        [LIMIT_MAX_TRES_NODE] = { REASON_QOS_PER_NODE_CPU, REASON_ASSOC_PER_NODE_CPU },
        [LIMIT_MAX_TRES_USER] = { .qos = REASON_QOS_USER_CPU },
        [LIMIT_MAX_TRES_ACCOUNT] = { .qos = REASON_ACCOUNT_CPU },
        [LIMIT_MIN_TRES_JOB] = { .qos = REASON_QOS_MIN_CPU },
        [LIMIT_MAX_TRES_MINS_JOB] = { REASON_QOS_MINS_CPU, REASON_ASSOC_MINS_CPU },
        [LIMIT_GRP_TRES_MINS] = { REASON_QOS_USED_CPU, REASON_ASSOC_USED_CPU },
        [LIMIT_GRP_TRES_RUN_MINS] = { REASON_QOS_RUN_CPU, REASON_ASSOC_RUN_CPU },
        /* Slurm has no separate reasons for the next two */
        [LIMIT_MAX_TRES_RUN_MINS_USER] = { .qos = REASON_QOS_RUN_CPU },
        [LIMIT_MAX_TRES_RUN_MINS_ACCOUNT] = { .qos = REASON_QOS_RUN_CPU },
};

/* ---- the QOS and associations with limits, in the order of checking ---- */

struct points {
        const struct tres_names *names;
        double factor; /* LimitFactor for associations; < 0: none */
        usec_t lasts;  /* time that must be left of GrpWall: with "safe" the job's time limit */
        const struct qos *qos[2];
        const struct tally *user[2], *account[2];
        const struct assoc *assoc;
        unsigned ordered;                     /* enum ordered: values exempt from limits */
        const struct limits_without *without; /* some jobs are counted as gone; NULL: none */
};

static const struct tally nothing;

struct tally_left {
        const struct tally *of;
        struct tally left;
};

struct limits_without {
        size_t n, allocated;
        struct tally_left *list;
};

/* The tally t without the jobs counted as gone. */
static const struct tally *tally_now(const struct points *p, const struct tally *t) {
        for (size_t i = 0; p->without && i < p->without->n; i++)
                if (p->without->list[i].of == t)
                        return &p->without->list[i].left;
        return t;
}

static struct points points_of(const struct cluster *c, const struct job *j) {
        struct qos *own = j->accounting.qos,
                   *part = j->partition->qos == own ? NULL : j->partition->qos;
        bool over = own && own->flags & QOS_OVER_PART_QOS;
        struct points p = { .names = &c->acct.tres,
                .qos = { over ? own : part, over ? part : own },
                .assoc = j->accounting.assoc,
                .ordered = j->needs.ordered,
                .factor = own ? own->limit_factor : -1 };

        for (size_t i = 0; i < ELEMENTSOF(p.qos); i++) {
                struct qos *q = over == (i == 0) ? own : part;
                size_t at = q != own; /* index in job_charge.of */
                bool charged = q && j->accounting.charge.of[at].qos == q;
                p.user[i] = charged ? j->accounting.charge.of[at].user
                            : q     ? qos_user(q, j->user)
                                    : &nothing;
                p.account[i] = charged ? j->accounting.charge.of[at].account
                               : q     ? qos_account(q, strempty(j->asked.account))
                                       : &nothing;
        }
        return p;
}

/* The reason for resource t, with first the limit's reason for CPUs; REASON_NONE: the limit does
   not apply to t. */
static enum job_reason reason_of(enum job_reason first, const struct points *p, size_t t) {
        size_t column = t < TRES_NAMED                           ? t
                        : p->names->list[t - TRES_NAMED].license ? TRES_NAMED + 1
                                                                 : TRES_NAMED;
        int reason = first ? (int)(first + column) : REASON_NONE;

        return job_reason_text(reason) ? (enum job_reason)reason : REASON_NONE;
}

/* True if an operator, not the job's owner, set the requested amount of t.  GrpTRESMins applies
   anyway: that limit also ends running jobs. */
static bool is_ordered(const struct points *p, enum limit_tres kind, size_t t) {
        return kind != LIMIT_GRP_TRES_MINS &&
               ((t == TRES_CPU && p->ordered & ORDERED_CPUS) ||
                               (t == TRES_MEM && p->ordered & ORDERED_MEMORY));
}

/* Index of the first QOS with the limit; -1: none, or the limit does not apply. */
static int qos_with_tres(const struct points *p, enum limit_tres kind, size_t t) {
        for (int i = 0; i < (int)ELEMENTSOF(p->qos) && !is_ordered(p, kind, t); i++)
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

/* The limit of s or of the nearest ancestor with a limit. */
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

/* *ret: the reason, for a QOS or an association. */
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

static bool lasts_too_long(const struct points *p, const struct job *j, enum job_reason *ret) {
        return j->needs.time_limit > max_wall(p, ret) && !(p->ordered & ORDERED_TIME);
}

/* Returns the time limit of a job without --time: otherwise, or a lower MaxWall of QOS or
   association. */
static usec_t limits_time(const struct cluster *c, const struct job *j, usec_t otherwise) {
        enum job_reason unused;

        if (!(c->config->enforce & ENFORCE_LIMITS))
                return otherwise;
        const struct points p = points_of(c, j);
        return MIN(otherwise, max_wall(&p, &unused));
}

usec_t limits_default_time(const struct cluster *c, const struct job *j) {
        const struct partition *p = j->partition;

        return limits_time(c, j, p->default_time ? p->default_time : p->max_time);
}

/* ---- how many jobs ---- */

static bool sum_exceeds_limit(uint64_t used, uint64_t more, uint64_t limit, uint64_t none) {
        return limit != none && used + more > limit;
}

/* True if the first QOS limiting this number of jobs has reached the limit. */
static bool has_too_many(const struct points *p, enum limit_count kind) {
        int i = qos_with_count(p, kind);

        if (i < 0)
                return false;
        const struct tally *of = kind == LIMIT_GRP_JOBS   ? &p->qos[i]->all
                                 : kind == LIMIT_MAX_JOBS ? p->user[i]
                                                          : p->account[i];
        return sum_exceeds_limit(tally_now(p, of)->running, 1, p->qos[i]->limits.count[kind],
                        LIMIT_NONE);
}

/* The QOS is checked before associations; the partition's QOS has no such limits. */
bool limits_may_accrue(const struct cluster *c, const struct job *j) {
        const uint32_t *of = j->accounting.qos ? j->accounting.qos->limits.count
                                               : (const uint32_t[LIMIT_COUNT_MAX]){ 0 };
        uint32_t own = j->accounting.charge.accrues;
        bool grp = j->accounting.qos && of[LIMIT_GRP_ACCRUE] != LIMIT_NONE,
             max = j->accounting.qos && of[LIMIT_MAX_ACCRUE] != LIMIT_NONE;

        if (!(c->config->enforce & ENFORCE_LIMITS))
                return true;
        if ((grp && j->accounting.qos->all.accruing - own >= of[LIMIT_GRP_ACCRUE]) ||
                        (max && qos_user(j->accounting.qos, j->user)->accruing - own >=
                                                        of[LIMIT_MAX_ACCRUE]))
                return false;
        if (j->accounting.qos &&
                        sum_exceeds_limit(qos_account(j->accounting.qos, strempty(j->asked.account))
                                                                          ->accruing -
                                                          own,
                                        1, of[LIMIT_MAX_ACCRUE_ACCOUNT], LIMIT_NONE))
                return false;
        if (!max && j->accounting.assoc &&
                        sum_exceeds_limit(j->accounting.assoc->used.accruing - own, 1,
                                        assoc_count(j->accounting.assoc, LIMIT_MAX_ACCRUE),
                                        LIMIT_NONE))
                return false;
        for (const struct assoc *s = j->accounting.assoc; s && !grp; s = s->parent)
                if (sum_exceeds_limit(s->used.accruing - own, 1, s->limits.count[LIMIT_GRP_ACCRUE],
                                    LIMIT_NONE))
                        return false;
        return true;
}

/* ---- how much ---- */

struct wish {
        struct tres_set job, node;
        uint64_t minutes; /* the time limit; UINT64_MAX: none */
        bool alone;       /* check as if no other job were running */
        bool together;    /* additional to alone: count the resources in points.without */
        bool safe;        /* "safe": a job that could exceed a limit of minutes does not start */
        /* UsageFactor for minutes of running jobs, and for minutes of the job itself */
        double factor, safe_factor;
        usec_t now, fresh; /* fresh: usage is charged up to this time */
        usec_t *again;     /* latest time at which running jobs leave room */
};

static struct wish wish_of(const struct cluster *c, const struct job *j,
                const struct tres_holding *with) {
        struct wish w = { .factor = j->accounting.qos ? j->accounting.qos->usage_factor : 1 };

        w.safe_factor = limits_flag(j, QOS_USAGE_FACTOR_SAFE) ? w.factor : 1;
        if (with)
                tres_held(c, with, &w.job, &w.node);
        else
                tres_asked(c, j, &w.job, &w.node);
        w.minutes = j->needs.time_limit == NO_LIMIT
                                    ? UINT64_MAX
                                    : DIV_ROUND_UP(j->needs.time_limit, 60 * USEC_PER_SEC);
        return w;
}

static uint64_t product_saturated(uint64_t a, uint64_t b) {
        return a && b > UINT64_MAX / 2 / a ? UINT64_MAX / 2 : a * b;
}

static uint64_t times_factor(const struct wish *w, size_t t, double factor) {
        return (uint64_t)MIN((double)product_saturated(w->job.of[t], w->minutes) * factor, 9e18);
}

static uint64_t whole_minutes(double seconds) {
        return seconds <= 0 ? 0 : (uint64_t)MIN(seconds / 60, 1e18);
}

static double run_seconds(const struct tally *of, size_t t, usec_t now) {
        return MAX(0.0, of->run.ends[t] - of->run.moving[t] * ((double)now / USEC_PER_SEC) +
                                        of->run.still[t]);
}

void limits_minutes(const struct tally *of, const struct usage *usage, usec_t now,
                struct tres_set *ret_used, struct tres_set *ret_left) {
        for (size_t t = 0; t < TRES_MAX; t++) {
                ret_used->of[t] = (uint64_t)(usage->tres[t] / 60);
                ret_left->of[t] = (uint64_t)(run_seconds(of, t, now) / 60);
        }
}

/* True if running jobs leave no room for the additional minutes; then sets *again. */
static bool runs_too_long(const struct wish *w, size_t t, const struct tally *of, uint64_t limit) {
        uint64_t more = times_factor(w, t, w->factor);
        double left = w->alone ? 0 : run_seconds(of, t, w->now);

        if (limit == TRES_NONE || whole_minutes(left) + more <= limit)
                return false;
        if (more > limit || of->run.moving[t] <= 0)
                return true;
        /* Whole minutes count. */
        double wait = (left - (double)(limit - more + 1) * 60) / of->run.moving[t];
        if (w->again)
                *w->again = MIN(*w->again, w->now + (usec_t)(MAX(wait, 0.001) * USEC_PER_SEC) + 1);
        return true;
}

/* True if usage has reached the limit; with "safe" including the minutes still available to running
   jobs and to the job itself. */
static bool is_used_up(const struct wish *w, size_t t, const struct tally *of,
                const struct usage *usage, uint64_t limit) {
        double gone = w->alone ? 0 : usage->tres[t],
               run = w->alone ? 0 : run_seconds(of, t, w->fresh);

        if (limit == TRES_NONE)
                return false;
        if (!w->alone && whole_minutes(gone) >= limit)
                return true;
        return w->safe && whole_minutes(gone + run) + times_factor(w, t, w->safe_factor) > limit;
}

/* True if the wish exceeds the limit, with used already in use. */
static bool request_exceeds_limit(const struct wish *w, enum limit_tres kind, size_t t,
                uint64_t used, uint64_t limit) {
        switch (kind) {
        case LIMIT_MAX_TRES_NODE:
                return sum_exceeds_limit(0, w->node.of[t], limit, TRES_NONE);
        case LIMIT_MIN_TRES_JOB:
                return limit != TRES_NONE && w->job.of[t] < limit;
        case LIMIT_MAX_TRES_MINS_JOB:
                return sum_exceeds_limit(0, product_saturated(w->job.of[t], w->minutes), limit,
                                TRES_NONE);
        case LIMIT_MAX_TRES_JOB:
                return sum_exceeds_limit(0, w->job.of[t], limit, TRES_NONE);
        case LIMIT_GRP_TRES:
        case LIMIT_MAX_TRES_USER:
        case LIMIT_MAX_TRES_ACCOUNT:
                return sum_exceeds_limit(used, w->job.of[t], limit, TRES_NONE);
        case LIMIT_GRP_TRES_RUN_MINS:
        case LIMIT_MAX_TRES_RUN_MINS_USER:
        case LIMIT_MAX_TRES_RUN_MINS_ACCOUNT:
        case LIMIT_GRP_TRES_MINS:
        case LIMIT_TRES_MAX:
                break;
        }
        abort();
}

/* Group limit: resources of other jobs count. */
static bool beyond_with(const struct wish *w, enum limit_tres kind, size_t t,
                const struct tally *of, const struct usage *usage, uint64_t limit) {
        switch (kind) {
        case LIMIT_GRP_TRES_MINS:
                return is_used_up(w, t, of, usage, limit);
        case LIMIT_GRP_TRES_RUN_MINS:
        case LIMIT_MAX_TRES_RUN_MINS_USER:
        case LIMIT_MAX_TRES_RUN_MINS_ACCOUNT:
                return runs_too_long(w, t, of, limit);
        case LIMIT_GRP_TRES:
        case LIMIT_MAX_TRES_USER:
        case LIMIT_MAX_TRES_ACCOUNT:
        case LIMIT_MAX_TRES_JOB:
        case LIMIT_MAX_TRES_NODE:
        case LIMIT_MIN_TRES_JOB:
        case LIMIT_MAX_TRES_MINS_JOB:
        case LIMIT_TRES_MAX:
                break;
        }
        return request_exceeds_limit(w, kind, t, w->alone && !w->together ? 0 : of->used.of[t],
                        limit);
}

static enum job_reason beyond_qos(const struct points *p, int i, const struct wish *w,
                enum limit_tres kind, size_t t) {
        bool of_user = kind == LIMIT_MAX_TRES_USER || kind == LIMIT_MAX_TRES_RUN_MINS_USER;
        bool of_all = kind == LIMIT_GRP_TRES || kind == LIMIT_GRP_TRES_MINS ||
                      kind == LIMIT_GRP_TRES_RUN_MINS;
        const struct tally *of = of_all ? &p->qos[i]->all : of_user ? p->user[i] : p->account[i];
        uint64_t limit = p->qos[i]->limits.tres[kind].of[t];

        bool is_beyond = beyond_with(w, kind, t, tally_now(p, of), &p->qos[i]->usage, limit);
        return is_beyond ? reason_of(reasons[kind].qos, p, t) : REASON_NONE;
}

/* The association's limit times LimitFactor of the QOS. */
static uint64_t limit_times_factor(const struct points *p, enum limit_tres kind, uint64_t limit) {
        bool counts = kind == LIMIT_GRP_TRES || kind == LIMIT_MAX_TRES_JOB;

        return counts && p->factor > 0 && limit != TRES_NONE
                               ? (uint64_t)MIN((double)limit * p->factor, 9e18)
                               : limit;
}

/* The exceeded limit of association s, the job's own or an ancestor; REASON_NONE: none. */
static enum job_reason beyond_assoc(const struct points *p, const struct assoc *s,
                const struct wish *w, enum limit_tres kind, size_t t) {
        bool of_group = kind == LIMIT_GRP_TRES || kind == LIMIT_GRP_TRES_MINS ||
                        kind == LIMIT_GRP_TRES_RUN_MINS;
        uint64_t limit = limit_times_factor(p, kind,
                        of_group ? s->limits.tres[kind].of[t] : assoc_tres(s, kind, t));

        if (limit == TRES_NONE || is_ordered(p, kind, t) || qos_with_tres(p, kind, t) >= 0)
                return REASON_NONE;
        bool is_beyond = of_group ? beyond_with(w, kind, t, tally_now(p, &s->used), &s->usage,
                                                    limit)
                                  : request_exceeds_limit(w, kind, t, 0, limit);
        return is_beyond ? reason_of(reasons[kind].assoc, p, t) : REASON_NONE;
}

static const enum limit_tres in_qos[] = { LIMIT_GRP_TRES_MINS, LIMIT_GRP_TRES,
        LIMIT_GRP_TRES_RUN_MINS, LIMIT_MAX_TRES_MINS_JOB, LIMIT_MAX_TRES_JOB, LIMIT_MAX_TRES_NODE,
        LIMIT_MIN_TRES_JOB, LIMIT_MAX_TRES_ACCOUNT, LIMIT_MAX_TRES_USER,
        LIMIT_MAX_TRES_RUN_MINS_ACCOUNT, LIMIT_MAX_TRES_RUN_MINS_USER };
static const enum limit_tres in_assoc[] = { LIMIT_GRP_TRES_MINS, LIMIT_GRP_TRES,
        LIMIT_GRP_TRES_RUN_MINS, LIMIT_MAX_TRES_MINS_JOB, LIMIT_MAX_TRES_JOB, LIMIT_MAX_TRES_NODE };
#define N_GROUPS 3 /* the first kinds in in_assoc apply at each level */

_Static_assert(ELEMENTSOF(in_qos) == LIMIT_TRES_MAX, "each has its turn");

/* The exceeded limit that Slurm names: QOS first, then the association, then its ancestors. */
static enum job_reason limit_first_exceeded(const struct points *p, const struct wish *w) {
        size_t n_tres = TRES_NAMED + p->names->n;
        enum job_reason r = REASON_NONE;

        for (size_t k = 0; k < ELEMENTSOF(in_qos) && r == REASON_NONE; k++)
                for (size_t t = 0; t < n_tres && r == REASON_NONE; t++) {
                        int i = qos_with_tres(p, in_qos[k], t);
                        r = i >= 0 ? beyond_qos(p, i, w, in_qos[k], t) : REASON_NONE;
                }
        for (const struct assoc *s = p->assoc; s && r == REASON_NONE; s = s->parent)
                for (size_t k = 0; k < (s == p->assoc ? ELEMENTSOF(in_assoc) : N_GROUPS) &&
                                   r == REASON_NONE;
                                k++)
                        for (size_t t = 0; t < n_tres && r == REASON_NONE; t++)
                                r = beyond_assoc(p, s, w, in_assoc[k], t);
        return r;
}

/* The limit exceeded even if no other job were running. */
static enum job_reason hindered_alone(const struct cluster *c, const struct job *j,
                const struct points *p) {
        struct wish w = wish_of(c, j, NULL);
        enum job_reason wall;

        w.alone = true;
        w.safe = c->config->enforce & ENFORCE_SAFE;
        return lasts_too_long(p, j, &wall) ? wall : limit_first_exceeded(p, &w);
}

static enum job_reason deny_alone(const struct cluster *c, const struct job *j) {
        if (!(c->config->enforce & ENFORCE_LIMITS) || !limits_flag(j, QOS_DENY_ON_LIMIT))
                return REASON_NONE;
        const struct points p = points_of(c, j);
        return hindered_alone(c, j, &p);
}

static bool counts_in(const struct job_charge *g, const struct tally *t) {
        for (size_t i = 0; i < ELEMENTSOF(g->of); i++)
                if (g->of[i].qos && (t == &g->of[i].qos->all || t == g->of[i].user ||
                                                    t == g->of[i].account))
                        return true;
        for (const struct assoc *s = g->assoc; s; s = s->parent)
                if (t == &s->used)
                        return true;
        return false;
}

static void limits_add_tally(struct limits_without *w, const struct tally *t) {
        for (size_t i = 0; i < w->n; i++)
                if (w->list[i].of == t)
                        return;
        if (t == &nothing)
                return;
        GROW(w->list, w->allocated, w->n);
        w->list[w->n++] = (struct tally_left){ t, *t };
}

static void add_tallies(struct limits_without *w, const struct points *p) {
        for (size_t i = 0; i < ELEMENTSOF(p->qos); i++) {
                limits_add_tally(w, p->qos[i] ? &p->qos[i]->all : &nothing);
                limits_add_tally(w, p->user[i]);
                limits_add_tally(w, p->account[i]);
        }
        for (const struct assoc *s = p->assoc; s; s = s->parent)
                limits_add_tally(w, &s->used);
}

struct limits_without *limits_without_of(const struct cluster *c, const struct job *const *of,
                size_t n, const struct bitset *gone) {
        struct limits_without *w = xnew0(struct limits_without, 1);

        if (!(c->config->enforce & ENFORCE_LIMITS))
                return w;
        for (size_t i = 0; i < n; i++) {
                const struct points p = points_of(c, of[i]);
                add_tallies(w, &p);
        }
        for (size_t i = gone ? bitset_next(gone, 0) : SIZE_MAX; i != SIZE_MAX;
                        i = bitset_next(gone, i + 1))
                for (size_t k = 0; k < w->n; k++)
                        if (counts_in(&c->active[i]->accounting.charge, w->list[k].of))
                                tally_add(&w->list[k].left, &c->active[i]->accounting.charge, -1);
        return w;
}

struct limits_without *limits_without_new(const struct cluster *c, const struct job *j,
                const struct bitset *gone) {
        return limits_without_of(c, &j, 1, gone);
}

struct limits_without *limits_without_copy(const struct limits_without *of) {
        struct limits_without *w = xnew0(struct limits_without, 1);

        w->list = xnew(struct tally_left, of->n + 1);
        w->n = w->allocated = of->n;
        for (size_t i = 0; i < of->n; i++)
                w->list[i] = of->list[i];
        return w;
}

void limits_without_add(struct limits_without *w, const struct cluster *c, const struct job *k,
                const struct tres_holding *with) {
        struct job_charge waits = k->accounting.charge, runs = waits;

        runs.state = CHARGE_RUNNING;
        runs.accrues = false;
        charge_time(&runs, k);
        if (with)
                tres_held(c, with, &runs.used, NULL);
        else
                tres_asked(c, k, &runs.used, NULL);
        for (size_t i = 0; i < w->n; i++) {
                if (!counts_in(&waits, w->list[i].of))
                        continue;
                tally_add(&w->list[i].left, &waits, -1);
                tally_add(&w->list[i].left, &runs, 1);
        }
}

struct limits_without *limits_without_free(struct limits_without *w) {
        if (w)
                free(w->list);
        free(w);
        return NULL;
}

enum job_reason limits_deny_together(const struct cluster *c, struct job *const *jobs, size_t n,
                size_t at) {
        const struct job *j = jobs[at];

        if (!(c->config->enforce & ENFORCE_LIMITS) || !limits_flag(j, QOS_DENY_ON_LIMIT))
                return REASON_NONE;
        _cleanup_(limits_without_freep) struct limits_without *others = limits_without_new(c, j,
                        NULL);
        for (size_t i = 0; i < others->n; i++)
                others->list[i].left.used = (struct tres_set){ 0 };
        for (size_t i = 0; i < n; i++)
                if (i != at)
                        limits_without_add(others, c, jobs[i], NULL);
        struct points p = points_of(c, j);
        struct wish w = wish_of(c, j, NULL);

        p.without = others;
        w.alone = w.together = true;
        return limit_first_exceeded(&p, &w);
}

/* A job already counted in t may stay. */
static bool too_many_submitted(const struct job *j, const struct tally *t, size_t tasks,
                uint32_t limit) {
        return sum_exceeds_limit(t->submitted, tasks, limit, LIMIT_NONE) &&
               !counts_in(&j->accounting.charge, t);
}

enum job_reason limits_deny(const struct cluster *c, const struct job *j, size_t tasks) {
        static const enum limit_count kinds[] = {
                LIMIT_GRP_SUBMIT,
                LIMIT_MAX_SUBMIT,
                LIMIT_MAX_SUBMIT_ACCOUNT,
        };
        static const enum job_reason of_qos[] = {
                REASON_QOS_GRP_SUBMIT,
                REASON_QOS_MAX_SUBMIT,
                REASON_ACCOUNT_MAX_SUBMIT,
        };

        if (!(c->config->enforce & ENFORCE_LIMITS))
                return REASON_NONE;
        const struct points p = points_of(c, j);
        for (size_t k = 0; k < ELEMENTSOF(kinds); k++) {
                int i = qos_with_count(&p, kinds[k]);
                if (i >= 0) {
                        const struct tally *of[] = { &p.qos[i]->all, p.user[i], p.account[i] };
                        if (too_many_submitted(j, of[k], tasks, p.qos[i]->limits.count[kinds[k]]))
                                return of_qos[k];
                } else if (kinds[k] == LIMIT_MAX_SUBMIT) {
                        if (p.assoc && too_many_submitted(j, &p.assoc->used, tasks,
                                                       assoc_count(p.assoc, LIMIT_MAX_SUBMIT)))
                                return REASON_ASSOC_MAX_SUBMIT;
                } else {
                        for (const struct assoc *s = p.assoc; s && kinds[k] == LIMIT_GRP_SUBMIT;
                                        s = s->parent)
                                if (too_many_submitted(j, &s->used, tasks,
                                                    s->limits.count[LIMIT_GRP_SUBMIT]))
                                        return REASON_ASSOC_GRP_SUBMIT;
                }
        }
        return deny_alone(c, j);
}

/* ---- GrpWall; fair shares ---- */

/* Incomplete minutes are not counted for a starting job, as in Slurm. */
static bool is_run_out(const struct points *p, double wall, usec_t limit) {
        if (limit == NO_LIMIT)
                return false;
        usec_t gone = (usec_t)(wall / 60) * 60 * USEC_PER_SEC;
        return wall >= (double)limit / USEC_PER_SEC || p->lasts > limit - gone;
}

/* The first QOS with GrpWall; NULL: none. */
static const struct qos *qos_with_grp_wall(const struct points *p) {
        for (size_t i = 0; i < ELEMENTSOF(p->qos); i++)
                if (p->qos[i] && p->qos[i]->limits.grp_wall != NO_LIMIT)
                        return p->qos[i];
        return NULL;
}

static enum job_reason wall_is_over(const struct points *p) {
        const struct qos *q = qos_with_grp_wall(p);

        if (q)
                return is_run_out(p, q->usage.wall, q->limits.grp_wall) ? REASON_QOS_GRP_WALL
                                                                        : REASON_NONE;
        for (const struct assoc *s = p->assoc; s; s = s->parent)
                if (is_run_out(p, s->usage.wall, s->limits.grp_wall))
                        return REASON_ASSOC_GRP_WALL;
        return REASON_NONE;
}

/* The fair share times its weight, as in Slurm and sprio; without factors or weight, the plain fair
   share. */
static double weighed_share(const struct cluster *c, const struct points *p, const struct job *j) {
        uint32_t weight = c->config->priority.weight[PRIORITY_FAIRSHARE];

        return p->assoc->fairshare * (weight && !j->asked.priority ? weight : 1);
}

static bool is_below_threshold(const struct cluster *c, const struct points *p,
                const struct job *j) {
        if (!p->assoc || !c->config->priority.multifactor)
                return false;
        for (size_t i = 0; i < ELEMENTSOF(p->qos); i++) {
                const struct qos *q = p->qos[i];
                if (q && q->flags & QOS_ENFORCE_THRESHOLD && q->usage_threshold >= 0 &&
                                weighed_share(c, p, j) < q->usage_threshold)
                        return true;
        }
        return false;
}

/* Checks of QOS limits without resources.  With several exceeded limits, returns the limit that
   Slurm names, here and in assoc_refuses(). */
static enum job_reason qos_refuses(const struct cluster *c, const struct points *p,
                const struct job *j) {
        const struct qos *q = qos_with_grp_wall(p);
        enum job_reason wall;

        if (is_below_threshold(c, p, j))
                return REASON_USAGE_THRESHOLD;
        if (has_too_many(p, LIMIT_GRP_JOBS))
                return REASON_QOS_GRP_JOBS;
        if (q && is_run_out(p, q->usage.wall, q->limits.grp_wall))
                return REASON_QOS_GRP_WALL;
        if (has_too_many(p, LIMIT_MAX_JOBS_ACCOUNT))
                return REASON_ACCOUNT_MAX_JOBS;
        if (has_too_many(p, LIMIT_MAX_JOBS))
                return REASON_QOS_MAX_JOBS;
        return lasts_too_long(p, j, &wall) && wall == REASON_QOS_MAX_WALL ? wall : REASON_NONE;
}

static enum job_reason assoc_refuses(const struct points *p, const struct job *j) {
        bool jobs = qos_with_count(p, LIMIT_GRP_JOBS) < 0, walls = !qos_with_grp_wall(p);
        enum job_reason wall;

        for (const struct assoc *s = p->assoc; s; s = s->parent) {
                const uint32_t running = tally_now(p, &s->used)->running;
                if (jobs && sum_exceeds_limit(running, 1, s->limits.count[LIMIT_GRP_JOBS],
                                            LIMIT_NONE))
                        return REASON_ASSOC_GRP_JOBS;
                if (walls && is_run_out(p, s->usage.wall, s->limits.grp_wall))
                        return REASON_ASSOC_GRP_WALL;
                if (s != p->assoc)
                        continue;
                if (qos_with_count(p, LIMIT_MAX_JOBS) < 0 &&
                                sum_exceeds_limit(running, 1, assoc_count(s, LIMIT_MAX_JOBS),
                                                LIMIT_NONE))
                        return REASON_ASSOC_MAX_JOBS;
                if (lasts_too_long(p, j, &wall) && wall == REASON_ASSOC_MAX_WALL)
                        return wall;
        }
        return REASON_NONE;
}

/* Checks the access of a pending job, which may have been revoked. */
/* A missing QOS of a partition could limit anything: the partition's jobs wait for the QOS. */
static enum job_reason not_allowed(const struct cluster *c, const struct job *j) {
        if (c->config->enforce & ENFORCE_LIMITS && j->partition->qos_name && !j->partition->qos)
                return REASON_BAD_QOS;
        if (c->config->enforce & ENFORCE_ASSOCIATIONS && !j->accounting.assoc)
                return REASON_BAD_ACCOUNT;
        return c->config->enforce & ENFORCE_QOS &&
                                               (!j->accounting.qos ||
                                                               !assoc_allows_qos(
                                                                               j->accounting.assoc,
                                                                               j->accounting.qos))
                               ? REASON_BAD_QOS
                               : REASON_NONE;
}

/* Checks independent of the resources that j would get. */
static enum job_reason limit_refusal(const struct cluster *c, const struct points *p,
                const struct job *j) {
        enum job_reason r = qos_refuses(c, p, j);

        return r == REASON_NONE ? assoc_refuses(p, j) : r;
}

static struct points points_now(const struct cluster *c, const struct job *j,
                const struct limits_without *without) {
        struct points p = points_of(c, j);

        p.without = without;
        p.lasts = c->config->enforce & ENFORCE_SAFE ? j->needs.time_limit : 0;
        return p;
}

static struct wish wish_now(const struct cluster *c, const struct job *j,
                const struct tres_holding *with, usec_t now) {
        struct wish w = wish_of(c, j, with);

        w.safe = c->config->enforce & ENFORCE_SAFE;
        w.now = now;
        w.fresh = c->usage_fresh;
        return w;
}

enum job_reason limits_wait_reason(const struct cluster *c, const struct job *j,
                const struct tres_holding *with, const struct limits_without *without, usec_t now,
                usec_t *ret_again) {
        enum job_reason r = not_allowed(c, j);

        if (r != REASON_NONE)
                return r;
        if (!(c->config->enforce & ENFORCE_LIMITS) ||
                        (!j->accounting.qos && !j->accounting.assoc && !j->partition->qos))
                return REASON_NONE;
        const struct points p = points_now(c, j, without);
        r = limit_refusal(c, &p, j);
        if (r != REASON_NONE)
                return r;
        struct wish w = wish_now(c, j, with, now);
        w.again = ret_again;
        return limit_first_exceeded(&p, &w);
}

/* ---- how much is left ---- */

/* The largest amount checked: sums do not overflow. */
#define ROOM_MAX (UINT64_C(1) << 48)

/* True if w exceeds a limit on resource t. */
static bool is_too_much(const struct points *p, const struct wish *w, size_t t) {
        for (size_t k = 0; k < ELEMENTSOF(in_qos); k++) {
                int i = in_qos[k] == LIMIT_MIN_TRES_JOB || in_qos[k] == LIMIT_MAX_TRES_NODE
                                        ? -1
                                        : qos_with_tres(p, in_qos[k], t);
                if (i >= 0 && beyond_qos(p, i, w, in_qos[k], t) != REASON_NONE)
                        return true;
        }
        for (const struct assoc *s = p->assoc; s; s = s->parent)
                for (size_t k = 0; k < (s == p->assoc ? ELEMENTSOF(in_assoc) : N_GROUPS); k++)
                        if (in_assoc[k] != LIMIT_MAX_TRES_NODE &&
                                        beyond_assoc(p, s, w, in_assoc[k], t) != REASON_NONE)
                                return true;
        return false;
}

/* The maximum of t within all limits; w, with 0 of t, exceeds no limit. */
static uint64_t limit_room(const struct points *p, struct wish *w, size_t t) {
        uint64_t most = 0, beyond = ROOM_MAX;

        w->job.of[t] = beyond;
        if (!is_too_much(p, w, t))
                return TRES_NONE;
        while (beyond - most > 1) {
                w->job.of[t] = most + (beyond - most) / 2;
                if (is_too_much(p, w, t))
                        beyond = w->job.of[t];
                else
                        most = w->job.of[t];
        }
        return most;
}

static uint64_t most_on_node(const struct points *p, size_t t) {
        int i = qos_with_tres(p, LIMIT_MAX_TRES_NODE, t);
        enum job_reason why = reason_of(i >= 0 ? reasons[LIMIT_MAX_TRES_NODE].qos
                                               : reasons[LIMIT_MAX_TRES_NODE].assoc,
                        p, t);

        if (why == REASON_NONE || is_ordered(p, LIMIT_MAX_TRES_NODE, t))
                return TRES_NONE;
        return i >= 0 ? p->qos[i]->limits.tres[LIMIT_MAX_TRES_NODE].of[t]
                      : assoc_tres(p->assoc, LIMIT_MAX_TRES_NODE, t);
}

bool limits_room(const struct cluster *c, const struct job *j, const struct limits_without *without,
                usec_t now, struct limits_room *ret) {
        const struct points p = points_now(c, j, without);
        struct wish w = wish_now(c, j, NULL, now);

        if (not_allowed(c, j) != REASON_NONE || limit_refusal(c, &p, j) != REASON_NONE)
                return false;
        tres_clear(&ret->most);
        tres_clear(&ret->most_on_node);
        ret->least = (struct tres_set){ 0 };
        for (size_t t = 0; t < TRES_NAMED + p.names->n; t++) {
                int i = qos_with_tres(&p, LIMIT_MIN_TRES_JOB, t);
                w.job.of[t] = 0;
                if (is_too_much(&p, &w, t))
                        return false;
                ret->most.of[t] = limit_room(&p, &w, t);
                ret->most_on_node.of[t] = most_on_node(&p, t);
                ret->least.of[t] = i >= 0 ? p.qos[i]->limits.tres[LIMIT_MIN_TRES_JOB].of[t] : 0;
        }
        return true;
}

/* ---- running jobs at exhausted limits of minutes ---- */

enum job_reason limits_used_up(const struct cluster *c, const struct job *j) {
        const struct wish none = { .minutes = 0 };
        const struct points p = points_of(c, j);
        enum job_reason r = wall_is_over(&p);

        for (size_t t = 0; t < TRES_NAMED + p.names->n && r == REASON_NONE; t++) {
                int i = qos_with_tres(&p, LIMIT_GRP_TRES_MINS, t);
                r = i >= 0 ? beyond_qos(&p, i, &none, LIMIT_GRP_TRES_MINS, t) : r;
                for (const struct assoc *s = p.assoc; s && r == REASON_NONE; s = s->parent)
                        r = beyond_assoc(&p, s, &none, LIMIT_GRP_TRES_MINS, t);
        }
        return r;
}

/* ---- flags ---- */

bool limits_flag(const struct job *j, enum qos_flag flag) {
        return (j->accounting.qos && j->accounting.qos->flags & flag) ||
               (j->partition->qos && j->partition->qos->flags & flag);
}

uint32_t limits_plan_priority(const struct cluster *c, const struct job *j) {
        if (limits_flag(j, QOS_NO_RESERVE))
                return UINT32_MAX;
        if (!(c->config->enforce & ENFORCE_LIMITS))
                return 0;
        const struct points p = points_of(c, j);
        int i = qos_with_count(&p, LIMIT_MIN_PRIO);
        uint32_t least = i >= 0 ? p.qos[i]->limits.count[LIMIT_MIN_PRIO]
                                : assoc_count(p.assoc, LIMIT_MIN_PRIO);
        return least == LIMIT_NONE ? 0 : least;
}
