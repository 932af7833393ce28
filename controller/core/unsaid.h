/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/unsaid.h - the time and the memory of a job that has asked for none: as its partition says, else the cluster.
 *
 * While it waits both follow what is configured, and where it waits for several partitions each of its bids has its own; with
 * its start they are settled. */
#pragma once

#include "controller/core/cluster.h"

/* It says nothing of memory. */
bool unsaid_memory(const struct job_spec *s);
/* As DefMemPerNode or DefMemPerCPU says in its partition; 0 and 0: nothing. */
void unsaid_default_memory(const struct cluster *c, const struct job *j, uint64_t *ret_per_node, uint64_t *ret_per_cpu);
/* j, which waits, and its bids have what they should; true: j has something else now. */
bool unsaid_settle(const struct cluster *c, struct job *j);
/* j, which does not wait yet, has what the partition says that it is in now. */
void unsaid_look_up(const struct cluster *c, struct job *j);
/* The same where its bids are new. */
void unsaid_settle_bids(const struct cluster *c, struct job *j);
/* j, which may wait for several, has what the one says that it is in now. */
void unsaid_take_here(struct job *j);
