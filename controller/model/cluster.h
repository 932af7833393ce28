/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/cluster.h - everything the controller knows, and the index structures over it
 *
 * Plain data with one writer per field.  Events enter by the functions of node_events.h and
 * job_events.h, always with the time; actions leave as effects; the consequences of a change are in
 * follows.h and are drawn by turn() (controller/turn/turn.h). Nothing here reads a clock or does
 * I/O. */
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
        uint32_t id; /* index of a node or partition, or job id */
};

#define PASS_BEGIN 1 /* id of a DEADLINE_PASS: some job may start from then on */
/* ... a limit may have room for a job, or a job becomes eligible for preemption. */
#define PASS_ALLOWS 2

struct job_slot { /* jobs by id; job NULL: gone, until the array is packed */
        uint32_t id;
        struct job *job;
};

/* Indexes in queue[] that move with it.  Jobs before end have a plan (sched/backfill.h); plans
   before sound are in order; the others wait until the jobs before them have one.  cursor: the
   position of a sweep through the plan. */
struct plan_marks {
        size_t sound, end, cursor;
};

/* A long pass over the queue is cut into slices, one in a turn; before its end nothing else is
   concluded from pending jobs (sched/sched.c, turn.c). */
struct slices {
        /* Nodes looked at for places, ever (place_offer.c): the cost of a pass, instead of a
           clock. */
        uint64_t looked;
        struct pass *pass; /* the pass that was interrupted in this turn; NULL: none */
        void (*pass_free)(struct pass *p);
        bool plan_put_off; /* backfill had no time left after it */
        /* turns end with either since then, or since nodes were last woken meanwhile; 0: they do
           not */
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
        struct node **by_name; /* sorted */
        struct partition **partitions;
        size_t n_partitions;
        struct acct acct;         /* QOS, accounts, users, associations */
        struct licenses licenses; /* and layers of hierarchical resources */
        struct hres_list hres;
        struct resvs resvs;

        struct job_slot *jobs;
        size_t n_jobs, a_jobs, gone_jobs;
        size_t known_jobs;         /* n_jobs without gaps */
        struct job_tokens *tokens; /* of known jobs */
        struct job_names *names;   /* of known jobs */
        struct user_texts *texts;  /* of known jobs */
        struct array **arrays;     /* job arrays by id */
        size_t n_arrays, a_arrays;
        struct bid **queue; /* pending, in scheduling order: accounts/bids.h */
        size_t n_queue, a_queue;
        size_t n_pending;    /* jobs in it */
        struct job **active; /* jobs that hold resources; in any order */
        size_t n_active, a_active;
        uint64_t active_left; /* counts removals from it */
        uint64_t moment;      /* counts changes of nodes: node.moment */
        /* Suspended by the gang; others are removed when they are looked at. */
        struct job **stopped;
        size_t n_stopped, a_stopped;
        uint64_t next_gang; /* gang_at at the end of the lists */
        /* Pending preemptors with reserved nodes, until their victims are gone. */
        struct job **claims;
        size_t n_claims, a_claims;
        usec_t exempt_until; /* the next PASS_ALLOWS, if any */
        /* Searches for the starts of pending preemptors whose victims are still protected by
           PreemptExemptTime, one for each partition and reservation in which a preemptor was
           looked at.  Entries of jobs that wait no more are dropped at the next search
           (sched/exempt.c). */
        struct exempt_wait {
                uint32_t job;    /* its id; of a heterogeneous job the leader's */
                uint64_t moment; /* sched_exempt_moment() of the search */
                usec_t seen;     /* when it was made, or would have been made once more */
                usec_t again;    /* the first end of a PreemptExemptTime that was tried */
                usec_t start;    /* the start that was found; USEC_INFINITY: none was */
                size_t n;        /* components; 1: the job has none */
                struct exempt_place {
                        uint32_t job;                      /* id of the component */
                        const struct partition *partition; /* compared, never followed */
                        const struct resv *resv;           /* the same */
                        /* owned: the nodes among which the search was made, and the nodes of the
                           start that it found (NULL: no start was found) */
                        struct bitset *usable, *nodes;
                } * of;
        } * exempt_waits;
        size_t n_exempt_waits, a_exempt_waits;
        /* Grows when jobs, accounts or the configuration change: a search of exempt_waits may then
           find another start.  Changes of nodes are counted by moment. */
        uint64_t exempt_changes;
        uint32_t next_job_id, next_priority;
        uint32_t id_rounds; /* how often job ids have begun anew, behind MaxJobId */
        uint64_t next_serial;

