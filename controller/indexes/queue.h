/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/queue.h - moves jobs into and out of the queue and the active list
 *
 * Invariant: a job is in the queue if and only if it is PENDING and not completing, and in the
 * active list if and only if job_is_active(). */
#pragma once

#include "controller/model/cluster.h"

void cluster_queue_insert(struct cluster *c, struct job *j);
void cluster_queue_remove(struct cluster *c, struct job *j);
/* het_join() for a job that may be in the queue, where a component waits for its leader's turn. */
int cluster_het_join(struct cluster *c, struct het *h, struct job *j, uint32_t offset);
/* Called after a change of pending j's request: removes the plan of j. */
void cluster_queue_touch(struct cluster *c, struct job *j);
/* Gives j, which is only checked (--test-only), the submit time, priority and rank of a submission
   now. */
void cluster_queue_suppose(struct cluster *c, struct job *j, usec_t now);
/* Sorts the queue after a change of priorities, of a partition's tier or of a QOS's preempt
   list. */
void cluster_queue_resort(struct cluster *c);
void cluster_active_insert(struct cluster *c, struct job *j);
void cluster_active_remove(struct cluster *c, struct job *j);
/* Adds j, which is suspended by the gang, to cluster.stopped. */
void cluster_stopped_insert(struct cluster *c, struct job *j);
/* Removes j from the cluster and frees j. */
void cluster_job_remove(struct cluster *c, struct job *j);
/* Removes j together with all components of its heterogeneous job. */
void cluster_job_forget(struct cluster *c, struct job *j);
/* Ends the claim of j: nodes are no longer reserved, and victims not told to end yet run on. */
void job_unclaim(struct cluster *c, struct job *j);
/* Makes v, a running victim, run on as if never chosen. */
void victim_spare(struct cluster *c, struct job *v);
