/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/account.h - accounts, users, associations and QOS: what is known of them, what
 * they allow, what counts against it
 *
 * What they are for is in accounts/assoc.h and accounts/qos.h; what is counted is counted by
 * accounts/charge.c.
 *
 * A limit that is not set is LIMIT_NONE (counts), TRES_NONE (tres_set.h) or NO_LIMIT (time).  What
 * means a user's or an account's share of a QOS has a tally of its own there. */
#pragma once

#include "controller/resources/tres_set.h"
#include "lib/base.h"

struct bitset;

#define LIMIT_NONE UINT32_MAX

enum limit_count {
        LIMIT_GRP_JOBS,   /* running jobs in all */
        LIMIT_GRP_SUBMIT, /* running and pending jobs in all */
        LIMIT_MAX_JOBS,   /* running jobs of each user in a QOS; of an association alone */
        LIMIT_MAX_SUBMIT,
        LIMIT_MAX_JOBS_ACCOUNT, /* of each account; QOS only, as the next */
        LIMIT_MAX_SUBMIT_ACCOUNT,
        LIMIT_MIN_PRIO,   /* MinPrioThreshold */
        LIMIT_GRP_ACCRUE, /* pending jobs with an age that counts (priority.h), in all */
        LIMIT_MAX_ACCRUE,
        LIMIT_MAX_ACCRUE_ACCOUNT, /* QOS only */
        LIMIT_COUNT_MAX,
};

enum limit_tres {
        LIMIT_GRP_TRES,
        LIMIT_MAX_TRES_JOB,
        LIMIT_MAX_TRES_NODE, /* of one job on each of its nodes */
        LIMIT_MAX_TRES_USER, /* QOS only, as the next two */
        LIMIT_MAX_TRES_ACCOUNT,
        LIMIT_MIN_TRES_JOB,
        LIMIT_MAX_TRES_MINS_JOB,      /* times the job's time limit, in minutes */
        LIMIT_GRP_TRES_MINS,          /* usage in minutes (usage.h), decayed */
        LIMIT_GRP_TRES_RUN_MINS,      /* minutes left of running jobs' time limits */
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
                uint64_t as_of;       /* cluster.plans_as_of; another one: of none */
                struct tres_set most; /* largest request of a planned job */
                uint32_t jobs;        /* most jobs of one request: components; 0 as 1 */
        } planned;
};

/* ---- qualities of service ---- */

enum qos_flag {                       /* bits */
        QOS_DENY_ON_LIMIT = 1,        /* a job beyond a limit of its own is refused, not queued */
        QOS_OVER_PART_QOS = 2,        /* its limits beat those of the partition's QOS */
        QOS_PARTITION_TIME_LIMIT = 4, /* MaxWall may be beyond the partition's MaxTime */
        QOS_PARTITION_MAX_NODES = 8,
        QOS_PARTITION_MIN_NODES = 16,
        QOS_NO_RESERVE = 32, /* its jobs have no place in the plan of the queue */
        QOS_NO_DECAY = 64,   /* the raw usage does not decay */
        QOS_ENFORCE_THRESHOLD = 128,
        QOS_REQUIRES_RESV = 256, /* its jobs must name a reservation */
        /* with "safe" the usage factor counts for jobs that want to begin, too */
        QOS_USAGE_FACTOR_SAFE = 512,
};

struct qos {
        uint32_t id; /* never reused; its bit in others' preempt */
        char *name, *description;
        uint32_t priority;
        struct bitset *preempt; /* ids of those that its jobs may preempt; ask qos_preempts() */
        /* enum preempt_mode, of its jobs as victims; PREEMPT_UNSET: the cluster's */
        unsigned preempt_mode;
        usec_t preempt_exempt_time; /* TIME_UNSET: the cluster's */
        uint32_t grace_time;        /* s */
        unsigned flags;             /* enum qos_flag */
        double usage_factor;        /* of what its jobs use */
        double limit_factor;        /* of what associations allow its jobs; below 0: not set */
        /* the least fair share, weighed, with which jobs may start (QOS_ENFORCE_THRESHOLD); below
           0: not set */
        double usage_threshold;
        struct limits limits;

