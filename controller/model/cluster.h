/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/cluster.h - the state of the cluster, and the indexes over that state
 *
 * Plain data with one writer for each field.  Events arrive through the functions of node_events.h
 * and job_events.h, always with the time.  Actions leave as effects.  The consequences of a change
 * are listed in follows.h and drawn by turn() (controller/turn/turn.h). The code reads no clock and
 * does no I/O. */
#pragma once

#include "controller/model/account.h"
#include "controller/model/brake.h"
#include "controller/model/effect.h"
#include "controller/model/exclude.h"
#include "controller/model/follows.h"
#include "controller/model/job.h"
#include "controller/model/node.h"
#include "controller/model/partition.h"
#include "controller/model/past.h"
#include "controller/model/reservation.h"
#include "controller/model/trigger.h"
#include "controller/resources/bucket.h"
#include "controller/resources/hres.h"
#include "controller/resources/licenses.h"
#include "lib/config/config.h"
#include "lib/config/debugflags.h"

struct deadline {
        usec_t at;
        enum {
                DEADLINE_NODE,
                DEADLINE_JOB,
                DEADLINE_PASS,
                DEADLINE_TURN,
                DEADLINE_PRIORITY,
                DEADLINE_RESV,
                DEADLINE_SLICE,
                DEADLINE_LIMITS,
                DEADLINE_TRIGGERS
        } kind;
        uint32_t id; /* index of a node or partition, or a job id */
};

#define PASS_BEGIN 1 /* id of a DEADLINE_PASS: some job may start then */
/* id of a DEADLINE_PASS: a limit may have room for a job, or a job becomes eligible for
   preemption. */
#define PASS_ALLOWS 2

struct job_slot { /* jobs by id; job NULL: removed, until the array is packed */
        uint32_t id;
        struct job *job;
};

/* Indexes in queue[], updated when entries of the queue move.  Jobs before end have a plan
   (sched/backfill.h), the jobs from end on wait for theirs; plans before sound are in order. cursor
   is the position of a sweep through the plan. */
struct plan_marks {
        size_t sound, end, cursor;
};

/* A long pass over the queue is cut into slices, one per turn.  Until the pass ends, no other
   decision is based on pending jobs (sched/sched.c, turn.c). */
struct slices {
        /* Total number of nodes examined for placement (place_offer.c): measures the cost of a pass
           without a clock. */
        uint64_t looked;
        struct pass *pass; /* the pass interrupted in this turn; NULL: none */
        void (*pass_free)(struct pass *p);
        bool plan_put_off; /* backfill had no time left after the pass */
        /* Since when turns end with an interrupted pass or a delayed plan, or when nodes were last
           woken during such turns; 0: the last turn was complete. */
        usec_t since;
};

struct job_names;
struct user_texts;
struct job_tokens;

#define SPARE_LEVELS 8

struct cluster {
        struct config *config;
        struct node **nodes;
        size_t n_nodes;
        struct node **by_name; /* the nodes, sorted by name */
        struct partition **partitions;
        size_t n_partitions;
        struct acct acct;         /* QOS, accounts, users, associations */
        struct licenses licenses; /* including the layers of hierarchical resources */
        struct hres_list hres;
        struct resvs resvs;

        struct job_slot *jobs;
        size_t n_jobs, a_jobs, gone_jobs;
        size_t known_jobs;         /* number of jobs, excluding removed slots */
        struct job_tokens *tokens; /* jobs by token */
        struct job_names *names;   /* jobs by owner and name */
        struct user_texts *texts;  /* bytes of job texts, by user */
        struct array **arrays;     /* job arrays, by id */
        size_t n_arrays, a_arrays;
        struct bid **queue; /* pending jobs in scheduling order: accounts/bids.h */
        size_t n_queue, a_queue;
        size_t n_pending;    /* number of jobs in queue */
        struct job **active; /* jobs holding resources, in any order */
        size_t n_active, a_active;
        uint64_t active_left; /* counts removals from active */
        uint64_t moment;      /* counts node changes: node.moment */
        /* Jobs suspended by the gang; jobs no longer suspended are removed when the list is
           read. */
        struct job **stopped;
        size_t n_stopped, a_stopped;
        uint64_t next_gang; /* gang_at for the end of the lists */
        /* Pending preemptors with claimed nodes, until the victims are gone. */
        struct job **claims;
        size_t n_claims, a_claims;
        usec_t exempt_until; /* time of the next PASS_ALLOWS; 0: none */
        /* Searches for the starts of pending preemptors whose victims are still protected by
           PreemptExemptTime, one for each partition and reservation in which a preemptor was
           considered.  Entries of jobs no longer pending are dropped at the next search
           (sched/exempt.c). */
        struct exempt_wait {
                uint32_t job;    /* job id; for a heterogeneous job the leader's id */
                uint64_t moment; /* sched_exempt_moment() of the search */
                usec_t seen;  /* time of the search, or of the last repetition that was skipped */
                usec_t again; /* the earliest end of a PreemptExemptTime that was considered */
                usec_t start; /* the start found; USEC_INFINITY: none */
                size_t n;     /* components; 1: not heterogeneous */
                struct exempt_place {
                        uint32_t job;                      /* id of the component */
                        const struct partition *partition; /* only compared, never dereferenced */
                        const struct resv *resv;           /* only compared, never dereferenced */
                        /* Owned: the nodes searched, and the nodes of the start found (NULL: no
                           start). */
                        struct bitset *usable, *nodes;
                } * of;
        } * exempt_waits;
        size_t n_exempt_waits, a_exempt_waits;
        /* Incremented when jobs, accounts or the configuration change, as a search may then find
           another start.  Node changes are counted in moment. */
        uint64_t exempt_changes;
        uint32_t next_job_id, next_priority;
        uint32_t id_rounds; /* number of times that job ids wrapped at MaxJobId */
        uint64_t next_serial;

