/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/partition.h - a partition: its nodes, access, order, and how its jobs are
   preempted */
#pragma once

#include "controller/resources/billing.h"
#include "lib/bitset.h"
#include "lib/config/config.h"
#include "lib/errors.h"

enum partition_state { /* bits: may jobs be queued, may they start */
        PARTITION_SUBMIT = 1,
        PARTITION_SCHED = 2,
        PARTITION_UP = 3,
        PARTITION_DOWN = 1,
        PARTITION_DRAIN = 2,
        PARTITION_INACTIVE = 0,
};

struct qos;

struct node_kind {
        uint32_t cpus_per_unit, units; /* of the node that has most of them */
};

struct partition {
        uint32_t index; /* configuration order */
        char *name;
        bool is_default, hidden, root_only, disable_root_jobs, power_down_on_idle, lln,
                        exclusive_user;
        struct bitset *nodes;
        /* Nodes= as it was said: dynamic nodes that join are looked for there; NULL: none */
        char *nodes_text;
        char *topology_name;             /* Topology=; NULL: the usual one */
        const struct topology *topology; /* the same; NULL: it is flat */
        unsigned state;                  /* enum partition_state */
        usec_t max_time, default_time;
        uint32_t min_nodes, max_nodes;
        uint32_t priority_tier, priority_job_factor;
        enum partition_exclusive exclusive; /* said; partition_exclusive_now() is in force */
        enum oversubscribe oversubscribe;
        uint32_t oversubscribe_max;
        unsigned select_params; /* enum select_param: instead of the cluster's; 0: those */
        unsigned preempt_mode;  /* own, or PREEMPT_UNSET */
        usec_t suspend_time, suspend_timeout, resume_timeout;
        /* that its jobs may run beyond their limits; NO_LIMIT; TIME_UNSET: as the cluster says */
        usec_t over_time;
        uint64_t def_mem_per_node, def_mem_per_cpu, def_mem_per_gpu, max_mem_per_node,
                        max_mem_per_cpu;
        uint32_t def_cpu_per_gpu;
        uint32_t grace_time;
        uint32_t max_cpus_per_node; /* of all its jobs; UINT32_MAX = unlimited */
        /* lists with commas; NULL = all, none denied */
        char *allow_groups, *allow_accounts, *deny_accounts;
        char *allow_qos, *deny_qos; /* the same of QOS */
        char *billing_text;         /* TRESBillingWeights; NULL: none */
        struct billing billing;     /* the same */
        char *qos_name;    /* QOS=: its limits apply to all jobs of the partition; NULL: none */
        struct qos *qos;   /* the same; NULL: there is none of that name */
        char *alloc_nodes; /* host list; NULL = all */
        struct hostlist *alloc_hosts;
        usec_t slice_at;   /* the next of its time slices begins; 0: no job waits for one */
        bool slice_wanted; /* scratch of preempt/gang.c */
        size_t n_waiting;  /* of the queue: its jobs that are not held */
        double total_cpus, total_memory;      /* MB; for priorities */
        uint64_t total_gres[CONFIG_TRES_MAX]; /* the same, in the order of tres_names */
        size_t n_nodes;                       /* of nodes */
        /* that its jobs may have on them, whatever state they are in: MaxCPUsPerNode */
        uint64_t job_cpus;
        uint32_t most_cpus;    /* of one of them */
        uint64_t least_memory; /* the same */
        /* Its nodes by their cpus_per_unit, one of each: job_most_cpus(). */
        struct node_kind *kinds;
        size_t n_kinds;
        bool created;      /* by scontrol; not in slurm.conf */
        uint32_t kept_for; /* the job for which the last pass kept its nodes; 0: none */
        bool told;         /* it does not start jobs, and all of them have that as their reason */
};

/* The user that asks, and from where; all borrowed. */
struct submitter {
        uid_t uid;
        gid_t gid;
        const char *user, *group;
        /* names of all groups; looked at only where some partition has AllowGroups */
        char *const *groups;
        size_t n_groups;
        const char *host; /* node or host that it comes from; NULL: not looked at */
        /* enum private_data that binds it, of what its request may tell: orders/viewer.h */
        unsigned hidden;
        bool coordinates_nothing; /* whatever the accounts say: it is of another cluster */
};

/* May that user have jobs of that account (NULL: none given) there, and submit from there. */
enum slumber_error partition_admits(const struct partition *p, const struct submitter *submitter,
                const char *account);
bool partition_takes_account(const struct partition *p, const char *account);
bool partition_takes_qos(const struct partition *p, const char *qos); /* NULL: none */
/* "ALL" and "" are all (of a deny list: none). */
void partition_set_list(char **field, const char *list);
int partition_set_alloc_nodes(struct partition *p, const char *list, struct fail *fail);

/* Exclusive= as OverSubscribe and ExclusiveUser are now; EXCLUSIVE_UNSAID: it was never said. */
enum partition_exclusive partition_exclusive_now(const struct partition *p);
const char *partition_state_text(unsigned state);
int partition_state_parse(const char *word); /* -EINVAL */
/* What slurm.conf says of one of which it says nothing: no nodes, up, no limits. */
struct partition *partition_make(const char *name, size_t n_nodes);
/* All of it, also what is counted; to be changed and put in its place by
   cluster_partition_take(). */
struct partition *partition_copy(const struct partition *p);
struct partition *partition_free(struct partition *p); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct partition *, partition_free)
