/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/gang.h - time slices: which of several jobs on the same units runs (gang
 * scheduling guide) */
#pragma once

#include "controller/model/cluster.h"

/* Resumes jobs suspended by the gang where no job runs on their units; arms a deadline if jobs wait
   for a turn. */
void gang_settle(struct cluster *c, usec_t now);
/* j has been placed: j waits for a turn if jobs of the same partition run on the units of j. */
void gang_started(struct cluster *c, struct job *j, usec_t now);
/* Called at p->slice_at: the next jobs of the gang run as soon as the jobs before them are
   frozen. */
void gang_slice(struct cluster *c, struct partition *p, usec_t now);
