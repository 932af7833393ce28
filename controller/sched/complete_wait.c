/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CompleteWait: the nodes of a job that is over become free one after the other, and who starts on the first of them is in the way
 * of who needs them all.  So nobody starts while some job has been COMPLETING for less than that, wherever; who waits longer, for a
 * node that does not answer or a process that does not die, holds nobody up.  No timer runs but for the end of it. */
#include "controller/sched/sched.h"

/* Also one that goes back to the queue. */
static usec_t completing_since(const struct job *j) {
        return job_is_finished(j) ? j->end_time : j->queued_time;
}

bool sched_awaits_completing(struct cluster *c, usec_t now) {
        usec_t since = 0;

        if (!c->config->complete_wait)
                return false;
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->completing)
                        since = MAX(since, completing_since(c->active[i]));
        if (!since || since + c->config->complete_wait <= now)
                return false;
        if (c->waits_until != since + c->config->complete_wait) {
                c->waits_until = since + c->config->complete_wait;
                cluster_arm(c, c->waits_until, DEADLINE_TURN, 0);
        }
        return true;
}
