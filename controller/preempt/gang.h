/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/gang.h - time slices: which of several jobs on the same units runs (gang
   scheduling guide) */
#pragma once

#include "controller/model/cluster.h"

/* Resumes jobs that the gang has suspended, where no job runs on their units; arms a deadline if
   jobs wait for a turn. */
void gang_settle(struct cluster *c, usec_t now);
/* j got its nodes: it waits for its turn if other jobs of its partition run there. */
void gang_started(struct cluster *c, struct job *j, usec_t now);
/* At p->slice_at: the next jobs of the gang run as soon as the others are frozen. */
void gang_slice(struct cluster *c, struct partition *p, usec_t now);
