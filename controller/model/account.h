/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/account.h - data of accounts, users, associations and QOS: settings, limits and
 * counters
 *
 * The meaning of associations and QOS is explained in accounts/assoc.h and accounts/qos.h; counters
 * are updated by accounts/charge.c.
 *
 * An unset limit is LIMIT_NONE (counts), TRES_NONE (tres_set.h) or NO_LIMIT (time).  Limits on a
 * user's or an account's share of a QOS have separate tallies in the QOS. */
#pragma once

#include "controller/resources/tres_set.h"
#include "lib/base.h"

struct bitset;

#define LIMIT_NONE UINT32_MAX

enum limit_count {
        LIMIT_GRP_JOBS,   /* running jobs in total */
        LIMIT_GRP_SUBMIT, /* running and pending jobs in total */
        LIMIT_MAX_JOBS,   /* running jobs: per user in a QOS, in total of an association */
        LIMIT_MAX_SUBMIT,
        LIMIT_MAX_JOBS_ACCOUNT, /* jobs per account; only in a QOS, like the next limit */
        LIMIT_MAX_SUBMIT_ACCOUNT,
        LIMIT_MIN_PRIO,   /* MinPrioThreshold */
        LIMIT_GRP_ACCRUE, /* pending jobs whose age counts (priority.h), in total */
        LIMIT_MAX_ACCRUE,
        LIMIT_MAX_ACCRUE_ACCOUNT, /* only in a QOS */
        LIMIT_COUNT_MAX,
};

enum limit_tres {
        LIMIT_GRP_TRES,
        LIMIT_MAX_TRES_JOB,
        LIMIT_MAX_TRES_NODE, /* TRES of a job on each node */
        LIMIT_MAX_TRES_USER, /* only in a QOS, like the next two */
        LIMIT_MAX_TRES_ACCOUNT,
        LIMIT_MIN_TRES_JOB,
        LIMIT_MAX_TRES_MINS_JOB, /* resources times the job's time limit, in minutes */
        LIMIT_GRP_TRES_MINS,     /* decayed usage in minutes (usage.h) */
        LIMIT_GRP_TRES_RUN_MINS, /* remaining minutes of the time limits of running jobs */
        /* remaining minutes per user; only in a QOS, like the next limit */
        LIMIT_MAX_TRES_RUN_MINS_USER,
        LIMIT_MAX_TRES_RUN_MINS_ACCOUNT,
        LIMIT_TRES_MAX,
};

struct limits {
        uint32_t count[LIMIT_COUNT_MAX];
        struct tres_set tres[LIMIT_TRES_MAX];
        usec_t max_wall; /* time limit of one job */
        usec_t grp_wall; /* run time of all jobs, decayed */
};

/* Usage in seconds times amount, decayed (usage.h). */
struct usage {
        double tres[TRES_MAX], wall;
};

/* Remaining time of running jobs, times UsageFactor of the QOS: the sum of n * (end - now) for jobs
   whose time runs, plus the remaining time of suspended and configuring jobs. */
struct run_time {
        double ends[TRES_MAX], moving[TRES_MAX], still[TRES_MAX]; /* s; ends in CLOCK_REALTIME */
};

/* Resources in use by a group, a user or an account. */
struct tally {
        char *key; /* name of a user or account; NULL: everything */
        /* Numbers of jobs; accruing: pending jobs whose age counts. */
        uint32_t running, submitted, accruing;
        struct tres_set used; /* resources of running jobs */
        struct run_time run;
        struct {
                /* value of cluster.plans_as_of for planned; another value: outdated */
                uint64_t as_of;
                struct tres_set most; /* largest request of a planned job */
                /* largest number of jobs (components) in one request; 0 counts as 1 */
                uint32_t jobs;
        } planned;
};

/* ---- qualities of service ---- */

enum qos_flag { /* bits */
        /* DenyOnLimit: a job beyond a limit of its own is refused, not queued */
        QOS_DENY_ON_LIMIT = 1,
        QOS_OVER_PART_QOS = 2,        /* limits override those of the partition's QOS */
        QOS_PARTITION_TIME_LIMIT = 4, /* MaxWall may exceed the partition's MaxTime */
        QOS_PARTITION_MAX_NODES = 8,
        QOS_PARTITION_MIN_NODES = 16,
        QOS_NO_RESERVE = 32, /* jobs get no place in the plan */
        QOS_NO_DECAY = 64,   /* raw usage does not decay */
        QOS_ENFORCE_THRESHOLD = 128,
        QOS_REQUIRES_RESV = 256, /* jobs must name a reservation */
        /* UsageFactor also applies before jobs start ("safe") */
        QOS_USAGE_FACTOR_SAFE = 512,
};

