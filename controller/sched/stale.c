/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drops nodes kept and plans made for jobs no longer able to use them: the job has started
 * elsewhere, or limits leave the job no room after the start of further jobs. */
#include "controller/sched/sched_private.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/jobs/het_wait.h"

/* Returns whether limits leave j no room now, in the partition of the value j. */
static bool has_no_room(const struct cluster *c, const struct job *j, usec_t now) {
        if (job_is_het(j) && (job_is_het_follower(j) || het_awaits(c, j->het) != REASON_NONE))
                return false;
        if (job_is_het(j))
                return het_limit(c, j, now, NULL) != REASON_NONE ||
                       het_is_hindered(c, j, now, NULL);
        return limits_wait_reason(c, j, NULL, NULL, now, NULL) != REASON_NONE;
}

bool sched_is_stale_claim(const struct cluster *c, const struct job *j,
                const struct partition *part, usec_t now) {
        struct job room;
        size_t i = 0;

        if (!j || j->state != JOB_PENDING) /* j has started in another of its partitions */
                return true;
        while (i < j->waiting.n_bids && j->waiting.bids[i].partition != part)
                i++;
        return c->config->enforce & ENFORCE_LIMITS && i < j->waiting.n_bids &&
               has_no_room(c, job_in_bid(&j->waiting.bids[i], &room), now);
}

bool sched_has_stale_claims(const struct cluster *c, usec_t now) {
        bool stale = false;

        for (size_t i = 0; i < c->n_partitions && !stale; i++)
                stale = c->partitions[i]->kept_for &&
                        sched_is_stale_claim(c, cluster_job(c, c->partitions[i]->kept_for),
                                        c->partitions[i], now);
        return stale;
}

bool sched_drops_plans(struct cluster *c, usec_t now) {
        bool some = false;

        if (!follows_take(c, FOLLOW_LIMIT_PLANS))
                return false;
        if (!c->config->bf.on || !(c->config->enforce & ENFORCE_LIMITS))
                return false;
        c->plans_as_of++;
        for (size_t i = 0; i < c->n_queue && i < c->planned.end; i++) {
                if (!bid_plan(c->queue[i]))
                        continue;
                struct job room;
                const struct job *j = job_in_bid(c->queue[i], &room);
                bool full = has_no_room(c, j, now);
                if (!full)
                        limits_note_plan(c, j);
                else
                        plan_void(c, job_itself(j));
                some |= full;
        }
        return some;
}
