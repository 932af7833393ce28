/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/gang.h - time slices: which of the jobs that hold the same units runs (gang scheduling guide) */
#pragma once

#include "controller/model/cluster.h"

/* Jobs that the gang has stopped go on where nothing runs on their units any more; a job that waits for its turn gets a deadline. */
void gang_settle(struct cluster *c, usec_t now);
/* j has its nodes: it waits for its turn if others of its partition run there. */
void gang_started(struct cluster *c, struct job *j, usec_t now);
/* At p->slice_at: the next jobs of the gang run as soon as the others are frozen. */
void gang_slice(struct cluster *c, struct partition *p, usec_t now);