        /* priority/multifactor (priority.h) */
        double total_cpus, most_job_factor;
        usec_t usage_fresh;  /* running jobs are charged up to this time */
        usec_t limits_armed; /* the next check of limits in minutes (limit_minutes.c); 0: none */
        usec_t usage_at;     /* time of the stored usage (usage.h) */
        bool dirty_usage;
        struct {              /* accrue.c: jobs whose age does not count yet */
                usec_t next;  /* earliest time at which one may count; 0: none waits for a time */
                bool refused; /* a limit had no room for a job (FOLLOW_ACCRUAL) */
        } accrual;
        usec_t priority_armed; /* the next computation of priorities; 0: never */

        /* Sets of nodes, kept by cluster_node_changed(). */
        struct bitset *schedulable; /* node_is_schedulable() */
        struct bitset *power[NODE_POWER_MAX];
        struct bitset *distance[NODE_DISTANCE_MAX];
        struct bitset *unused;              /* nodes without any job */
        struct bitset *spare[SPARE_LEVELS]; /* nodes with at least 1, 2, 4... idle CPUs */
        struct bitset *powered;             /* nodes counted for max_powered_nodes (powered.h) */
        /* Nodes that are never suspended; set only with max_powered_nodes (powered.h). */
        struct bitset *sleepless;
        struct bitset **weights; /* a set for each distinct weight, ascending */
        size_t n_weights;

        /* Power saving */
        bool power_save;              /* enabled in the configuration */
        char *power_save_off_because; /* why power saving is disabled; NULL */
        struct bitset *to_suspend;    /* candidates for the next pass */
        struct bitset *to_resume;     /* nodes wanted by a job or an admin */
        /* Nodes that a planned job needs soon: woken, and not suspended. */
        struct bitset *warm;
        bool warm_unsure;         /* the plan is incomplete: any other node may be needed too */
        struct bitset *to_reboot; /* nodes to reboot as soon as they are idle */
        /* Changes when a node may have gained or lost a changeable feature or an ability. */
        uint64_t features_moment;
        struct bitset *boot_failed; /* nodes for ResumeFailProgram */
        struct bucket suspend_bucket, resume_bucket;
        struct exclusions exclusions; /* nodes that stay up however long they are idle */
        struct brake brake;
        struct triggers triggers;
        /* Power saving: the last start of each program, and the time of the next start
           (power_save_min_interval). */
        struct program_pace {
                usec_t started, armed;
        } resume_pace, suspend_pace, resume_fail_pace;

        /* Sum of all changes of the wall clock (clock.h); each record stores the sum at its
           writing. */
        int64_t clock_set;
        unsigned debug;    /* enum debug_flag */
        struct node_logs { /* node_log.h */
                struct node_lines *list;
                size_t n, allocated;
        } node_logs;