        /* priority/multifactor (priority.h) */
        double total_cpus, most_job_factor;
        usec_t usage_fresh;  /* running jobs have been charged up to then */
        usec_t limits_armed; /* the next check of limits of minutes (limit_minutes.c); 0: none */
        usec_t usage_at;     /* time of the usage in the state (usage.h) */
        bool dirty_usage;
        struct {              /* accrue.c: jobs with an age that does not count yet */
                usec_t next;  /* earliest time for the first of them; 0: none waits for a time */
                bool refused; /* a limit had no room for one (FOLLOW_ACCRUAL) */
        } accrual;
        usec_t priority_armed; /* when priorities are computed again; 0: never */

        /* Sets of nodes, kept by cluster_node_changed() */
        struct bitset *schedulable; /* node_is_schedulable() */
        struct bitset *power[NODE_POWER_MAX];
        struct bitset *distance[NODE_DISTANCE_MAX];
        struct bitset *unused;              /* no job holds anything */
        struct bitset *spare[SPARE_LEVELS]; /* nodes with at least 1, 2, 4... idle CPUs */
        struct bitset *powered;             /* nodes that count for max_powered_nodes (powered.h) */
        /* Nodes that are never suspended; only with max_powered_nodes (powered.h). */
        struct bitset *sleepless;
        struct bitset **weights; /* per distinct weight, ascending */
        size_t n_weights;

        /* Power saving */
        bool power_save;              /* enabled by the configuration */
        char *power_save_off_because; /* ... or why it is disabled */
        struct bitset *to_suspend;    /* candidates for the next pass */
        struct bitset *to_resume;     /* a job or an admin wants them */
        /* nodes that a planned job needs soon: they are woken, and not put to sleep */
        struct bitset *warm;
        bool warm_unsure;         /* ... the plan is being made: any other may be needed, too */
        struct bitset *to_reboot; /* as soon as they are idle */
        /* Changes when a node may have got or lost a changeable feature or an ability. */
        uint64_t features_moment;
        struct bitset *boot_failed; /* for ResumeFailProgram */
        struct bucket suspend_bucket, resume_bucket;
        struct exclusions exclusions; /* nodes that stay up however long they idle */
        struct brake brake;
        struct triggers triggers;
        /* Power saving: the last start of each program, and when its next one is due
           (power_save_min_interval). */
        struct program_pace {
                usec_t started, armed;
        } resume_pace, suspend_pace, resume_fail_pace;

        /* Sum of all changes of the wall clock (clock.h); records have its value at their
           writing. */
        int64_t clock_set;
        unsigned debug;    /* enum debug_flag */
        struct node_logs { /* node_log.h */
                struct node_lines *list;
                size_t n, allocated;
        } node_logs;

        struct deadline *heap;
        size_t n_heap, a_heap;
        struct { /* expired deadlines while agents could not be heard (listen.h) */
                usec_t from, until; /* until: 0 = all have been heard */
                usec_t held;        /* orders to agents are held since then; 0 = they are sent */
                size_t n_awaited;   /* nodes */
                struct deadline *kept;
                size_t n_kept, a_kept;
        } listen;
        struct effects effects;
        struct follows *follows; /* noted facts with consequences to be drawn */
        struct slices slices;
        usec_t waits_until;     /* CompleteWait: a turn is armed for then */
        usec_t completing_from; /* when the last of them became completing */
        size_t n_completing;    /* jobs that are over and still on nodes */
        /* Counts changes of what nodes and partitions have, not of what is free. */
        uint64_t nodes_as_of;
        uint64_t plans_as_of; /* counts sweeps through the plans: limit_plans.c */
        struct plan_marks planned;
        struct backfill *backfill; /* NULL: not made yet */
        void (*backfill_free)(struct backfill *b);
        struct pasts pasts; /* jobs that the accounts are asked for */
        /* jobs that others depend on and that started, ended or came back */
        uint32_t *news;
        size_t n_news, a_news;

