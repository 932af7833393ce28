/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs in the queue whose age counts (accrues).  Without a limit the age counts from the time at
 * which the job could start.  GrpJobsAccrue and MaxJobsAccrue allow the first jobs in queue order;
 * a job that starts or leaves makes room for another.  The rest of an array counts as one job.  A
 * job once accruing continues, even if a limit is lowered. */
#include "controller/accounts/limit_check.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/changed.h"

void accrue_enter(struct cluster *c, struct job *j, usec_t now) {
        bool time_has_come = j->waiting.eligible_time && j->waiting.eligible_time <= now;

        j->waiting.accrue_time = time_has_come && limits_may_accrue(c, j) ? now : 0;
        if (time_has_come)
                c->accrual.refused |= j->waiting.accrue_time == 0;
        else if (j->waiting.eligible_time &&
                        (c->accrual.next == 0 || c->accrual.next > j->waiting.eligible_time))
                c->accrual.next = j->waiting.eligible_time;
}

void accrue_review(struct cluster *c, usec_t now) {
        bool due = follows(c, FOLLOW_ACCRUAL_ANEW) || (c->accrual.next && c->accrual.next <= now);

        if (!due && !(c->accrual.refused && follows(c, FOLLOW_ACCRUAL)))
                return;
        (void)follows_take(c, FOLLOW_ACCRUAL | FOLLOW_ACCRUAL_ANEW);
        c->accrual.next = 0;
        c->accrual.refused = false;
        for (size_t i = 0; i < c->n_queue; i++) {
                struct job *j = c->queue[i]->job;
                if (c->queue[i] != &j->waiting.bids[0] || j->waiting.accrue_time ||
                                j->waiting.eligible_time == 0)
                        continue;
                accrue_enter(c, j, now);
                if (j->waiting.accrue_time)
                        cluster_job_changed(c, j);
        }
}
