/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/qos.h - qualities of service: priority and preemption of their jobs, and how much there may be
 *
 * They are made by sacctmgr, kept in the accounting file, and named by jobs (--qos), associations and partitions.  "normal" is
 * always there.  A QOS that is deleted goes when no job has it any more. */
#pragma once

#include "controller/accounts/limits.h"
#include "lib/bitset.h"
#include "lib/config.h"

struct acct;

enum qos_flag { /* bits */
        QOS_DENY_ON_LIMIT = 1,   /* a job beyond a limit of its own is refused, not queued */
        QOS_OVER_PART_QOS = 2,   /* its limits beat those of the partition's QOS */
        QOS_PARTITION_TIME_LIMIT = 4, /* MaxWall may be beyond the partition's MaxTime */
        QOS_PARTITION_MAX_NODES = 8,
        QOS_PARTITION_MIN_NODES = 16,
        QOS_NO_RESERVE = 32, /* its jobs have no place in the plan of the queue */
        QOS_NO_DECAY = 64,   /* the raw usage does not decay */
        QOS_ENFORCE_THRESHOLD = 128,
        QOS_REQUIRES_RESV = 256, /* its jobs must name a reservation */
        QOS_USAGE_FACTOR_SAFE = 512, /* with "safe" the usage factor counts for jobs that want to begin, too */
};

struct qos {
        uint32_t id; /* never reused; its bit in others' preempt */
        char *name, *description;
        uint32_t priority;
        struct bitset *preempt; /* ids of those that its jobs may preempt; ask qos_preempts() */
        unsigned preempt_mode;  /* enum preempt_mode, of its jobs as victims; PREEMPT_UNSET: the cluster's */
        usec_t preempt_exempt_time; /* TIME_UNSET: the cluster's */
        uint32_t grace_time;        /* s */
        unsigned flags;             /* enum qos_flag */
        double usage_factor; /* of what its jobs use */
        double limit_factor; /* of what associations allow its jobs; below 0: not set */
        double usage_threshold; /* the least fair share, weighed, with which jobs may start (QOS_ENFORCE_THRESHOLD); below 0: not set */
        struct limits limits;

        struct tally all, **users, **accounts; /* of its jobs; the latter two by key, made as needed */
        size_t n_users, a_users, n_accounts, a_accounts;
        double usage_raw; /* seconds of billing, decayed: for priorities */
        struct usage usage; /* the same of each resource, for limits */
};

struct qos *qos_new(uint32_t id, const char *name);
struct qos *qos_free(struct qos *q);
DEFINE_CLEANUP(struct qos *, qos_free)

struct qos *qos_find(const struct acct *a, const char *name); /* any case; NULL */
struct qos *qos_by_id(const struct acct *a, uint32_t id);
/* Is b in a's list of those that its jobs may preempt.  Either may be NULL: no. */
bool qos_preempts(const struct qos *a, const struct qos *b);
/* How many are one below the other that its jobs may preempt, counted up to three: 0: they may preempt none. */
uint32_t qos_outranks(const struct acct *a, const struct qos *q);
void qos_set_preempt(struct qos *q, uint32_t id, bool on);
/* A set of QOS ids; it grows as needed.  NULL is empty. */
void qos_set_put(struct bitset **set, uint32_t id, bool on);
bool qos_set_has(const struct bitset *set, uint32_t id);
/* "a,b" of the names of a set, sorted; the caller frees. */
char *qos_set_text(const struct acct *a, const struct bitset *set);
/* 0 to 1: its priority among all of them, for multifactor priorities.  NULL: 0. */
double qos_priority_factor(const struct acct *a, const struct qos *q);

/* Its tally of a user or an account; made if it is not there. */
struct tally *qos_user(struct qos *q, const char *user);
struct tally *qos_account(struct qos *q, const char *account);

/* "DenyOnLimit,NoReserve"; the caller frees.  Parsing: -EINVAL names the stranger. */
char *qos_flags_text(unsigned flags);
int qos_flags_parse(const char *text, unsigned *ret, struct fail *fail);
