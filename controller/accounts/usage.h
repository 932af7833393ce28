/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/usage.h - what associations and QOS have used, and the fair shares that
 * follow from it
 *
 * Usage is seconds of what jobs cost (billing.h), and of each resource, times the QOS's factor;
 * half of it is forgotten in PriorityDecayHalfLife.  It is counted with
 * PriorityType=priority/multifactor only. */
#pragma once

#include "controller/model/cluster.h"

/* What j has run since it was last charged; also before it ends or goes back to the queue. */
void usage_charge(struct cluster *c, struct job *j, usec_t now);
/* All that runs is charged, no more: for limits of minutes. Not before a second has gone since the
   last time. */
void usage_refresh(struct cluster *c, usec_t now);
/* All that runs is charged, old usage decays, and shares are ranked anew. Part of
   priority_review(). */
void usage_review(struct cluster *c, usec_t now);
/* At the start, and with a new configuration: PriorityUsageResetPeriod=NOW, and fair shares as it
   wants them. */
void usage_configured(struct cluster *c, usec_t now);
/* After a restart, when jobs and accounts are there: what ran since c->usage_at is charged. */
void usage_restore(struct cluster *c, usec_t now);

/* assoc->fairshare, 0 to 1.  Fair tree: users are ranked by account, so that those of an account
   that has used less than its share come before all of one that has used more; theirs is rank /
   users, the best 1.  Without it all have 2 ^ -(used / shares). */
void fairshare_review(struct acct *a, const struct config_priority *p);
