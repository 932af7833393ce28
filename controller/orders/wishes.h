/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/wishes.h - what a pending job asks for, and all that follows from it: an update
   puts new wishes in the place of those that it has (job_respec_undo() of sched.h brings these
   back) */
#pragma once

#include "controller/model/cluster.h"
#include "controller/sched/sched.h"

/* j asks for what trial does, whose wishes become its own; by_default: has its time limit, too.
   What j has asked for until now is returned, and is the caller's. */
struct job_before *job_wishes_apply(struct cluster *c, struct job *j, const struct job *trial,
                bool by_default, usec_t now);
/* Frees those of a trial that is not applied. */
void job_wishes_done(struct job *j);
