/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/rank.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/qos.h"
#include "controller/accounts/usage.h"
#include "controller/indexes/queue.h"

static bool rank_recalculate(const struct cluster *c, struct job *j, usec_t now) {
        if (job_is_held(j) || j->asked.priority)
                return false;
        uint32_t priority = priority_multifactor(c, j, now);
        if (c->config->priority.flags & PRIORITY_INCR_ONLY)
                priority = MAX(priority, j->priority);
        bool changed = priority != j->priority;
        j->priority = priority;
        return changed;
}

void priority_review(struct cluster *c, usec_t now) {
        bool changed = false;

        if (!c->config->priority.multifactor || c->priority_armed == 0 || now < c->priority_armed)
                return;
        usage_review(c, now);
        acct_count_priorities(&c->acct);
        /* usage has decayed, and shares have changed */
        if (c->config->enforce & ENFORCE_LIMITS)
                note(c, FACT_LIMIT_ROOM);
        for (size_t i = 0; i < c->n_queue; i++) {
                struct job *j = c->queue[i]->job;
                if (c->queue[i] != &j->waiting.bids[0])
                        continue;
                changed |= rank_recalculate(c, j, now);
                changed |= bids_prioritize(c, j);
        }
        for (size_t i = 0;
                        i < c->n_active && c->config->priority.flags & PRIORITY_CALCULATE_RUNNING;
                        i++)
                if (c->active[i]->state == JOB_RUNNING)
                        (void)rank_recalculate(c, c->active[i], now);
        if (changed)
                cluster_queue_resort(c);
        priority_rearm(c, now + c->config->priority.calc_period);
}

void acct_bind_all(struct cluster *c) {
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->qos = qos_find(&c->acct, c->partitions[i]->qos_name);
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        acct_bind(c, c->jobs[i].job);
        if (c->config->preempt_type == PREEMPT_QOS)
                cluster_queue_resort(c);
        note(c, FACT_JOBS_REBOUND);
        if (c->priority_armed) /* fair shares may have changed */
                priority_rearm(c, 1);
}

void acct_bind_strays(struct cluster *c) {
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                if (j && !job_is_finished(j) && (!j->accounting.assoc || !j->accounting.qos))
                        acct_bind(c, j);
        }
        for (size_t i = 0; i < c->n_partitions; i++)
                if (c->partitions[i]->qos_name && !c->partitions[i]->qos) {
                        acct_bind_all(c);
                        return;
                }
}
