/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/limits.h - limits of a QOS or an association, and what is counted against
 * them
 *
 * A limit that is not set is LIMIT_NONE (counts), TRES_NONE (tres_set.h) or NO_LIMIT (time).
 * Limits per user or account of a QOS have tallies of their own there (qos.h). */
#pragma once

#include "controller/resources/tres_set.h"

#define LIMIT_NONE UINT32_MAX

enum limit_count {
        LIMIT_GRP_JOBS, /* running jobs in all */
        LIMIT_GRP_SUBMIT, /* running and pending jobs in all */
        LIMIT_MAX_JOBS, /* running jobs of each user in a QOS; of an association alone */
        LIMIT_MAX_SUBMIT,
        LIMIT_MAX_JOBS_ACCOUNT, /* of each account; QOS only, as the next */
        LIMIT_MAX_SUBMIT_ACCOUNT,
        LIMIT_MIN_PRIO, /* MinPrioThreshold */
        LIMIT_GRP_ACCRUE, /* pending jobs with an age that counts (priority.h), in all */
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
        LIMIT_GRP_TRES_MINS,     /* usage in minutes (usage.h), decayed */
        LIMIT_GRP_TRES_RUN_MINS, /* minutes left of running jobs' time limits */
        LIMIT_MAX_TRES_RUN_MINS_USER, /* the same of each user; QOS only, as the next */
        LIMIT_MAX_TRES_RUN_MINS_ACCOUNT,
        LIMIT_TRES_MAX,
};

struct limits {
        uint32_t count[LIMIT_COUNT_MAX];
        struct tres_set tres[LIMIT_TRES_MAX];
        usec_t max_wall; /* of one job */
        usec_t grp_wall; /* run time of all jobs, decayed */
};

void limits_clear(struct limits *l); /* sets no limit; limit_check.c */

/* Usage in seconds times amount, decayed (usage.h). */
struct usage {
        double tres[TRES_MAX], wall;
};

/* Time that running jobs have left of their limits, times the QOS's UsageFactor: a sum of
   n * (end - now) for jobs with running time, and the rest of suspended and configuring ones. */
struct run_time {
        double ends[TRES_MAX], moving[TRES_MAX], still[TRES_MAX]; /* s, of CLOCK_REALTIME */
};

/* Resources in use by a group, a user or an account. */
struct tally {
        char *key; /* a user's or an account's name; NULL: all */
        /* jobs; accruing: pending, with an age that counts. */
        uint32_t running, submitted, accruing;
        struct tres_set used; /* by running jobs */
        struct run_time run;
        struct {
                uint64_t as_of; /* cluster.plans_as_of; another one: of none */
                struct tres_set most; /* largest request of a planned job */
        } planned;
};
