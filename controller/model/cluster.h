/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/cluster.h - everything the controller knows, and the index structures over it
 *
 * Plain data with one writer per field.  What happens enters by the functions of node_events.h and job_events.h, always
 * with the time; what must be done leaves as effects; what follows is in follows.h and is done by turn()
 * (controller/turn/turn.h).  Nothing here reads a clock or touches the outside. */
#pragma once

#include "controller/accounts/assoc.h"
#include "controller/resources/bucket.h"
#include "controller/model/effect.h"
#include "controller/model/exclude.h"
#include "controller/model/follows.h"
#include "controller/model/job.h"
#include "controller/model/job_names.h"
#include "controller/model/job_tokens.h"
#include "controller/resources/licenses.h"
#include "controller/model/node.h"
#include "controller/model/partition.h"
#include "controller/lives/brake.h"
#include "controller/reservations/reservation.h"
#include "lib/config.h"
#include "lib/debugflags.h"

struct deadline {
        usec_t at;
        enum { DEADLINE_NODE, DEADLINE_JOB, DEADLINE_PASS, DEADLINE_TURN, DEADLINE_PRIORITY, DEADLINE_RESV, DEADLINE_SLICE, DEADLINE_LIMITS } kind;
        uint32_t id; /* index of a node or partition, or job id */
};

#define PASS_BEGIN 1 /* id of a DEADLINE_PASS: some job may begin from then on */
#define PASS_ALLOWS 2 /* ... some limit may have room for a job, or a job has run long enough to be preempted */

struct job_slot { /* jobs by id; job NULL: gone, until the array is packed */
        uint32_t id;
        struct job *job;
};

/* Places in queue[] that move with it.  Plans (sched/backfill.h) stand before end; those before sound are right, as far as the
   order goes; those behind wait until the jobs before them have a plan.  cursor: where a sweep through the plan is. */
struct plan_marks {
        size_t sound, end, cursor;
};

/* A long pass over the queue is cut into slices, one in a turn; until it has come to its end nothing else is concluded from jobs that
   wait (sched/sched.c, turn.c). */
struct slices {
        uint64_t looked; /* at nodes for a place, ever (place_offer.c): what a pass has cost goes by it, not by a clock */
        struct pass *pass; /* it has ended in the middle of the queue, for this turn; NULL: it has not */
        void (*pass_free)(struct pass *p);
        bool plan_put_off; /* backfill had no time after it */
        usec_t since; /* turns end with either since then, or since nodes were last woken meanwhile; 0: they do not */
};

#define SPARE_LEVELS 8

struct cluster {
        struct config *config;
        struct node **nodes;
        size_t n_nodes;
        struct node **by_name; /* sorted */
        struct partition **partitions;
        size_t n_partitions;
        struct acct acct; /* QOS, accounts, users, associations */
        struct licenses licenses;
        struct resvs resvs;

        struct job_slot *jobs;
        size_t n_jobs, a_jobs, gone_jobs;
        size_t known_jobs;  /* n_jobs without the gaps */
        struct job_tokens tokens; /* of those that are known */
        struct job_names names;   /* too */
        struct array **arrays; /* job arrays by id */
        size_t n_arrays, a_arrays;
        struct bid **queue; /* pending, in scheduling order: accounts/bids.h */
        size_t n_queue, a_queue;
        size_t n_pending; /* jobs in it */
        struct job **active; /* hold resources; any order */
        size_t n_active, a_active;
        uint64_t active_left; /* how many have left it */
        uint64_t moment;      /* counts changes of nodes: node.moment */
        struct job **stopped; /* by the gang; one that is not stopped any more leaves when it is looked at */
        size_t n_stopped, a_stopped;
        uint64_t next_gang; /* the place at the end of the gangs' lists */
        struct job **claims; /* of the queue: those that nodes are kept for, until their victims are gone */
        size_t n_claims, a_claims;
        usec_t exempt_until; /* the next point in time that allows something (PASS_ALLOWS), if it is to come */
        uint32_t next_job_id, next_priority;
        uint64_t next_serial;

        /* priority/multifactor (priority.h) */
        double total_cpus, most_job_factor;
        usec_t usage_fresh;    /* up to then running jobs have been charged */
        usec_t limits_armed;   /* when limits of minutes are looked at (limit_minutes.c); 0: not */
        usec_t usage_at;       /* as of when usage is in the state (usage.h) */
        bool dirty_usage;
        struct { /* accrue.c: jobs with an age that does not count yet */
                usec_t next;  /* the first may then, at the earliest; 0: none waits for its time */
                bool refused; /* a limit had no room for one (FOLLOW_ACCRUAL) */
        } accrual;
        usec_t priority_armed; /* when they are worked out again; 0: never */