        uint32_t *dirty_jobs; /* ids */
        size_t n_dirty_jobs, a_dirty_jobs;
        struct counts {
                uint64_t submitted, started, backfilled, ended[JOB_STATE_MAX];
                uint64_t passes; /* begun or continued */
                uint64_t looked; /* entries of the queue that they have looked at */
                struct plan_counts {
                        uint64_t cycles; /* completed: the plan was whole again */
                        usec_t when;     /* of the last one; then of it, and of all: */
                        struct plan_cycle {
                                /* Entries looked at, fitted, in the queue; slices of time. */
                                uint64_t depth, tried, queue, table;
                        } last, sum;
                } plan;
        } counts; /* since the start */
        /* Called around each piece of work on the plan, to measure its time; NULL. */
        void (*plan_runs)(bool begins, void *user);
        void *plan_user;
        /* Called for a job that has got smaller as it had lost nodes, at once; keep: the places in
           j->placed.alloc that it has kept; NULL. */
        void (*job_shrunk)(const struct job *j, const struct bitset *keep, void *user);
        void *job_shrunk_user;
        bool keeps_ended;       /* effects have rows of ended jobs for the accounts: effect.ended */
        bool keeps_steps;       /* ... and of ended steps: effect.ended_step */
        bool has_sharing_rules; /* there is, or was, a rule of node sharing: node_sharing.h */
};

/* Takes ownership of config.  -EINVAL with fail for errors that only show when the cluster is
   built. */
int cluster_new(struct config *config, usec_t now, struct cluster **ret, struct fail *fail);
struct cluster *cluster_free(struct cluster *c);
void exempt_wait_done(struct exempt_wait *w);
DEFINE_CLEANUP(struct cluster *, cluster_free)
/* Takes ownership of the new configuration; nodes and partitions may be added and removed, jobs
   keep what they have.  A busy node cannot be removed: -EBUSY, nothing is changed, config stays the
   caller's. */
int cluster_reconfigure(struct cluster *c, struct config *config, usec_t now, struct fail *fail);

/* Adds dynamic nodes (config_join()), or removes them; changes by scontrol stay.  It costs as much
   as a reconfiguration, so several nodes are handled in one call.  All or none; on failure nothing
   is changed.  Takes ownership of the nodes' data. */
int cluster_nodes_join(struct cluster *c, struct config_node *nodes, size_t n, bool limit,
                usec_t now, struct fail *fail);
/* -ENOENT: unknown; -EPERM: not dynamic; -EBUSY: a job, a reservation or a partition's list has
   it. */
int cluster_nodes_leave(struct cluster *c, const struct hostlist *names, usec_t now,
                struct fail *fail);

/* The power-saving settings of c->config have been changed in place: updates rates, times and
   power_save. */
void cluster_power_changed(struct cluster *c, usec_t now);

/* There is a program that switches nodes on (off), at least when an admin asks for it. */
bool cluster_has_switch(const struct cluster *c, bool on);

/* Fills to_suspend and to_resume from nodes and jobs (after a restart or reconfiguration). */
void cluster_rewant(struct cluster *c);

struct node *cluster_node(const struct cluster *c, const char *name);
struct partition *cluster_partition(const struct cluster *c, const char *name);
struct partition *cluster_default_partition(const struct cluster *c);
struct job *cluster_job(const struct cluster *c, uint32_t id);
struct array *cluster_array(const struct cluster *c, uint32_t id);
/* into arrays[]: the first with an id not below */
size_t cluster_array_at(const struct cluster *c, uint32_t id);
/* into jobs[]: the first with a higher id */
size_t cluster_slot_after(const struct cluster *c, uint32_t id);
/* NULL: there is none */
const struct hostlist *cluster_nodeset(const struct cluster *c, const char *name);
/* Names of nodes and nodesets, or ALL, in the order in which they are given; the caller frees.
   -ENOENT: a name that is not configured; -EINVAL: no list of names. */
int nodes_named(const struct cluster *c, const char *text, struct hostlist **ret,
                struct fail *fail);
