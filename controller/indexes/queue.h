/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/queue.h - jobs into and out of the queue and the active ones
 *
 * A job is in the queue exactly while it is PENDING and not completing, among the active exactly
 * while job_is_active(). */
#pragma once

#include "controller/model/cluster.h"

void cluster_queue_insert(struct cluster *c, struct job *j);
void cluster_queue_remove(struct cluster *c, struct job *j);
/* het_join() of a job that may be in the queue: there a component waits for its leader's turn. */
int cluster_het_join(struct cluster *c, struct het *h, struct job *j, uint32_t offset);
/* What pending j asks for has changed. */
void cluster_queue_touch(struct cluster *c, struct job *j);
/* b counts as waiting in its partition; cluster_queue_insert() calls it. */
void cluster_queue_count(struct bid *b);
/* How high j's QOS stands by what it may preempt, which orders the queue; before j is inserted. */
void cluster_queue_rank(const struct cluster *c, struct job *j);
/* Gives j, which is only checked (--test-only), the submit time, priority and rank that decide its
   place in the queue if it were submitted now. */
void cluster_queue_suppose(struct cluster *c, struct job *j, usec_t now);
/* The queue is put in order again: priorities, a partition's tier or a QOS' preempt list have
   changed. */
void cluster_queue_resort(struct cluster *c);
void cluster_active_insert(struct cluster *c, struct job *j);
void cluster_active_remove(struct cluster *c, struct job *j);
/* It is stopped by the gang, which looks at it from now on. */
void cluster_stopped_insert(struct cluster *c, struct job *j);
/* j is forgotten and freed. */
void cluster_job_remove(struct cluster *c, struct job *j);
/* ... with the other components of its heterogeneous job, if it is one. */
void cluster_job_forget(struct cluster *c, struct job *j);
/* The nodes that were kept for j, or for which it has stopped others, are kept no more; victims of
   it that have not been told to end yet go on. */
void job_unclaim(struct cluster *c, struct job *j);
/* v, which was to end for another job and still runs, goes on as if that had not been. */
void victim_spare(struct cluster *c, struct job *v);
