/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits and the plan of the queue: detects whether a start leaves too little room for planned
 * jobs.
 *
 * Each tally stores the maximum request of the jobs planned under the tally since the last sweep
 * through the plans.  So a start need not examine the plans: the maximum is compared with the room
 * left in the tallies charged by the start.  The maximum may be too large, as it may include a
 * removed job; then the sweep finds no conflict and computes the maximum again. */
#include "controller/accounts/limit_check.h"
#include "controller/accounts/qos.h"

#include "controller/model/het.h"
#include "controller/model/tres.h"

static void charge_plan(const struct cluster *c, struct tally *t, const struct tres_set *asked,
                uint32_t jobs) {
        if (t->planned.as_of != c->plans_as_of) {
                t->planned.most = (struct tres_set){ 0 };
                t->planned.jobs = 0;
        }
        t->planned.as_of = c->plans_as_of;
        t->planned.jobs = MAX(t->planned.jobs, jobs);
        for (size_t i = 0; i < TRES_MAX; i++)
                t->planned.most.of[i] = MAX(t->planned.most.of[i], asked->of[i]);
}

static void charge_qos(const struct cluster *c, const struct job *j, struct qos *q,
                const struct tres_set *asked, uint32_t jobs) {
        if (!q)
                return;
        charge_plan(c, &q->all, asked, jobs);
        charge_plan(c, qos_user(q, j->user), asked, jobs);
        charge_plan(c, qos_account(q, strempty(j->asked.account)), asked, jobs);
}

static void note_one(const struct cluster *c, const struct job *j, struct tres_set asked,
                uint32_t jobs) {
        /* LimitFactor changes the limits: always sweep */
        for (size_t i = 0;
                        i < TRES_MAX && j->accounting.qos && j->accounting.qos->limit_factor >= 0;
                        i++)
                asked.of[i] = UINT64_MAX / 2;
        for (struct assoc *s = j->accounting.assoc; s; s = s->parent)
                charge_plan(c, &s->used, &asked, jobs);
        charge_qos(c, j, j->accounting.qos, &asked, jobs);
        charge_qos(c, j, j->partition->qos, &asked, jobs);
        for (size_t i = 0; job_is_het(j) && i < j->waiting.n_bids; i++)
                charge_qos(c, j, j->waiting.bids[i].partition->qos, &asked, jobs);
}

/* Components may have different limits and partitions; each limit is treated as a limit on all
   components. */
void limits_note_plan(const struct cluster *c, const struct job *j) {
        struct tres_set asked = { 0 };
        uint32_t jobs = 0;

        if (!(c->config->enforce & ENFORCE_LIMITS))
                return;
        for (uint32_t i = 0; i < (j->het ? j->het->n : 1); i++) {
                const struct job *of = j->het ? j->het->of[i] : j;
                struct tres_set one = { 0 };
                if (!of)
                        continue;
                tres_asked(c, of, &one, NULL);
                for (size_t t = 0; t < TRES_MAX; t++)
                        asked.of[t] = MIN(asked.of[t] + one.of[t], UINT64_MAX / 2);
                jobs++;
        }
        for (uint32_t i = 0; i < (j->het ? j->het->n : 1); i++) {
                const struct job *of = j->het ? j->het->of[i] : j;
                if (of)
                        note_one(c, of, asked, jobs);
        }
}

/* True if a planned job would exceed the number of jobs or a resource limit. */
static bool is_short(const struct cluster *c, const struct tally *t, uint32_t jobs,
                const struct tres_set *limit) {
        if (t->planned.as_of != c->plans_as_of)
                return false;
        if (jobs != LIMIT_NONE && t->running + MAX(1u, t->planned.jobs) > jobs)
                return true;
        for (size_t i = 0; i < TRES_MAX; i++)
                if (limit->of[i] != TRES_NONE &&
                                t->used.of[i] + t->planned.most.of[i] > limit->of[i])
                        return true;
        return false;
}

/* The room under these limits depends on the time: always sweep. */
static bool counts_minutes(const struct limits *l) {
        static const enum limit_tres kinds[] = { LIMIT_GRP_TRES_MINS, LIMIT_GRP_TRES_RUN_MINS,
                LIMIT_MAX_TRES_RUN_MINS_USER, LIMIT_MAX_TRES_RUN_MINS_ACCOUNT };

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                for (size_t t = 0; t < TRES_MAX; t++)
                        if (l->tres[kinds[i]].of[t] != TRES_NONE)
                                return true;
        return false;
}

static bool assoc_is_short(const struct cluster *c, const struct assoc *of) {
        uint32_t jobs = LIMIT_NONE; /* nearest MaxJobs; applies to the job's own association */

        for (const struct assoc *s = of; s; s = s->parent) {
                if (jobs == LIMIT_NONE)
                        jobs = s->limits.count[LIMIT_MAX_JOBS];
                if (counts_minutes(&s->limits) ||
                                is_short(c, &s->used, s->limits.count[LIMIT_GRP_JOBS],
                                                &s->limits.tres[LIMIT_GRP_TRES]))
                        return true;
        }
        if (!of || jobs == LIMIT_NONE)
                return false;
        uint32_t more = of->used.planned.as_of == c->plans_as_of ? of->used.planned.jobs : 0;
        return of->used.running + MAX(1u, more) > jobs;
}

bool limits_leave_less(const struct cluster *c, const struct job_charge *g) {
        bool some = assoc_is_short(c, g->assoc);

        for (size_t i = 0; i < ELEMENTSOF(g->of) && !some; i++) {
                const struct limits *l = g->of[i].qos ? &g->of[i].qos->limits : NULL;
                some = l &&
                       (counts_minutes(l) ||
                                       is_short(c, &g->of[i].qos->all, l->count[LIMIT_GRP_JOBS],
                                                       &l->tres[LIMIT_GRP_TRES]) ||
                                       is_short(c, g->of[i].user, l->count[LIMIT_MAX_JOBS],
                                                       &l->tres[LIMIT_MAX_TRES_USER]) ||
                                       is_short(c, g->of[i].account,
                                                       l->count[LIMIT_MAX_JOBS_ACCOUNT],
                                                       &l->tres[LIMIT_MAX_TRES_ACCOUNT]));
        }
        return some;
}
