/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/sched.h - which job starts, which is stopped for it, which goes on */
#pragma once

#include "controller/core/cluster.h"
#include "lib/errors.h"

/* Looks at the queue in order and starts what can start (job launch guide; preemption guide, "design"). */
void sched_pass(struct cluster *c, usec_t now);
/* Jobs that a preemptor stopped go on where nothing runs on their units any more. */
void gang_settle(struct cluster *c, usec_t now);
/* May uid have jobs there. */
enum slumber_error partition_admits(const struct partition *p, uid_t uid);
/* A request becomes a pending job, or is refused with Slurm's words (fail says more).  spec's texts are copied. */
enum slumber_error job_admit(struct cluster *c, const struct job_spec *spec, uid_t uid, gid_t gid, const char *user,
                const char *group, usec_t now, struct job **ret, struct fail *fail);
