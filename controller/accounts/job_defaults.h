/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/job_defaults.h - defaults of a job from its partition, or else from the
 * cluster
 *
 * Defaults are set for the time limit, for memory unless requested, for CPUs and memory of GPUs,
 * and then for the CPUs required by MaxMemPerCPU.  The request stays in job.asked.  While a job is
 * pending, the defaults follow the configuration, and each bid of a job in several partitions has
 * its own defaults; the start fixes the values. */
#pragma once

#include "controller/model/cluster.h"

/* Updates j, which is pending, and its bids.  Returns true if j changed.  The caller updates the
   bids' priorities. */
bool job_defaults_settle(const struct cluster *c, struct job *j);
/* Like job_defaults_settle(), for a job not in the queue yet, in its present partition. */
bool job_defaults_look_up(const struct cluster *c, struct job *j);
/* The job as it would be in p, where it need not be pending: *room, a value as in
   accounts/bids.h. */
const struct job *job_in_new_partition(const struct cluster *c, const struct job *j,
                struct partition *p, struct job *room);
/* Sets the defaults of j's present partition from the bid. */
void job_defaults_take(struct job *j);
