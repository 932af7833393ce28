/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/partition.h - a partition: nodes, access, order of jobs, preemption */
#pragma once

#include "controller/resources/billing.h"
#include "lib/bitset.h"
#include "lib/config/config.h"
#include "lib/errors.h"

enum partition_state { /* bits: jobs may be submitted, jobs may start */
        PARTITION_SUBMIT = 1,
        PARTITION_SCHED = 2,
        PARTITION_UP = 3,
        PARTITION_DOWN = 1,
        PARTITION_DRAIN = 2,
        PARTITION_INACTIVE = 0,
};

struct qos;

struct node_kind {
        uint32_t cpus_per_unit, units; /* maximum over the nodes */
};

struct partition {
        uint32_t index; /* order of the configuration */
        char *name;
        bool is_default, hidden, root_only, disable_root_jobs, power_down_on_idle, lln,
                        exclusive_user;
        struct bitset *nodes;
        /* Nodes= as written, looked up when dynamic nodes join; NULL: none. */
        char *nodes_text;
        char *topology_name;             /* Topology=; NULL: the default topology */
        const struct topology *topology; /* topology of topology_name; NULL: flat */
        unsigned state;                  /* enum partition_state */
        usec_t max_time, default_time;
        uint32_t min_nodes, max_nodes;
        uint32_t priority_tier, priority_job_factor;
        /* configured value; partition_exclusive_now() is in force */
        enum partition_exclusive exclusive;
        enum oversubscribe oversubscribe;
        uint32_t oversubscribe_max;
        unsigned select_params; /* enum select_param overriding the cluster's; 0: the cluster's */
        unsigned preempt_mode;  /* own mode, or PREEMPT_UNSET */
        usec_t suspend_time, suspend_timeout, resume_timeout;
        /* OverTimeLimit; NO_LIMIT; TIME_UNSET: the cluster's value. */
        usec_t over_time;
        uint64_t def_mem_per_node, def_mem_per_cpu, def_mem_per_gpu, max_mem_per_node,
                        max_mem_per_cpu;
        uint32_t def_cpu_per_gpu;
        uint32_t grace_time;
        uint32_t max_cpus_per_node; /* limit for the sum of all jobs; UINT32_MAX: unlimited */
        /* Comma lists; NULL: all allowed, none denied. */
        char *allow_groups, *allow_accounts, *deny_accounts;
        char *allow_qos, *deny_qos; /* comma lists of QOS */
        char *billing_text;         /* TRESBillingWeights; NULL: none */
        struct billing billing;     /* billing_text, parsed */
        char *qos_name;             /* QOS=: limits for all jobs of the partition; NULL: none */
        struct qos *qos;            /* QOS of qos_name; NULL: no such QOS */
        char *alloc_nodes;          /* host list; NULL: all */
        struct hostlist *alloc_hosts;
        usec_t slice_at;   /* begin of the next time slice; 0: no job waits for a slice */
        bool slice_wanted; /* scratch for preempt/gang.c */
        size_t n_waiting;  /* bids in the queue whose job is not apart */
        size_t n_untold;   /* bids among n_waiting that no pass has looked at since they came */
        double total_cpus, total_memory; /* MB; for priorities */
        /* resources for priorities, in the order of tres_names */
        uint64_t total_gres[CONFIG_TRES_MAX];
        size_t n_nodes; /* number of nodes */
        /* CPUs available to jobs on the nodes in any state (MaxCPUsPerNode applied). */
        uint64_t job_cpus;
        uint32_t most_cpus;    /* maximum of a node */
        uint64_t least_memory; /* minimum of a node */
        /* The nodes' distinct cpus_per_unit, for job_most_cpus(). */
        struct node_kind *kinds;
        size_t n_kinds;
        bool created; /* created by scontrol; not in slurm.conf */
        /* id of the job for which the last pass kept the partition's nodes; 0: none */
        uint32_t kept_for;
        /* No jobs start here, and all jobs but n_untold have the partition's state as reason. */
        bool told;
};

/* The requesting user and host; all pointers are borrowed. */
struct submitter {
        uid_t uid;
        gid_t gid;
        const char *user, *group;
        /* Names of all groups; used only if some partition has AllowGroups. */
        char *const *groups;
        size_t n_groups;
        const char *host; /* submitting node or host; NULL: not checked */
        /* enum private_data restricting the answers to the user: orders/viewer.h. */
        unsigned hidden;
        /* the user is of a different cluster: coordinator in no account */
        bool coordinates_nothing;
};

/* Returns 0 (SLUMBER_OK) if the user may have jobs of the account (NULL: none given) in p and may
   submit from the host; else the error. */
enum slumber_error partition_admits(const struct partition *p, const struct submitter *submitter,
                const char *account);
bool partition_takes_account(const struct partition *p, const char *account);
bool partition_takes_qos(const struct partition *p, const char *qos); /* NULL: no QOS */
/* Sets a list; "ALL" and "" become NULL: all (deny list: none). */
void partition_set_list(char **field, const char *list);
int partition_set_alloc_nodes(struct partition *p, const char *list, struct fail *fail);

/* Exclusive= in terms of OverSubscribe and ExclusiveUser now; EXCLUSIVE_UNSAID: never set. */
enum partition_exclusive partition_exclusive_now(const struct partition *p);
const char *partition_state_text(unsigned state);
int partition_state_parse(const char *word); /* -EINVAL */
/* Makes a partition with slurm.conf's defaults: no nodes, UP, no limits. */
struct partition *partition_make(const char *name, size_t n_nodes);
/* Copies everything including counters, to be changed and passed to cluster_partition_take(). */
struct partition *partition_copy(const struct partition *p);
struct partition *partition_free(struct partition *p); /* accepts NULL, returns NULL */
DEFINE_CLEANUP(struct partition *, partition_free)