        /* Sets of nodes, kept by cluster_node_changed() */
        struct bitset *schedulable; /* node_is_schedulable() */
        struct bitset *power[NODE_POWER_MAX];
        struct bitset *distance[NODE_DISTANCE_MAX];
        struct bitset *unused;   /* no job holds anything */
        struct bitset *spare[SPARE_LEVELS]; /* 1, 2, 4... CPUs at least that no job uses: few nodes of a busy cluster */
        struct bitset *powered;   /* have power or will have it at once: max_powered_nodes (powered.h) */
        struct bitset *sleepless; /* never sleep by themselves; only with max_powered_nodes (powered.h) */
        struct bitset **weights; /* per distinct weight, ascending */
        size_t n_weights;

        /* Power saving */
        bool power_save;              /* switched on by the configuration */
        char *power_save_off_because; /* ... or why not */
        struct bitset *to_suspend;    /* candidates for the next pass */
        struct bitset *to_resume;     /* a job or an admin wants them */
        struct bitset *warm;          /* nodes that a planned job needs soon: they are woken, and not put to sleep */
        bool warm_unsure;             /* ... the plan is being made: any other may be needed, too */
        struct bitset *to_reboot;     /* as soon as they are idle */
        uint64_t features_moment;     /* another one when a node may have got or lost a changeable feature */
        struct bitset *boot_failed;   /* for ResumeFailProgram */
        struct bucket suspend_bucket, resume_bucket;
        struct exclusions exclusions; /* nodes that stay up however long they idle */
        struct brake brake;
        /* Of power saving: the last start of a program, and when its next is due (power_save_min_interval). */
        struct program_pace {
                usec_t started, armed;
        } resume_pace, suspend_pace, resume_fail_pace;

        int64_t clock_set; /* by how much in all (clock.h); records say as of when they are */
        unsigned debug; /* enum debug_flag: what is told at length */
        struct node_logs { /* node_log.h */
                struct node_lines *list;
                size_t n, allocated;
        } node_logs;

        struct deadline *heap;
        size_t n_heap, a_heap;
        struct { /* what fell due while agents could not be heard (listen.h) */
                usec_t from, until; /* until: 0 = all have been */
                usec_t held;        /* since when no order has left for them; 0 = orders leave */
                size_t n_awaited;   /* nodes */
                struct deadline *kept;
                size_t n_kept, a_kept;
        } listen;
        struct effects effects;
        struct follows follows;   /* what has been noted and is yet to be done */
        struct slices slices;
        usec_t waits_until;       /* CompleteWait: a turn is armed for then */
        usec_t completing_from;   /* when the last of them became so */
        size_t n_completing;      /* jobs that are over and still on nodes */
        uint64_t nodes_as_of;     /* how often what nodes and partitions have, not what is free of it, has changed */
        uint64_t plans_as_of;     /* how often plans have been looked through for that: limit_plans.c */
        struct plan_marks planned;
        struct backfill *backfill; /* NULL: not made yet */
        void (*backfill_free)(struct backfill *b);
        uint32_t *news;           /* jobs that others depend on and that started, ended or came back */
        size_t n_news, a_news;

        uint32_t *dirty_jobs; /* ids */
        size_t n_dirty_jobs, a_dirty_jobs;
        size_t n_fabrics; /* of config->topology: switches that nothing connects */
        struct counts {
                uint64_t submitted, started, backfilled, ended[JOB_STATE_MAX];
                uint64_t passes; /* begun or gone on with */
                uint64_t looked; /* places in the queue that they have looked at */
                struct plan_counts {
                        uint64_t cycles; /* that have come to their end: the plan was whole again */
                        usec_t when;     /* the last one did; of it, and of all: */
                        struct plan_cycle {
                                uint64_t depth, tried, queue, table; /* places looked at, fitted, in the queue; slices of time */
                        } last, sum;
                } plan;
        } counts; /* since the start */
        void (*plan_runs)(bool begins, void *user); /* around each piece of work on the plan, for the caller, which has a clock; NULL */
        void *plan_user;
        bool keeps_ended;  /* ends of jobs are for the accounts: effect.ended */
        bool keeps_steps;  /* and those of steps: effect.ended_step */
        bool has_sharing_rules; /* there is, or was, a rule of node sharing: node_sharing.h */
};

/* Takes config over.  -EINVAL with fail for what only shows when things are put together. */
int cluster_new(struct config *config, usec_t now, struct cluster **ret, struct fail *fail);
struct cluster *cluster_free(struct cluster *c);
DEFINE_CLEANUP(struct cluster *, cluster_free)
/* Takes the new configuration over; nodes and partitions may come and go, jobs keep what they have.  A node that
   is busy cannot go: -EBUSY, nothing is changed, config stays the caller's. */
int cluster_reconfigure(struct cluster *c, struct config *config, usec_t now, struct fail *fail);

/* Nodes that slurm.conf does not name come and go (config_join()); all else stays as scontrol has made it.  A step as long as a
   reconfiguration: several nodes in one.  All or none; on failure nothing is changed.  The former takes what the nodes own. */
int cluster_nodes_join(struct cluster *c, struct config_node *nodes, size_t n, bool limit, usec_t now, struct fail *fail);
/* -ENOENT, -EPERM: no dynamic node; -EBUSY: a job, a reservation or a partition's list has it. */
int cluster_nodes_leave(struct cluster *c, const struct hostlist *names, usec_t now, struct fail *fail);