        struct deadline *heap;
        size_t n_heap, a_heap;
        struct { /* expired deadlines, set aside while agents could not be heard (listen.h) */
                usec_t from, until; /* until: 0 = all agents have answered */
                usec_t held;        /* start of holding back orders to agents; 0: orders are sent */
                size_t n_awaited;   /* number of nodes */
                struct deadline *kept;
                size_t n_kept, a_kept;
        } listen;
        struct effects effects;
        struct follows *follows; /* noted facts with pending consequences */
        struct slices slices;
        usec_t waits_until;     /* CompleteWait: a turn is armed for this time */
        usec_t completing_from; /* when the last completing job became completing */
        size_t n_completing;    /* completing jobs */
        /* Counts changes of the resources of nodes and partitions, not of free resources. */
        uint64_t nodes_as_of;
        uint64_t plans_as_of; /* counts sweeps through the plans: limit_plans.c */
        struct plan_marks planned;
        /* Index in queue[]: no earlier bid is untold in a partition that is told. */
        size_t told_up_to;
        struct backfill *backfill; /* NULL: not created yet */
        void (*backfill_free)(struct backfill *b);
        struct pasts pasts; /* forgotten jobs whose end is asked of the accounts */
        /* Jobs with dependents that started, ended or were requeued. */
        uint32_t *news;
        size_t n_news, a_news;

        uint32_t *dirty_jobs; /* job ids */
        size_t n_dirty_jobs, a_dirty_jobs;
        struct counts {
                uint64_t submitted, started, backfilled, ended[JOB_STATE_MAX];
                uint64_t passes; /* passes begun or continued */
                uint64_t looked; /* queue entries examined by passes */
                struct plan_counts {
                        uint64_t cycles; /* completed cycles: the whole queue was planned */
                        /* end of the last cycle; the members below describe the last cycle and all
                           cycles */
                        usec_t when;
                        struct plan_cycle {
                                /* Queue entries examined, entries planned, length of the queue,
                                   time slices. */
                                uint64_t depth, tried, queue, table;
                        } last, sum;
                } plan;
        } counts; /* since the start of the controller */
        /* Called at the begin and end of each work on the plan, to measure its duration; NULL: not
           measured. */
        void (*plan_runs)(bool begins, void *user);
        void *plan_user;
        /* Called at once when a job shrinks after losing nodes.  keep: the remaining places in
           j->placed.alloc.  NULL: not called. */
        void (*job_shrunk)(const struct job *j, const struct bitset *keep, void *user);
        void *job_shrunk_user;
        bool keeps_ended; /* ended jobs leave effects with rows for the accounts: effect.ended */
        /* ended steps leave effects with rows for the accounts: effect.ended_step */
        bool keeps_steps;
        bool has_sharing_rules; /* a rule of node sharing exists or existed: node_sharing.h */
};

/* Takes ownership of config.  Returns -EINVAL with fail for errors found only while building the
   cluster. */
int cluster_new(struct config *config, usec_t now, struct cluster **ret, struct fail *fail);
struct cluster *cluster_free(struct cluster *c);
void exempt_wait_done(struct exempt_wait *w);
DEFINE_CLEANUP(struct cluster *, cluster_free)
/* Takes ownership of the new configuration.  Nodes and partitions may be added and removed; jobs
   keep their resources.  Returns -EBUSY if a busy node would be removed: the cluster is then
   unchanged and the caller keeps config. */
int cluster_reconfigure(struct cluster *c, struct config *config, usec_t now, struct fail *fail);

/* Adds dynamic nodes (config_join()); settings by scontrol are kept.  One call is as expensive as a
   reconfiguration, so callers collect several nodes. Adds all nodes or none: on failure the cluster
   is unchanged.  Takes ownership of the nodes' data. */
int cluster_nodes_join(struct cluster *c, struct config_node *nodes, size_t n, bool limit,
                usec_t now, struct fail *fail);
/* Removes dynamic nodes, all or none. -ENOENT: unknown; -EPERM: not dynamic; -EBUSY: used by a job,
   a reservation or a partition's node list. */
int cluster_nodes_leave(struct cluster *c, const struct hostlist *names, usec_t now,
                struct fail *fail);

/* Applies power-saving settings of c->config that were changed in place: rates, times and
   power_save. */
void cluster_power_changed(struct cluster *c, usec_t now);

/* True if a program switches nodes on (off), at least at an admin's request. */
bool cluster_has_switch(const struct cluster *c, bool on);

/* Recomputes to_suspend and to_resume from nodes and jobs, after a restart or reconfiguration. */
void cluster_rewant(struct cluster *c);

struct node *cluster_node(const struct cluster *c, const char *name);
struct partition *cluster_partition(const struct cluster *c, const char *name);
struct partition *cluster_default_partition(const struct cluster *c);
struct job *cluster_job(const struct cluster *c, uint32_t id);
struct array *cluster_array(const struct cluster *c, uint32_t id);
/* Index in arrays[] of the first array with an id not below id. */
size_t cluster_array_at(const struct cluster *c, uint32_t id);
/* Index in jobs[] of the first job with a higher id. */
size_t cluster_slot_after(const struct cluster *c, uint32_t id);
/* NULL: no such nodeset. */
const struct hostlist *cluster_nodeset(const struct cluster *c, const char *name);
/* Expands names of nodes and nodesets, or ALL, in the given order; the caller frees *ret. -ENOENT:
   unknown name; -EINVAL: not a list of names. */
