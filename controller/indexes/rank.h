/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/rank.h - sorts the queue after changes of priorities or accounts */
#pragma once

#include "controller/model/cluster.h"

/* DEADLINE_PRIORITY: if due, computes the priorities of all pending jobs and sorts the queue. */
void priority_review(struct cluster *c, usec_t now);
/* Looks up association and QOS of all jobs and partitions again, after a change of partitions. */
void acct_bind_all(struct cluster *c);
/* Like acct_bind_all() for jobs without association or QOS, after accounts, users or QOS were
   added. */
void acct_bind_strays(struct cluster *c);
