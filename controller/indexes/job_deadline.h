/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/job_deadline.h - the deadlines of a job */
#pragma once

#include "controller/model/cluster.h"

/* The order is the order of execution (turn/job_due.c). */
enum job_deadline {
        JOB_DEADLINE_FORGET, /* MinJobAge after the end */
        JOB_DEADLINE_START,  /* --deadline can no longer be met */
        JOB_DEADLINE_MAIL,   /* --mail-type=TIME_LIMIT_... */
        JOB_DEADLINE_TIME_LIMIT,
        JOB_DEADLINE_STOP, /* a victim is suspended or ended as the preemptor's nodes are up soon */
        JOB_DEADLINE_GRACE,        /* end of GraceTime */
        JOB_DEADLINE_WARNING,      /* --signal */
        JOB_DEADLINE_HOLDER,       /* the srun or salloc holding the job has not come back */
        JOB_DEADLINE_STEP_HOLDERS, /* the srun of a step has not come back */
        JOB_DEADLINE_STEPS,        /* time limits of steps */
        JOB_DEADLINE_STOP_AGAIN,   /* freezing may be tried again */
        JOB_DEADLINE_GIVE_AGAIN,   /* reclaiming memory may be tried again */
        JOB_DEADLINE_LAUNCH,
        JOB_DEADLINE_ANSWERS, /* answers of agents */
        JOB_DEADLINE_DEPENDENCY,
        JOB_DEADLINE_BOOT, /* nodes may be rebooted for features from now on */
        JOB_DEADLINE_MAX,
};

/* Number of mails about parts of the time limit. */
#define JOB_MAIL_PARTS 3
/* When the mail about part i is due; NO_LIMIT: not requested, or sent.  *ret_type: the bit of
   lib/mailtype.h, set in any case. */
usec_t job_mail_part_at(const struct job *j, size_t i, uint32_t *ret_type);
/* NO_LIMIT: j has no such deadline. */
usec_t job_deadline_at(const struct cluster *c, const struct job *j, enum job_deadline which);
/* Arms the next deadline of j; called by cluster_job_changed(). */
void cluster_job_rearm(struct cluster *c, struct job *j);