        /* of its jobs; the latter two by key, made as needed */
        struct tally all, **users, **accounts;
        size_t n_users, a_users, n_accounts, a_accounts;
        double usage_raw;   /* seconds of billing, decayed: for priorities */
        struct usage usage; /* the same of each resource, for limits */
};

/* ---- accounts, users, associations ---- */

struct account {
        char *name, *description, *organization;
        char **coordinators; /* names of users */
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

#define SHARES_PARENT UINT32_MAX /* fairshare=parent: as if its users stood one level higher */

struct assoc {
        uint32_t id;                      /* never reused */
        struct assoc *parent;             /* NULL: the root */
        char *account, *user, *partition; /* user NULL: the account's own; partition NULL: any */
        uint32_t shares;                  /* 1; SHARES_PARENT */
        uint32_t default_qos;             /* id, 0 = the parent's */
        uint32_t priority;                /* LIMIT_NONE: the parent's; ask assoc_priority() */
        struct bitset *qos;               /* ids; NULL: the parent's */
        struct limits limits;
        uint32_t n_children;

        struct tally used; /* of it and all below */
        /* seconds of billing, decayed: charged here and at each level above, for fair share */
        double usage_raw;
        struct usage usage; /* the same of each resource, for limits */
        double fairshare;   /* 0 to 1; of accounts without fair tree alone: fairshare_review() */
};

/* Another cluster whose associations are kept here (sacctmgr add cluster), beside this one's. QOS,
   accounts and users are of all. */
struct acct_cluster {
        char *name;
        struct assoc **assocs; /* as those of struct acct */
        size_t n_assocs, a_assocs;
        struct assoc *root;
};
#define ACCT_CLUSTERS_MAX     256
#define ACCT_CLUSTER_NAME_MAX 40 /* bytes */

struct acct_dirty {     /* what has changed since the accounting file has seen it */
        unsigned table; /* enum acct_table */
        char *key;      /* a name, of QOS and associations the id */
        bool removed;
};

struct acct {
        struct tres_names tres; /* what can be limited beside CPUs, memory and nodes */
        struct qos **qos;       /* in the order of their making */
        size_t n_qos, a_qos;
        struct account **accounts; /* by name, as users */
        size_t n_accounts, a_accounts;
        struct acct_user **users;
        size_t n_users, a_users;
        struct assoc **assocs; /* by account, user, partition */
        size_t n_assocs, a_assocs;
        struct assoc *root;
        struct acct_cluster **clusters; /* by name */
        size_t n_clusters, a_clusters;
        /* the one whose associations are in assocs and root at present, while this cluster's are in
           it: acct_enter(); NULL: as it should be */
        struct acct_cluster *entered;
        /* has a user other than root an AdminLevel, or is one coordinator: acct_has_levels() */
        enum { LEVELS_UNKNOWN, LEVELS_NONE, LEVELS_SOME } levels;
        /* does some limit count what has been used: acct_counts_minutes() */
        enum { MINUTES_UNKNOWN, MINUTES_NONE, MINUTES_SOME } minutes;
        /* of all associations, while it is known: acct_count_priorities() */
        uint32_t most_priority;
        bool priorities_known;
        uint32_t next_id; /* of QOS and associations */
        struct acct_dirty *dirty;
        size_t n_dirty, a_dirty;
};

/* ---- jobs ---- */

/* What a job is charged with, and where. */
struct job_charge {
        enum { CHARGE_NONE, CHARGE_SUBMITTED, CHARGE_RUNNING } state;
        uint32_t tasks; /* of an array's rest; else 1 */
        bool accrues;   /* it waits, and grows older */
        struct tres_set used;
        bool moving;        /* its time runs... */
        double until, left; /* ... until then; else this is left of it; s */
        double factor;      /* of that, as the QOS's UsageFactor */
        struct assoc *assoc;
        struct {
                struct qos *qos;
                struct tally *user, *account;
        } of[2]; /* its QOS, the partition's */
};