int nodes_named(const struct cluster *c, const char *text, struct hostlist **ret,
                struct fail *fail);
/* Parses a host list or ALL into a set, which the caller frees. -ENOENT: fail names the first
   unknown node. */
int cluster_nodes_parse(const struct cluster *c, const char *text, struct bitset **ret,
                struct fail *fail);
char *cluster_nodes_text(const struct cluster *c,
                const struct bitset *nodes); /* the caller frees */
/* Sets needs.req_nodes, needs.exc_nodes and needs.unknown_nodes from the names in j's request, all
 * known at submission.  The sets exclude names that are no longer configured. */
void job_find_nodes(const struct cluster *c, struct job *j);

void cluster_set_weight(struct cluster *c, struct node *n, uint32_t weight);
/* Skip jobs with waiting.apart: the first index from at on without apart (n_queue: none), and the
   index behind the last entry before end without apart. */
size_t cluster_queue_after_apart(const struct cluster *c, size_t at);
size_t cluster_queue_before_apart(const struct cluster *c, size_t end);
/* Sets time limit and memory of pending jobs that gave no such options, from their partitions. */
void cluster_settle_limits(struct cluster *c);
/* Replaces the contents of p by changed, an edited copy. Pointers to p stay valid, and running jobs
   keep their nodes.  Takes ownership of changed. */
void cluster_partition_take(struct cluster *c, struct partition *p, struct partition *changed,
                usec_t now);
/* Adds p and takes ownership; the name must be new. */
void cluster_partition_add(struct cluster *c, struct partition *p, usec_t now);
/* Removes p together with its finished jobs. -EBUSY: p has other jobs (see fail). */
int cluster_partition_remove(struct cluster *c, struct partition *p, usec_t now, struct fail *fail);
/* Makes an INACTIVE partition without nodes for restored jobs whose partition scontrol had created
   before a restart. */
struct partition *cluster_partition_left(struct cluster *c, const char *name, usec_t now);
/* updates effective times of all nodes */
void cluster_partitions_changed(struct cluster *c, usec_t now);

/* Adds a job to the containers. */
void cluster_job_insert(struct cluster *c, struct job *j);
/* The part of cluster_job_remove() (queue.h) that undoes cluster_job_insert(). */
void cluster_job_unlist(struct cluster *c, struct job *j);
void cluster_job_rename(struct cluster *c, struct job *j, const char *name);
uint32_t cluster_take_job_id(struct cluster *c); /* 0: every id is in use */
/* Takes n consecutive ids (n >= 1) and returns the first; 0: no such range is free. */
uint32_t cluster_take_job_ids(struct cluster *c, uint32_t n);
int job_order(const struct job *a, const struct job *b); /* scheduling order; < 0: a comes first */

/* ---- deadlines ---- */
/* Duration for which disconnected peers may come back. */
usec_t cluster_patience(const struct cluster *c);
void cluster_arm(struct cluster *c, usec_t at, int kind, uint32_t id);
usec_t cluster_next_deadline(const struct cluster *c);
bool cluster_pop_deadline(struct cluster *c, usec_t now, struct deadline *ret);

void cluster_log(struct cluster *c, uint32_t job, struct node *n, const char *format, ...)
                _printf_(4, 5);
/* Logs without a job a line that users can cause often: only a few are written, the rest are
   counted. */
void cluster_log_folded(struct cluster *c, const char *format, ...) _printf_(2, 3);
/* Like cluster_log(), as an error. */
void cluster_log_error(struct cluster *c, struct node *n, const char *format, ...) _printf_(3, 4);
/* Like cluster_log() if DebugFlags has flag; otherwise the arguments are not evaluated. */
#define cluster_debug(c, flag, n, ...)                                                             \
        do {                                                                                       \
                if ((c)->debug & (flag))                                                           \
                        cluster_log((c), 0, (n), __VA_ARGS__);                                     \
        } while (0)
/* enum select_param for jobs in p. */
unsigned partition_select(const struct cluster *c, const struct partition *p);
/* MaxMemPerCPU for jobs in p, in MB; 0: none. */
uint64_t partition_max_mem_per_cpu(const struct cluster *c, const struct partition *p);
bool cluster_whole_nodes(const struct cluster *c); /* select/linear */
unsigned partition_preempt_mode(const struct cluster *c,
                const struct partition *p); /* the partition's own mode, or the cluster's */
