/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state has the usage as of a single moment, c->usage_at.  The time run since follows from the
 * jobs, so no write is needed when a job ends.  The moment is only advanced before a job that ended
 * later is removed. */
#include "controller/accounts/usage.h"

#include "controller/model/tres.h"
#include "lib/calendar.h"

#include <math.h>

static bool usage_is_counted(const struct cluster *c) {
        return c->config->priority.multifactor && !c->config->accounting_off;
}

static void usage_add(double *raw, double cost, struct usage *u, const struct tres_set *has,
                double seconds) {
        *raw = MAX(0.0, *raw + seconds * cost);
        for (size_t i = 0; i < TRES_MAX; i++)
                u->tres[i] = MAX(0.0, u->tres[i] + seconds * (double)has->of[i]);
        u->wall = MAX(0.0, u->wall + seconds);
}

/* A job whose end was before the last charge gets the excess back. */
void usage_charge(struct cluster *c, struct job *j, usec_t now) {
        usec_t ran = job_run_time(j, now);
        struct tres_set has;

        if (!usage_is_counted(c) || ran == j->accounting.usage_charged || j->state == JOB_PENDING)
                return;
        double seconds = ((double)ran - (double)j->accounting.usage_charged) / USEC_PER_SEC *
                         (j->accounting.qos ? j->accounting.qos->usage_factor : 1);
        tres_of_job(c, j, &has);
        double cost = tres_cost(c, j->partition, &has);
        if (j->accounting.qos)
                usage_add(&j->accounting.qos->usage_raw, cost, &j->accounting.qos->usage, &has,
                                seconds);
        for (struct assoc *s = j->accounting.assoc; s; s = s->parent)
                usage_add(&s->usage_raw, cost, &s->usage, &has, seconds);
        j->accounting.usage_charged = ran;
}

/* ---- time ---- */

static void scale_one(double *raw, struct usage *u, double factor) {
        *raw *= factor;
        for (size_t i = 0; i < TRES_MAX; i++)
                u->tres[i] *= factor;
        u->wall *= factor;
}

static void usage_scale(struct acct *a, double factor) {
        for (size_t i = 0; i < a->n_assocs; i++)
                scale_one(&a->assocs[i]->usage_raw, &a->assocs[i]->usage, factor);
        for (size_t i = 0; i < a->n_qos; i++)
                if (!(a->qos[i]->flags & QOS_NO_DECAY) || factor == 0)
                        scale_one(&a->qos[i]->usage_raw, &a->qos[i]->usage, factor);
}

/* The number of the period of PriorityUsageResetPeriod that contains t. */
static int64_t usage_reset_period(const char *reset, usec_t t) {
        static const struct {
                const char *word;
                enum calendar_period period;
        } resets[] = { { "DAILY", CALENDAR_DAY }, { "WEEKLY", CALENDAR_WEEK },
                { "MONTHLY", CALENDAR_MONTH }, { "QUARTERLY", CALENDAR_QUARTER },
                { "YEARLY", CALENDAR_YEAR } };

        for (size_t i = 0; i < ELEMENTSOF(resets); i++)
                if (streq(reset, resets[i].word))
                        return time_period(t, resets[i].period);
        return 0;
}

static void usage_decay(struct cluster *c, usec_t now) {
        const struct config_priority *p = &c->config->priority;

        if (c->usage_at == 0 || now <= c->usage_at)
                return;
        if (usage_reset_period(p->reset_text, now) !=
                        usage_reset_period(p->reset_text, c->usage_at))
                usage_scale(&c->acct, 0);
        else if (p->half_life)
                usage_scale(&c->acct, exp2(-(double)(now - c->usage_at) / (double)p->half_life));
}

static void charge_all(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_active; i++)
                if (!job_is_finished(c->active[i]))
                        usage_charge(c, c->active[i], now);
        c->usage_fresh = now;
}

void usage_refresh(struct cluster *c, usec_t now) {
        if (usage_is_counted(c) && (now < c->usage_fresh || now - c->usage_fresh >= USEC_PER_SEC))
                charge_all(c, now);
}

void usage_review(struct cluster *c, usec_t now) {
        if (!usage_is_counted(c))
                return;
        usage_decay(c, now);
        charge_all(c, now);
        c->usage_at = now;
        c->dirty_usage = true;
        fairshare_review(&c->acct, &c->config->priority);
}

void usage_configured(struct cluster *c, usec_t now) {
        if (!usage_is_counted(c))
                return;
        if (streq(c->config->priority.reset_text, "NOW")) {
                charge_all(c, now);
                usage_scale(&c->acct, 0);
                c->usage_at = now;
                c->dirty_usage = true;
        }
        fairshare_review(&c->acct, &c->config->priority);
}

void usage_restore(struct cluster *c, usec_t now) {
        if (!usage_is_counted(c))
                return;
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                usec_t until = j && job_is_finished(j) ? j->running.end_time : now;
                usec_t ran = j ? job_run_time(j, now) : 0;

                if (ran == 0)
                        continue;
                usec_t since = until > c->usage_at ? until - c->usage_at : 0;
                j->accounting.usage_charged = ran > since ? ran - since : 0;
                usage_charge(c, j, now);
        }
        usage_configured(c, now);
}
