/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/rank.h - the queue is put in order again when priorities or accounts have
   changed */
#pragma once

#include "controller/model/cluster.h"

/* DEADLINE_PRIORITY: if it is due, the priorities of all that wait, and the queue in their
   order. */
void priority_review(struct cluster *c, usec_t now);
/* All jobs and partitions look for their association and QOS again; after a change of
   partitions. */
void acct_bind_all(struct cluster *c);
/* Only those that had none, after accounts, users or QOS were added. */
void acct_bind_strays(struct cluster *c);