/* The power-saving settings of c->config have been changed in place: rates, times and whether it is on follow. */
void cluster_power_changed(struct cluster *c, usec_t now);

/* Fills to_suspend and to_resume from what nodes and jobs want (after a restart or reconfigure). */
void cluster_rewant(struct cluster *c);

struct node *cluster_node(const struct cluster *c, const char *name);
struct partition *cluster_partition(const struct cluster *c, const char *name);
struct partition *cluster_default_partition(const struct cluster *c);
struct job *cluster_job(const struct cluster *c, uint32_t id);
struct array *cluster_array(const struct cluster *c, uint32_t id);
size_t cluster_array_at(const struct cluster *c, uint32_t id); /* into arrays[]: the first with an id not below */
size_t cluster_slot_after(const struct cluster *c, uint32_t id); /* into jobs[]: the first with a higher id */
const struct hostlist *cluster_nodeset(const struct cluster *c, const char *name); /* NULL: there is none */
/* Names of nodes and nodesets, or ALL, in the order in which they are given; the caller frees.  -ENOENT: a name that is not
   configured; -EINVAL: no list of names. */
int nodes_named(const struct cluster *c, const char *text, struct hostlist **ret, struct fail *fail);
/* Host list (or ALL) into a set; -ENOENT names the first stranger. */
int cluster_nodes_parse(
                const struct cluster *c, const char *text, struct bitset **ret, struct fail *fail);
char *cluster_nodes_text(
                const struct cluster *c, const struct bitset *nodes); /* the caller frees */

void cluster_set_weight(struct cluster *c, struct node *n, uint32_t weight);
/* Places in the queue, past jobs that are apart without looking at each: at, or the next one that is not (n_queue); and end, or
   the one behind the last that is not before it. */
size_t cluster_queue_after_apart(const struct cluster *c, size_t at);
size_t cluster_queue_before_apart(const struct cluster *c, size_t end);
/* Jobs that wait and have not said how long they take, or with how much memory, go by what their partitions say now. */
void cluster_settle_limits(struct cluster *c);
/* Puts what was made of a copy into p's place, all at once; jobs and nodes that refer to p go on doing so, and jobs that
   run keep the nodes that they have.  Takes changed. */
void cluster_partition_take(struct cluster *c, struct partition *p, struct partition *changed, usec_t now);
/* One more, taken; there is none of its name. */
void cluster_partition_add(struct cluster *c, struct partition *p, usec_t now);
/* It goes, and its jobs that are over with it.  -EBUSY: others are in it (fail). */
int cluster_partition_remove(struct cluster *c, struct partition *p, usec_t now, struct fail *fail);
/* For jobs of a partition that scontrol had created before a restart: without nodes, INACTIVE. */
struct partition *cluster_partition_left(struct cluster *c, const char *name, usec_t now);
void cluster_partitions_changed(struct cluster *c, usec_t now); /* effective times of all nodes */

/* Jobs into and out of the containers. */
void cluster_job_insert(struct cluster *c, struct job *j);
void cluster_job_unlist(struct cluster *c, struct job *j); /* part of cluster_job_remove() (queue.h) */
void cluster_job_rename(struct cluster *c, struct job *j, const char *name);
uint32_t cluster_take_job_id(struct cluster *c); /* 0: every id is in use */
int job_order(const struct job *a, const struct job *b); /* scheduling order, <0: a first */

/* Deadlines: the next one, or USEC_INFINITY; and taking those that are due. */
usec_t cluster_patience(const struct cluster *c); /* a duration: how long what is cut off may come back */
void cluster_arm(struct cluster *c, usec_t at, int kind, uint32_t id);
usec_t cluster_next_deadline(const struct cluster *c);
bool cluster_pop_deadline(struct cluster *c, usec_t now, struct deadline *ret);

void cluster_log(struct cluster *c, uint32_t job, struct node *n, const char *format, ...)
                _printf_(4, 5);
/* The same as an error. */
void cluster_log_error(struct cluster *c, struct node *n, const char *format, ...) _printf_(3, 4);
/* The same where DebugFlags say so; the arguments are not looked at otherwise. */
#define cluster_debug(c, flag, n, ...)                                                             \
        do {                                                                                       \
                if ((c)->debug & (flag))                                                           \
                        cluster_log((c), 0, (n), __VA_ARGS__);                                     \
        } while (0)
/* enum select_param: what is counted for its jobs. */
unsigned partition_select(const struct cluster *c, const struct partition *p);
/* MaxMemPerCPU that holds there, in MB; 0: none. */
uint64_t partition_max_mem_per_cpu(const struct cluster *c, const struct partition *p);
bool cluster_whole_nodes(const struct cluster *c); /* select/linear */
unsigned partition_preempt_mode(
                const struct cluster *c, const struct partition *p); /* own or the cluster's */
