/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/het_wait.h - what keeps a heterogeneous job waiting, whatever nodes are free */
#pragma once

#include "controller/model/het.h"

struct cluster;

/* Why j may not start yet by itself: it is held, or depends on others.  REASON_NONE: it may, when
   its time to begin has come. */
enum job_reason job_awaits(const struct cluster *c, const struct job *j);
/* The same of all components, with one that is not in the queue (yet, or any more: CLEANING).  Of
   several reasons the one that is the hardest to be rid of, as of a job that has them all. */
enum job_reason het_awaits(const struct cluster *c, const struct het *h);
/* The begin of one is to come. */
bool het_begins_later(const struct het *h, usec_t now);
/* All components but those that are held themselves are told that, or BeginTime; what was told of
 * it before goes when it is over. */
void het_tell_awaited(struct cluster *c, const struct het *h, usec_t now);