/* Parses a host list (or ALL) into a set; -ENOENT: fail names the first unknown node. */
int cluster_nodes_parse(const struct cluster *c, const char *text, struct bitset **ret,
                struct fail *fail);
char *cluster_nodes_text(const struct cluster *c,
                const struct bitset *nodes); /* the caller frees */
/* Sets needs.req_nodes, needs.exc_nodes and needs.unknown_nodes from the names in j's request,
   which were known when it came.  A name that is not configured any more is left out of the sets.
 */
void job_find_nodes(const struct cluster *c, struct job *j);

void cluster_set_weight(struct cluster *c, struct node *n, uint32_t weight);
/* Skips jobs that are apart: the first index from at on that is not (n_queue: none); and the index
   behind the last one before end that is not. */
size_t cluster_queue_after_apart(const struct cluster *c, size_t at);
size_t cluster_queue_before_apart(const struct cluster *c, size_t end);
/* Sets the time limit and memory of pending jobs without such options from their partitions. */
void cluster_settle_limits(struct cluster *c);
/* Replaces the contents of p by changed, an edited copy; pointers to p stay valid, and running jobs
   keep their nodes.  Takes ownership of changed. */
void cluster_partition_take(struct cluster *c, struct partition *p, struct partition *changed,
                usec_t now);
/* Adds p and takes ownership; its name must be new. */
void cluster_partition_add(struct cluster *c, struct partition *p, usec_t now);
/* Removes p with its jobs that are over.  -EBUSY: it has other jobs (fail). */
int cluster_partition_remove(struct cluster *c, struct partition *p, usec_t now, struct fail *fail);
/* For jobs of a partition that scontrol had created before a restart: without nodes, INACTIVE. */
struct partition *cluster_partition_left(struct cluster *c, const char *name, usec_t now);
void cluster_partitions_changed(struct cluster *c, usec_t now); /* effective times of all nodes */

/* Adds jobs to the containers, and removes them. */
void cluster_job_insert(struct cluster *c, struct job *j);
/* part of cluster_job_remove() (queue.h) */
void cluster_job_unlist(struct cluster *c, struct job *j);
void cluster_job_rename(struct cluster *c, struct job *j, const char *name);
uint32_t cluster_take_job_id(struct cluster *c); /* 0: every id is in use */
/* The first of n that follow each other, which is 1 or more; 0: there are none. */
uint32_t cluster_take_job_ids(struct cluster *c, uint32_t n);
int job_order(const struct job *a, const struct job *b); /* scheduling order, <0: a first */

/* Deadlines: the next one, or USEC_INFINITY; and taking the expired ones. */
/* A duration: how long disconnected peers may come back. */
usec_t cluster_patience(const struct cluster *c);
void cluster_arm(struct cluster *c, usec_t at, int kind, uint32_t id);
usec_t cluster_next_deadline(const struct cluster *c);
bool cluster_pop_deadline(struct cluster *c, usec_t now, struct deadline *ret);

void cluster_log(struct cluster *c, uint32_t job, struct node *n, const char *format, ...)
                _printf_(4, 5);
/* The same of no job, where users may cause many lines: few are written, the others counted. */
void cluster_log_folded(struct cluster *c, const char *format, ...) _printf_(2, 3);
/* The same as an error. */
void cluster_log_error(struct cluster *c, struct node *n, const char *format, ...) _printf_(3, 4);
/* The same if DebugFlags has flag; otherwise the arguments are not evaluated. */
#define cluster_debug(c, flag, n, ...)                                                             \
        do {                                                                                       \
                if ((c)->debug & (flag))                                                           \
                        cluster_log((c), 0, (n), __VA_ARGS__);                                     \
        } while (0)
/* enum select_param for jobs of p. */
unsigned partition_select(const struct cluster *c, const struct partition *p);
/* MaxMemPerCPU for jobs of p, in MB; 0: none. */
uint64_t partition_max_mem_per_cpu(const struct cluster *c, const struct partition *p);
bool cluster_whole_nodes(const struct cluster *c); /* select/linear */
unsigned partition_preempt_mode(const struct cluster *c,
                const struct partition *p); /* own or the cluster's */
