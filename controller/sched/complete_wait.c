/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CompleteWait: the nodes of a job that is over become free one after the other, and a job that
 * starts on the first of them is in the way of one that needs them all.  So no job starts while one
 * has been COMPLETING for less than that, wherever; one that waits longer, for a node that does not
 * answer or a process that does not die, delays none.  No timer runs but for the end of it. */
#include "controller/sched/sched.h"

bool sched_awaits_completing(struct cluster *c, usec_t now) {
        usec_t since = 0;

        if (!c->config->complete_wait || !c->n_completing ||
                        c->completing_from + c->config->complete_wait <= now)
                return false;
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->completing)
                        since = MAX(since, job_completing_from(c->active[i]));
        /* A job that ended in another way while completing has a later time. */
        since = MIN(since, c->completing_from);
        if (!since || since + c->config->complete_wait <= now)
                return false;
        if (c->waits_until != since + c->config->complete_wait) {
                c->waits_until = since + c->config->complete_wait;
                cluster_arm(c, c->waits_until, DEADLINE_TURN, 0);
        }
        return true;
}
