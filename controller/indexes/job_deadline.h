/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/job_deadline.h - when a job has something due */
#pragma once

#include "controller/model/cluster.h"

/* In the order in which they are carried out (turn/job_due.c). */
enum job_deadline {
        JOB_DEADLINE_FORGET, /* MinJobAge after its end */
        JOB_DEADLINE_START,  /* --deadline cannot be kept any more */
        JOB_DEADLINE_MAIL,   /* --mail-type=TIME_LIMIT and its like */
        JOB_DEADLINE_TIME_LIMIT,
        JOB_DEADLINE_STOP,         /* it makes way for a job whose nodes are up soon */
        JOB_DEADLINE_GRACE,        /* of its preemption */
        JOB_DEADLINE_WARNING,      /* --signal */
        JOB_DEADLINE_HOLDER,       /* the srun or salloc that holds it has not come back */
        JOB_DEADLINE_STEP_HOLDERS, /* ... the srun of a step */
        JOB_DEADLINE_STEPS,        /* time limits of steps */
        JOB_DEADLINE_STOP_AGAIN,   /* a freeze that has failed may be tried again */
        JOB_DEADLINE_GIVE_AGAIN,   /* it may be asked for its memory again */
        JOB_DEADLINE_LAUNCH,
        JOB_DEADLINE_ANSWERS, /* of its agents */
        JOB_DEADLINE_DEPENDENCY,
        JOB_DEADLINE_BOOT, /* nodes may be rebooted for its features from now on */
        JOB_DEADLINE_MAX,
};

/* Mail about parts of its time limit. */
#define JOB_MAIL_PARTS 3
/* When that about part i is due; NO_LIMIT: it is not wanted, or sent. *ret_type: the bit of
   lib/mailtype.h, always. */
usec_t job_mail_part_at(const struct job *j, size_t i, uint32_t *ret_type);
/* NO_LIMIT: j has none. */
usec_t job_deadline_at(const struct cluster *c, const struct job *j, enum job_deadline which);
/* When j, which is over, may be forgotten (MinJobAge). */
usec_t job_forgotten_at(const struct cluster *c, const struct job *j);
/* Arms the next deadline of j; cluster_job_changed() calls it. */
void cluster_job_rearm(struct cluster *c, struct job *j);
