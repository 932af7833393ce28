/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/job_defaults.h - what a job has beside what it asks for: as its partition
 * says, else the cluster.
 *
 * Its time and its memory, if it asks for none, and the CPUs and the memory of its GPUs; then the
 * CPUs that MaxMemPerCPU wants for its memory, asked for or by default.  What it asks for stays in
 * its spec.  While it waits all follows what is configured, and where it waits for several
 * partitions each of its bids has its own; with its start it is settled. */
#pragma once

#include "controller/model/cluster.h"

/* j, which waits, and its bids have what they should; true: j has something else now. Priorities of
   the bids are the caller's. */
bool job_defaults_settle(const struct cluster *c, struct job *j);
/* The same of one that does not wait yet, in the partition that it is in now. */
bool job_defaults_look_up(const struct cluster *c, struct job *j);
/* A job as it would be in that partition, whether it waits for it or not: *room, for questions, as
   accounts/bids.h says. */
const struct job *job_in_new_partition(const struct cluster *c, const struct job *j,
                struct partition *p, struct job *room);
/* j, which may wait for several, has what the one says that it is in now. */
void job_defaults_take(struct job *j);
