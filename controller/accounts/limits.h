/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/limits.h - what a QOS or an association may allow at most, and what is counted against it
 *
 * A limit that is not set is LIMIT_NONE (counts), TRES_NONE (tres_set.h) or NO_LIMIT (time).  What means a user's or an account's
 * share of a QOS has a tally of its own there (qos.h). */
#pragma once

#include "controller/resources/tres_set.h"

#define LIMIT_NONE UINT32_MAX

enum limit_count {
        LIMIT_GRP_JOBS, /* that run, of all together */
        LIMIT_GRP_SUBMIT, /* that run or wait */
        LIMIT_MAX_JOBS, /* of each user in a QOS; of an association alone */
        LIMIT_MAX_SUBMIT,
        LIMIT_MAX_JOBS_ACCOUNT, /* of each account; QOS only, as the next */
        LIMIT_MAX_SUBMIT_ACCOUNT,
        LIMIT_MIN_PRIO, /* a job needs to start */
        LIMIT_GRP_ACCRUE, /* that wait and grow older (priority.h), of all together */
        LIMIT_MAX_ACCRUE,
        LIMIT_MAX_ACCRUE_ACCOUNT, /* QOS only */
        LIMIT_COUNT_MAX,
};

enum limit_tres {
        LIMIT_GRP_TRES,
        LIMIT_MAX_TRES_JOB,
        LIMIT_MAX_TRES_NODE,    /* of one job on each of its nodes */
        LIMIT_MAX_TRES_USER,    /* QOS only, as the next two */
        LIMIT_MAX_TRES_ACCOUNT,
        LIMIT_MIN_TRES_JOB,
        LIMIT_MAX_TRES_MINS_JOB, /* times the job's time limit, in minutes */
        LIMIT_GRP_TRES_MINS,     /* minutes that have been used (usage.h), decayed */
        LIMIT_GRP_TRES_RUN_MINS, /* minutes that running jobs have left */
        LIMIT_MAX_TRES_RUN_MINS_USER, /* the same of each user; QOS only, as the next */
        LIMIT_MAX_TRES_RUN_MINS_ACCOUNT,
        LIMIT_TRES_MAX,
};

struct limits {
        uint32_t count[LIMIT_COUNT_MAX];
        struct tres_set tres[LIMIT_TRES_MAX];
        usec_t max_wall; /* of one job */
        usec_t grp_wall; /* time that all together have run, decayed */
};

void limits_clear(struct limits *l); /* none is set; limit_check.c */

/* What has been used, in seconds times so many, decayed (usage.h). */
struct usage {
        double tres[TRES_MAX], wall;
};

/* Time that running jobs have left of their limits, times the QOS's UsageFactor: a sum of
   n * (end - now) for jobs with running time, and the rest of suspended and configuring ones. */
struct run_time {
        double ends[TRES_MAX], moving[TRES_MAX], still[TRES_MAX]; /* s, of CLOCK_REALTIME */
};

/* What is in use; of a group, a user or an account. */
struct tally {
        char *key; /* a user's or an account's name; NULL: all */
        uint32_t running, submitted, accruing; /* jobs; the last: of the queue, that grow older */
        struct tres_set used; /* by those that run */
        struct run_time run;
        struct {
                uint64_t as_of; /* cluster.plans_as_of; another one: of none */
                struct tres_set most; /* that a planned job asks for, at most */
        } planned;
};
