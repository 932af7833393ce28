/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/usage.h - usage by associations and QOS, and the resulting fair shares
 *
 * Usage is seconds times the job's billing cost (billing.h) or a resource, times UsageFactor of the
 * QOS; half of the usage decays in PriorityDecayHalfLife.  Only counted with
 * PriorityType=priority/multifactor. */
#pragma once

#include "controller/model/cluster.h"

/* Charges the time that j has run since the last charge; called also before j ends or is
   requeued. */
void usage_charge(struct cluster *c, struct job *j, usec_t now);
/* Charges all running jobs, for limits of minutes, without decay or ranking; at most once a
   second. */
void usage_refresh(struct cluster *c, usec_t now);
/* Charges all running jobs, decays old usage and computes the fair shares.  Part of
   priority_review(). */
void usage_review(struct cluster *c, usec_t now);
/* Applies the configuration at the start and after a change: PriorityUsageResetPeriod=NOW, and fair
   shares. */
void usage_configured(struct cluster *c, usec_t now);
/* Called after a restart, when jobs and accounts are restored: charges the time run since
   c->usage_at. */
void usage_restore(struct cluster *c, usec_t now);

/* Computes assoc->fairshare, 0 to 1.  Fair tree: users are ranked by account, users of an account
   that used less than its share before all users of an account that used more; fairshare is rank /
   users, the best is 1.  Without fair tree: 2 ^ -(used / shares). */
void fairshare_review(struct acct *a, const struct config_priority *p);
