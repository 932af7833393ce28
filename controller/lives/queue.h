/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/lives/queue.h - jobs into and out of the queue and the active ones
 *
 * A job is in the queue exactly while it is PENDING and not completing, among the active exactly while job_is_active(). */
#pragma once

#include "controller/model/cluster.h"

void cluster_queue_insert(struct cluster *c, struct job *j);
void cluster_queue_remove(struct cluster *c, struct job *j);
void cluster_queue_touch(struct cluster *c, struct job *j); /* what a pending job asks for has changed */
void cluster_queue_count(struct bid *b); /* in its partition; part of the insertion */
void cluster_queue_rank(const struct cluster *c, struct job *j); /* ... before it joins the queue */
void cluster_queue_resort(struct cluster *c); /* a partition's tier has changed, or a QOS' preempt list */
void cluster_active_insert(struct cluster *c, struct job *j);
void cluster_active_remove(struct cluster *c, struct job *j);
/* It is stopped by the gang, which looks at it from now on. */
void cluster_stopped_insert(struct cluster *c, struct job *j);
void cluster_job_remove(struct cluster *c, struct job *j); /* frees it */
