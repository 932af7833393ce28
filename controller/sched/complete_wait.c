/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CompleteWait: the nodes of an ended job become free one by one, and a small job starting on the
 * first node would delay a job in need of all nodes. So no job starts anywhere while some job has
 * been COMPLETING for less than CompleteWait. A job completing for longer (a node does not answer,
 * or a process does not die) delays no job. The only timer is the end of CompleteWait. */
#include "controller/sched/sched.h"

bool sched_awaits_completing(struct cluster *c, usec_t now) {
        usec_t since = 0;

        if (!c->config->complete_wait || !c->n_completing ||
                        c->completing_from + c->config->complete_wait <= now)
                return false;
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->completing)
                        since = MAX(since, job_completing_from(c->active[i]));
        /* a job that ended otherwise while completing (a requeue) has a later end than its first */
        since = MIN(since, c->completing_from);
        if (!since || since + c->config->complete_wait <= now)
                return false;
        if (c->waits_until != since + c->config->complete_wait) {
                c->waits_until = since + c->config->complete_wait;
                cluster_arm(c, c->waits_until, DEADLINE_TURN, 0);
        }
        return true;
}
