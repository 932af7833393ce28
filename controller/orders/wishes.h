/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/wishes.h - the request of a pending job with all derived values: an update
 * replaces the request (job_respec_undo() of sched.h restores the former request) */
#pragma once

#include "controller/model/cluster.h"
#include "controller/sched/sched.h"

/* Replaces the request of j by the request of trial, which j takes over; by_default: the time
   limit, too.  Returns the former request; the caller frees. */
struct job_before *job_wishes_apply(struct cluster *c, struct job *j, const struct job *trial,
                bool by_default, usec_t now);
/* Frees the request of a trial that is not applied. */
void job_wishes_done(struct job_spec *asked, struct job_needs *needs);