struct qos {
        uint32_t id; /* never reused; bit number in preempt of other QOS */
        char *name, *description;
        uint32_t priority;
        struct bitset *preempt; /* ids of QOS whose jobs may be preempted; use qos_preempts() */
        /* enum preempt_mode for victims in this QOS; PREEMPT_UNSET: the cluster's mode */
        unsigned preempt_mode;
        usec_t preempt_exempt_time; /* TIME_UNSET: the cluster's value */
        uint32_t grace_time;        /* s */
        unsigned flags;             /* enum qos_flag */
        double usage_factor;        /* factor for the usage of jobs */
        double limit_factor;        /* factor for limits of associations; < 0: not set */
        /* Minimum weighted fair share for starting jobs (QOS_ENFORCE_THRESHOLD); < 0: not set. */
        double usage_threshold;
        struct limits limits;

        /* Tallies of the QOS's jobs; users and accounts are sorted by key and created on demand. */
        struct tally all, **users, **accounts;
        size_t n_users, a_users, n_accounts, a_accounts;
        double usage_raw;   /* decayed seconds of billing, for priorities */
        struct usage usage; /* decayed usage of each resource, for limits */
};

/* ---- accounts, users, associations ---- */

struct account {
        char *name, *description, *organization;
        char **coordinators; /* user names */
        size_t n_coordinators;
};

enum admin_level {
        ADMIN_NONE,
        ADMIN_OPERATOR,
        ADMIN_ADMINISTRATOR,
        ADMIN_LEVEL_MAX,
};

struct acct_user {
        char *name, *default_account; /* NULL: none yet */
        enum admin_level admin;
};

/* fairshare=parent: users count as children of the account's parent */
#define SHARES_PARENT UINT32_MAX

struct assoc {
        uint32_t id;          /* never reused */
        struct assoc *parent; /* NULL: the root */
        /* user NULL: association of the account; partition NULL: any */
        char *account, *user, *partition;
        uint32_t shares;      /* default 1; SHARES_PARENT */
        uint32_t default_qos; /* id; 0: inherited from the parent */
        uint32_t priority;    /* LIMIT_NONE: inherited from the parent; use assoc_priority() */
        struct bitset *qos;   /* ids; NULL: inherited from the parent */
        struct limits limits;
        uint32_t n_children;

        struct tally used; /* use by this association and all below */
        /* Decayed seconds of billing, charged here and at all parents, for fair share. */
        double usage_raw;
        struct usage usage; /* decayed usage of each resource, for limits */
        /* 0..1; accounts have a value only without fair tree: fairshare_review() */
        double fairshare;
};

/* Another cluster whose associations are stored here (sacctmgr add cluster).  QOS, accounts and
   users are common to all clusters. */
struct acct_cluster {
        char *name;
        struct assoc **assocs; /* like assocs of struct acct */
        size_t n_assocs, a_assocs;
        struct assoc *root;
};
#define ACCT_CLUSTERS_MAX     256
#define ACCT_CLUSTER_NAME_MAX 40 /* maximum length, in bytes */

struct acct_dirty {     /* a change not yet stored in the accounting file */
        unsigned table; /* enum acct_table */
        char *key;      /* a name; for QOS and associations the id */
        bool removed;
};

struct acct {
        struct tres_names tres; /* limited resources besides CPUs, memory and nodes */
        struct qos **qos;       /* sorted by creation */
        size_t n_qos, a_qos;
        struct account **accounts; /* sorted by name, like users */
        size_t n_accounts, a_accounts;
        struct acct_user **users;
        size_t n_users, a_users;
        struct assoc **assocs; /* sorted by account, user, partition */
        size_t n_assocs, a_assocs;
        struct assoc *root;
        struct acct_cluster **clusters; /* sorted by name */
        size_t n_clusters, a_clusters;
        /* The cluster whose associations are now in assocs and root, while this cluster's
           associations are in the entry of entered: acct_enter().  NULL: normal state. */
        struct acct_cluster *entered;
        /* True if a user besides root has an AdminLevel or is coordinator: acct_has_levels(). */
        enum { LEVELS_UNKNOWN, LEVELS_NONE, LEVELS_SOME } levels;
        /* True if some limit counts past usage: acct_counts_minutes(). */
        enum { MINUTES_UNKNOWN, MINUTES_NONE, MINUTES_SOME } minutes;
        /* Maximum priority of all associations, if priorities_known: acct_count_priorities(). */
        uint32_t most_priority;
        bool priorities_known;
        uint32_t next_id; /* next id for a QOS or association */
        struct acct_dirty *dirty;
        size_t n_dirty, a_dirty;
};

/* ---- jobs ---- */

/* The amounts that a job is charged with, and the tallies charged. */
struct job_charge {
        enum { CHARGE_NONE, CHARGE_SUBMITTED, CHARGE_RUNNING } state;
        uint32_t tasks; /* number of tasks of an array's rest; else 1 */
        bool accrues;   /* pending, with an age that counts */
        struct tres_set used;
        bool moving;        /* the job's time runs */
        double until, left; /* moving: end of the time limit; else the remaining time; s */
        double factor;      /* UsageFactor of the QOS, applied to the remaining time */
        struct assoc *assoc;
        struct {
                struct qos *qos;
                struct tally *user, *account;
        } of[2]; /* the job's QOS, then the partition's QOS */
};
