/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GrpTRESMins and GrpWall while jobs run. As in Slurm, running jobs are ended (TIMEOUT) when the
 * minutes are used up, unless AccountingStorageEnforce has "safe": with "safe", no job begins that
 * could exceed the limit.
 *
 * Usage grows with the running jobs, so the earliest time of reaching a limit is known; the limits
 * are checked at that time. */
#include "controller/accounts/limit_check.h"
#include "controller/accounts/usage.h"
#include "controller/jobs/job_events.h"

static bool limits_count_minutes(const struct limits *l) {
        bool some = l->grp_wall != NO_LIMIT;

        for (size_t t = 0; t < TRES_MAX; t++)
                some |= l->tres[LIMIT_GRP_TRES_MINS].of[t] != TRES_NONE;
        return some;
}

bool acct_counts_minutes(struct acct *a) {
        if (a->minutes != MINUTES_UNKNOWN)
                return a->minutes == MINUTES_SOME;
        bool some = false;
        for (size_t i = 0; i < a->n_qos; i++)
                some |= limits_count_minutes(&a->qos[i]->limits);
        for (size_t i = 0; i < a->n_assocs; i++)
                some |= limits_count_minutes(&a->assocs[i]->limits);
        a->minutes = some ? MINUTES_SOME : MINUTES_NONE;
        return some;
}

/* Returns the seconds until left is used at rate. */
static double limit_lasts_seconds(double left, double rate) {
        return rate > 0 ? MAX(0.0, left) / rate : 1e18;
}

/* factor: the largest usage factor of a running second. */
static double seconds_left(const struct limits *l, const struct usage *u, const struct tally *of,
                double factor) {
        double least = 1e18;

        if (l->grp_wall != NO_LIMIT)
                least = limit_lasts_seconds((double)l->grp_wall / USEC_PER_SEC - u->wall,
                                factor * of->running);
        for (size_t t = 0; t < TRES_MAX; t++) {
                uint64_t limit = l->tres[LIMIT_GRP_TRES_MINS].of[t];
                if (limit != TRES_NONE)
                        least = MIN(least, limit_lasts_seconds((double)limit * 60 - u->tres[t],
                                                           factor * (double)of->used.of[t]));
        }
        return least;
}

/* Returns the seconds from c->usage_fresh until the first limit is reached. */
static double first_end(const struct cluster *c) {
        double least = 1e18, factor = 1;

        for (size_t i = 0; i < c->acct.n_qos; i++) {
                const struct qos *q = c->acct.qos[i];
                factor = MAX(factor, q->usage_factor);
                least = MIN(least, seconds_left(&q->limits, &q->usage, &q->all, q->usage_factor));
        }
        for (size_t i = 0; i < c->acct.n_assocs; i++) {
                const struct assoc *s = c->acct.assocs[i];
                if (s->used.running && limits_count_minutes(&s->limits))
                        least = MIN(least, seconds_left(&s->limits, &s->usage, &s->used, factor));
        }
        return least;
}

static void end_used_up(struct cluster *c, usec_t now) {
        for (size_t i = c->n_active; i-- > 0;) {
                struct job *j = i < c->n_active ? c->active[i] : NULL;
                enum job_reason why = j && !j->completing && !job_is_finished(j)
                                                      ? limits_used_up(c, j)
                                                      : REASON_NONE;
                if (why == REASON_NONE)
                        continue;
                cluster_log(c, j->id, NULL, "JobId=%u is ended: a limit on usage is reached: %s",
                                j->id, job_reason_text((int)why));
                job_end(c, j, JOB_TIMEOUT, why, "TIME LIMIT", now);
                cluster_arm(c, now, DEADLINE_PASS, 0); /* the turn may be past its pass already */
        }
}

void limits_review(struct cluster *c, usec_t now) {
        if (!(c->config->enforce & ENFORCE_LIMITS) || c->config->enforce & ENFORCE_SAFE ||
                        !c->config->priority.multifactor || c->config->accounting_off ||
                        !acct_counts_minutes(&c->acct) || c->n_active == 0)
                return;
        double left = first_end(c);
        usec_t at = left < 1e9 ? c->usage_fresh + (usec_t)(left * USEC_PER_SEC) + 1 : USEC_INFINITY;
        if (at <= now) {
                usage_refresh(c, now);
                end_used_up(c, now);
                left = first_end(c);
                at = left < 1e9 ? MAX(c->usage_fresh + (usec_t)(left * USEC_PER_SEC) + 1,
                                                  now + USEC_PER_SEC)
                                : USEC_INFINITY;
        }
        if (at == USEC_INFINITY || (c->limits_armed > now && c->limits_armed <= at))
                return;
        c->limits_armed = at;
        cluster_arm(c, at, DEADLINE_LIMITS, 0);
}
