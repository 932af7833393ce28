/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job.h - a job: request, state and resources held
 *
 * The state is written by one function, job_move() in job.c, following the table there;
 * "completing" and "configuring" are separate fields.  An ended job stays COMPLETING until every
 * node has confirmed that the job has left. */
#pragma once

#include "controller/model/account.h"
#include "controller/model/gres.h"
#include "controller/model/job_fields.h"
#include "controller/model/job_reason.h"
#include "lib/bitset.h"
#include "lib/countlist.h"
#include "lib/fail.h"
#include "lib/process_id.h"
#include "lib/step/measure.h"
#include "lib/strtab.h"

#include <sys/types.h>

struct array;
struct cluster;
struct dependencies;
struct het;
struct node;
struct node_rest;
struct backfill;
struct partition;

enum job_state { /* numbers as in the protocol */
        JOB_PENDING,
        JOB_RUNNING,
        JOB_SUSPENDED,
        JOB_COMPLETED,
        JOB_CANCELLED,
        JOB_FAILED,
        JOB_TIMEOUT,
        JOB_NODE_FAIL,
        JOB_PREEMPTED,
        JOB_BOOT_FAIL,
        JOB_DEADLINE,
        JOB_OUT_OF_MEMORY,
        JOB_STATE_MAX,
};

enum job_event {
        JOB_STARTED,
        JOB_STOPPED, /* suspended */
        JOB_RESUMED,
        JOB_ENDED,    /* into the state named by the caller */
        JOB_REQUEUED, /* back to the queue */
        JOB_EVENT_MAX,
};

/* Pause before a job that lost its nodes more than once may start again; Slurm pauses after every
   requeue. */
#define REQUEUE_PAUSE (121 * USEC_PER_SEC)

/* Values that an operator has set in an existing job: limits apply only to the owner's request
   (limit_check.h). */
enum ordered { /* bits, recorded */
        ORDERED_TIME = 1,
        ORDERED_CPUS = 2,
        ORDERED_MEMORY = 4,
};

enum job_share { /* numbers as in the protocol */
        SHARE_OK,
        SHARE_NO,
        SHARE_YES,
        SHARE_USER, /* only with jobs of the same user */
        SHARE_MCS,  /* only with jobs of the same MCS label */
        SHARE_MAX,
};

enum distribution { /* numbers as in the protocol */
        DISTRIBUTION_DEFAULT,
        DISTRIBUTION_BLOCK,
        DISTRIBUTION_CYCLIC,
        DISTRIBUTION_FCYCLIC,
};

/* numbers as in the protocol: whether a job's cores must be near the job's generic resources */
enum gres_binding {
        GRES_BINDING_PREFERRED,
        GRES_BINDING_ENFORCED,
        GRES_BINDING_DISABLED,
};

/* The request; the fields are listed in job_fields.h. */
struct job_spec {
        JOB_SPEC_MEMBERS
};

/* [from, until) */
struct period {
        usec_t from, until;
        /* The hierarchical resources free in the period, owned by the caller; NULL: the job
           requests none, or they do not matter. */
        const struct hres_room *room;
        /* Resources that the plan leaves on nodes in the period. */
        struct rests {
                /* false: the plan takes nothing on the node beyond the running jobs; NULL: on no
                   node. */
                bool (*of)(const struct rests *r, const struct node *n, struct node_rest *ret);
                /* Adds units of n to set until no part of the node (sched/plan/parts.h) has more
                   units outside set than the plan leaves. */
                void (*block)(const struct rests *r, const struct node *n, struct bitset *set);
                struct cluster *c;
                struct backfill *b;
                const struct job *j;
                usec_t now, from, until;
        } rests;
};

struct node_rest {              /* resources left on one node */
        uint64_t units, memory; /* MB */
        /* count of each generic resource of the node; valid until the next call */
        const int64_t *gres;
        /* resources as in a step of the node's track (sched/plan/track.h) */
        const int64_t *numbers;
};

enum signal_reach { /* numbers as in the protocol: the processes that a signal reaches */
        SIGNAL_STEPS,
        SIGNAL_BATCH, /* only the script's shell */
        SIGNAL_FULL,  /* the script and its children too */
        SIGNAL_REACH_MAX,
};

enum node_prolog { /* PrologFlags=Alloc: the Prolog on a node of the allocation */
        PROLOG_NONE,
        PROLOG_ASKED, /* the agent was asked to run Prolog and has not answered */
        PROLOG_OVER,  /* Prolog has succeeded */
};

/* State of PrologSlurmctld and EpilogSlurmctld for one allocation. */
enum job_hook {
        HOOKS_NONE,
        HOOKS_PROLOG, /* PrologSlurmctld is running */
        HOOKS_READY,  /* PrologSlurmctld has ended */
        HOOKS_EPILOG,
        HOOKS_OVER,
};

/* A job's part of one node. */
struct job_node {
        struct node *node;
        uint32_t cpus;
        uint64_t memory;  /* MB; 0: not counted */
        size_t units_at;  /* index of the node's first unit in job->placed.units */
        bool used;        /* processes or hooks were started on the node: cleanup is needed */
        bool done;        /* the node has confirmed that the job has left */
        bool stopped;     /* the agent has reported the job's processes as frozen */
        bool unstoppable; /* the last attempt to freeze the job failed on this node */
        uint64_t serial;  /* number of the last freeze or thaw sent to the node */
        bool unanswered;  /* the agent has not answered serial */
        bool overdue;     /* the agent was asked again to end the job and has not answered */
        bool given_up;    /* the job has lost the node and does not wait for it */
        enum node_prolog prolog;
        uint64_t signals[SIGNAL_REACH_MAX]; /* bit sets of signals to send when the agent is back */
        usec_t due; /* deadline of the agent's answer, or time to ask again; 0: neither */
        /* Memory of frozen jobs (job_memory.h), in MB. */
        /* The part of memory promised to other jobs, as the frozen job uses only the rest. */
        uint64_t given;
        uint64_t owed;      /* the part of memory still to be returned by other jobs */
        uint64_t asked;     /* amount that the job is to lend */
        uint32_t asked_for; /* id of the job to lend to */
        bool reclaiming;    /* the agent was told to reclaim and has not answered */
};

/* The memory of the node, in MB, now promised to the job. */
static inline uint64_t job_node_promised(const struct job_node *jn) {
        return jn->memory - jn->given - jn->owed;
}

/* The job's defaults in a partition, computed from its request and the partition's defaults
   (accounts/job_defaults.h). */
struct job_defaults {
        usec_t time_limit;
        uint64_t mem_per_node, mem_per_cpu, mem_per_gpu; /* MB */
        uint32_t cpus_per_task, min_cpus_node, cpus_per_gpu;
};
/* clang-format off */
#define UNSAID_SIZES(X) X(mem_per_node) X(mem_per_cpu) X(mem_per_gpu) X(cpus_per_task)             \
        X(min_cpus_node) X(cpus_per_gpu)
/* clang-format on */

/* A job's entry in the queue for one partition.  Most jobs have a single bid. */
struct bid {
        struct job *job;
        struct partition *partition;
        /* The partition whose n_waiting counts the bid; NULL: the job is apart. */
        struct partition *counted;
        bool untold; /* no pass has looked at the bid there: counted in n_untold of the partition */
        uint32_t priority;                /* priority in the partition; 0: the job's own */
        uint32_t rank;                    /* position in the partition's list */
        struct job_defaults job_defaults; /* defaults in the partition, if the job names several */
        /* Why the job has not started in the partition, if the job names several; REASON_NONE: not
           considered yet. */
        enum job_reason reason;
        /* even with all nodes of the partition idle and in service, the job could not start */
        bool never;
        /* Value of cluster.nodes_as_of when never was computed; 0: not computed yet. */
        uint64_t never_as_of;
        /* Leader: the moment of backfill when no plan was found; no later event lets all components
           start. */
        uint64_t refused_at;
};

/* Planned start of a pending job (sched/backfill.h), with nodes by index.  Nodes without power get
   power at start and are up at boot.  Behind the ranges of nodes follow the licenses (index in
   c->licenses, count); the parts used of nodes, unless all nodes are used whole
   (sched/plan/parts.h); and the resources taken on each node, if other jobs may have the rest
   (sched/plan/takes.h). */
struct job_plan {
        struct job *job; /* NULL: the job has left the queue */
        struct bid *bid; /* the bid of the planned start; not read without job */
        usec_t start, boot, until;
        uint64_t number; /* serial number, assigned when the plan is laid */
        bool used;       /* the job has started according to the plan */
        /* the nodes are reserved; false: the plan was lifted, and the job looks for another
           place */
        bool laid;
        bool late;   /* lifted, as jobs on the nodes run longer than planned */
        bool lifted; /* lifted, waiting for its turn in sched/plan/lifted.c */
        /* Heterogeneous job: ring of the components' plans, which start, move and end together and
           belong to the leader's bid.  NULL: not heterogeneous. */
        struct job_plan *with;
        /* MB on each node where reservations have cores, unless the plan counts by numbers; 0:
           none. */
        uint64_t memory;
        size_t n_ranges, n_licenses, n_parts, n_takes;
        struct node_range {
                uint32_t from, n;
        } ranges[]; /* nodes; behind them licenses, parts and takes */
};

/* A step over several components of a heterogeneous job.  Each component has a step of the same id
   with a struct step_span about the whole step.  Tasks and nodes are numbered by component. */
struct step_span {
        uint32_t job, restarts;          /* the leader's id and restarts, which name the step */
        uint32_t first_task, first_node; /* the component's first task and node */
        uint32_t num_tasks, num_nodes;
        /* Lists shared by the spans of all components: */
        uint32_t *users; /* reference count; the last user frees the lists */
        char *nodes;     /* node names of all components, in order */
        uint32_t *count; /* tasks on each node */
        uint32_t *place; /* node index of each task */
        uint32_t *parts; /* number of tasks of each component */
        uint32_t n_parts;
};

struct step {
        uint32_t id;
        /* 1 + index among the parts of the step over components; 0: not a component */
        uint32_t part;
        char *name, *host, *submit_line, *container;
        uint32_t pid, num_tasks, cpus;
        usec_t start_time;
        struct bitset *nodes;    /* indexes in job->placed.alloc */
        struct bitset *ended;    /* nodes on which the step has ended */
        struct bitset *launched; /* nodes that have reported the step as launched */
        uint32_t exit_code;      /* the worst wait status so far */
        uint32_t abort_status;   /* wait status of a task's MPI_Abort; 0: none */
        uint32_t *tasks, *taken; /* tasks on each node, and CPUs taken there (0: shared) */
        /* Units used on each node; NULL: all units of the job (step_cores.h). */
        struct bitset **cores;
        size_t n_tasks_on; /* length of tasks, taken and cores */
        /* --distribution=arbitrary: node of each task; NULL: derived from tasks */
        uint32_t *place;
        /* MB taken from the job's memory, if the step takes CPUs; 0: none */
        uint64_t mem_per_node, mem_per_cpu;
        uint64_t token;
        uint64_t stream_token; /* secret shown between the relays of the step's streams */
        bool input_of_rank;    /* standard input goes to a single task */
        bool cyclic, kill_on_bad_exit, no_kill;
        bool held;           /* srun is running its prolog; the step is on no node yet */
        bool to_files;       /* tasks write to files or nowhere, and srun gets no output */
        uint32_t plane;      /* --distribution=plane: consecutive tasks on a node; 0: none */
        char *cpu_freq;      /* --cpu-freq as requested, see lib/step/cpufreq.h */
        char *resv_ports;    /* ports reserved for the step on its nodes: "12000-12003" */
        char *tres_bind;     /* --tres-bind as requested, see lib/step/gpubind.h */
        uint32_t tree_width; /* 0: TreeWidth */
        enum step_gres {
                STEP_GRES_ALL,  /* the job's resources, shared with other steps */
                STEP_GRES_OWN,  /* the resources in gres, exclusively */
                STEP_GRES_NONE, /* --gres=none, --gpus=0 */
        } gres_kind;
        struct gres_share *gres; /* place is an index in job->placed.alloc */
        size_t n_gres;
        usec_t orphan_due;         /* deadline for a disconnected srun to return; 0: connected */
        struct process_id command; /* the step's srun, like holder of the job */
        usec_t ran_before;         /* the job's run time at the start of the step */
        usec_t time_limit;         /* limit of the step, counted in the job's run time; 0: none */
        usec_t timed_out;          /* when the step was last told to end at its limit; 0: never */
        bool told;                 /* the step's accounting row is made (ended_step.h) */
        usec_t ended_at;           /* the latest end reported by a node; 0: none */
        uint32_t cancelled_by;     /* uid + 1 of the user who cancelled only this step; 0: none */
        bool out_of_memory;
        /* us; on nodes where the step has ended, like the members below */
        uint64_t user_cpu, system_cpu;
        uint64_t sum_rss, most_rss; /* bytes; most_rss: the largest value of one node */
        char *most_rss_on;          /* node of most_rss; NULL: unknown */
        struct measures measures;   /* measures of the tasks */
        uint64_t energy;            /* like energy of the job */
        /* Heterogeneous step: the components, which share the step's nodes.  Components are
           displayed and kept in the accounts; every other member counts only in the whole step. */
        struct step *parts;
        size_t n_parts;         /* 0: not heterogeneous */
        struct step_span *span; /* NULL: the step is in a single component or job */
};

/* The event that started the job; numbers as in the protocol. */
enum job_starter { STARTER_NONE, STARTER_SUBMISSION, STARTER_PASS, STARTER_BACKFILL };

/* Grouped by the rooms using the members; members used everywhere come first. */
struct job {
        uint32_t id;
        uid_t uid;
        gid_t gid;
        enum job_state state;
        char *user, *group;
        struct partition *partition;
        struct array *array; /* the array of which the job is a task, or NULL */
        /* Index in the array; ARRAY_REST: the record of all tasks not started yet. */
        uint32_t array_task;
        struct het *het;     /* the heterogeneous job (het.h), or NULL */
        uint32_t het_offset; /* index of the component; 0: the leader */
        bool completing;     /* ended, but some node has not confirmed yet */
        bool configuring;    /* allocated, waiting for nodes to boot */
        bool held_by_admin, held_by_user;
        /* Priority before the job was held because a requested license is no longer configured; 0:
           not held for a license. */
        uint32_t held_priority;
        bool special_exit; /* held after a requeue: displayed as SPECIAL_EXIT */
        bool dirty;        /* changed since the last store */
        enum job_reason reason;
        char *reason_text;
        uint32_t priority;
        uint32_t restarts;
        uint32_t failed_launches; /* number of restarts after a failed launch */
        usec_t submit_time;

        /* The request, in the user's words. */
        struct job_spec asked;

        /* The requirements in force, parsed once for the scheduler. */
        struct job_needs {
                usec_t time_limit; /* NO_LIMIT */
                /* time_limit before backfill lowered it for an earlier start; 0: not lowered. */
                usec_t limit_asked;
                /* UNSAID_SIZES: as in struct job_defaults. */
                uint64_t mem_per_node, mem_per_cpu, mem_per_gpu;
                uint32_t cpus_per_task, min_cpus_node, cpus_per_gpu;
                uint32_t ordered; /* enum ordered */
                struct features *features, *prefer;
                struct bitset *req_nodes, *exc_nodes;
                /* Names in asked.req_nodes that are no longer configured; NULL: none. */
                char *unknown_nodes;
                struct countlist *licenses;
                struct countlist *hres; /* hierarchical resources, with counts */
                struct gres_wants *gres_wants;
                /* asked.features can never be satisfied: features holds those of asked.prefer. */
                bool prefer_alone;
                bool requeue;      /* may be requeued */
                bool now_or_never; /* --immediate: no victim is preempted for the job */
        } needs;

        /* Entries in the queue and in the plan, and the job's dependencies. */
        struct job_waiting {
                /* Entries in the queue, in queue order: &one, or an allocated list for several
                   partitions. */
                struct bid one, *bids;
                size_t n_bids; /* 0: not in the queue */
                /* The bid belonging to partition: the only bid, or that of a value
                   (accounts/bids.h); else NULL. */
                struct bid *current;
                /* Component under consideration: the leader's bid, whose turn it is; else NULL. */
                const struct bid *turn;
                struct job_plan *plan; /* pending job; NULL: no plan yet, or none possible */
                /* Expected start after preempting victims whose PreemptExemptTime is then over; 0:
                   no such victims, or preemption is possible now. */
                usec_t after_exempt;
                struct dependencies *depends; /* unsatisfied dependencies; NULL: none */
                /* time of the next check without an event; 0: never */
                usec_t depend_due;
                usec_t queued_time; /* submit_time, or time of the last requeue */
                usec_t eligible_time, accrue_time, last_sched_eval; /* 0: not set */
                usec_t not_before; /* a requeued job waits until then */
                /* start of waiting for fewer switches (--switches); 0: not waiting */
                usec_t switches_since;
                bool switches_armed; /* the end of waiting for switches has a deadline */
                bool boot_delayed;   /* --delay-boot has passed */
                /* Held, dependent, or decided with the leader (het.h): queued behind startable jobs
                   of the tier. */
                bool apart;
                /* preempt/qos: longest chain of QOS (up to 3) preemptable below the job's; higher
                   values come first. */
                uint32_t outranks;
        } waiting;

        /* Pending preemptor: the nodes reserved until the victims are gone. */
        struct job_claim {
                struct bitset *nodes;
                const struct partition *in; /* partition of the claim; only compared */
                /* Number of tasks claimed for, if the job is the rest of an array. */
                uint32_t tasks;
                /* A claim without own victims until the next pass: other jobs are about to leave
                   the nodes. */
                bool waits;
                /* Some nodes are still booting: victims may run on until the nodes are up
                   (stop_at). */
                bool boots;
                enum claim_turn {
                        CLAIM_VICTIMS, /* the victims are ending */
                        CLAIM_FREE,    /* the last victim is gone */
                        /* the present pass considers the job before its victims */
                        CLAIM_TURN
                } turn;
        } claim;

        /* The reservation, the nodes, and the resources held there. */
        struct job_placed {
                /* The requested reservation; of several, the one with the earliest place.  NULL:
                   none, or ended. */
                struct resv *resv;
                /* Active job: all reservations requested, if asked.reservation was reduced to the
                   one used; NULL. */
                char *resv_asked;
                struct job_node *alloc; /* sorted by node; kept after the end, for display */
                size_t n_alloc;
                /* Generic resources on the nodes; kept after the end, for display. */
                struct gres_share *gres;
                size_t n_gres;
                /* Units of all nodes, node after node; NULL: none held. */
                struct bitset *units;
                struct bitset *nodes; /* indexes of the nodes held */
                /* Including layers of hierarchical resources; set at the start, kept after the end
                   for display. */
                struct countlist *licenses_held;
                uint32_t num_cpus;
                /* Index in alloc of the node running the batch script (--batch); 0: the first. */
                uint32_t batch_at;
                bool attracted; /* active: placed in a MAGNETIC reservation without naming one */
                bool preferred; /* the nodes were found with prefer */
        } placed;

        /* Launch, run time, steps and end; points in time are CLOCK_REALTIME, 0 = not set. */
        struct job_running {
                usec_t start_time, end_time;
                usec_t suspend_time; /* time of the last suspension or resumption */
                usec_t configure_time;
                /* Configuring: expected end of the nodes' boots, as far as the plan has computed
                   it; not recorded. */
                usec_t up_by;
                usec_t ran_before; /* run time before the last suspension */
                usec_t resumed_at; /* start of the present run-time period */
                /* Time of the last resize and run time then; 0: never resized. */
                usec_t resize_time, resize_ran;
                /* Deadline for the agent to report the script as running, or, while configuring,
                   for the nodes to report Prolog as ended; 0: no deadline. */
                usec_t launch_due;
                uint32_t prologs;   /* number of nodes with PROLOG_ASKED */
                enum job_hook hook; /* hook of the controller (PrologSlurmctld, EpilogSlurmctld) */
                uint32_t hooks;     /* serial number of the hook */
                bool hook_away;     /* the hook was announced on another controller's host */
                bool off_nodes;     /* completing, but only EpilogSlurmctld still runs */
                /* the job runs on without some nodes in placed.alloc, which are done */
                bool lost_nodes;
                uint32_t lost_launches; /* registrations of the node without the launched script */
                bool launched;          /* the agent has reported the batch script as running */
                /* The agent was asked to start the script, since the start of this controller. */
                bool launch_sent;
                bool warned;         /* asked.warn_signal was sent */
                bool requeue_wanted; /* requeued as soon as the nodes are free */
                /* A pending array task that was cancelled: removed at once, as in Slurm. */
                bool withdrawn;
                /* The holding command had not answered within InactiveLimit at the last check. */
                bool holder_late;
                /* When the holding command was asked for a sign of life; 0: answered. */
                usec_t holder_asked;
                /* The program forwarding X11 has ended without a successor. */
                bool x11_forsaken;
                /* Deadline for the X11 forwarder to return; 0: connected, or not waited for. */
                usec_t x11_due;
                uint32_t x11_attached; /* number of the last attach for X11 */
                /* Deadline for a disconnected srun of the allocation; 0: connected. */
                usec_t orphan_due;
                /* The holding command, if connected to the controller's socket. */
                struct process_id holder;
                /* The time limit has passed, but the agents may know of an earlier end: deadline
                   for their answers (listen.h); 0: none. */
                usec_t heard_by;
                /* Time of the end reported by the agent or command, until that end is carried out;
                   0. */
                usec_t said_end;
                /* When the controller learned of the end, which may be later than the end; 0:
                   before a restart. */
                usec_t known_over;
                /* Lines of scontrol notify for the standard error of a script not started yet;
                   NULL. */
                char *notice;
                char *kill_reason; /* reason in the steps' output: "TIME LIMIT" */
                /* Bits of asked.mail_type already mailed for this run and dependency. */
                uint32_t mail_told;
                uint32_t exit_code, derived_exit_code; /* wait statuses */
                uint32_t cancelled_by;                 /* uid + 1 */
                uint32_t next_step, next_bcast;
                /* restarts + 1 of the run whose steps the node's step manager makes; 0: the
                   controller makes the steps. */
                uint32_t home;
                uint64_t home_serial;        /* number of the step manager's last event */
                enum job_starter started_by; /* event that started the last run */
                bool limited_steps;          /* some step has a time_limit */
                struct step *steps;
                size_t n_steps, a_steps;
                /* The earliest orphan_due of the steps, or earlier; 0: none. */
                usec_t step_orphans_due;
                /* Duration between the end of the last ended step and the report of that end. */
                usec_t steps_late;
                usec_t steps_told; /* when that end was reported; 0: never */
        } running;

        /* Stopping for other jobs: suspension, preemption, gang. */
        struct job_stopping {
                /* Earliest time of the next attempt under no_suspend, unless the failed nodes
                   report the job frozen first. */
                usec_t may_stop_again;
                /* Earliest time of the next attempt under no_reclaim, if a node was merely silent;
                   0: never. */
                usec_t may_give_again;
                usec_t answers_due; /* earliest due of the nodes, or earlier; 0: none */
                usec_t grace_end;   /* end of the victim's GraceTime; 0: none */
                /* Latest time to suspend or end (preempt_mode) a victim that runs on until the
                   preemptor's nodes are up. Suspended victim: when the preemptor's boot is late, so
                   that the victim resumes. 0: none. */
                usec_t stop_at;
                usec_t preempt_time; /* 0 = not set */
                /* Position in the gang of the partition, lowest first; 0: none yet. */
                uint64_t gang_at;
                char *no_suspend_why, *no_reclaim_why;
                /* PREEMPT_CANCEL or PREEMPT_REQUEUE: victim until the nodes are free; else 0. */
                unsigned preempt_mode;
                uint32_t preemptor;     /* id of the preemptor */
                uint32_t stop_failures; /* consecutive failed attempts to freeze */
                uint32_t asked_again;   /* consecutive freezes and thaws without effect */
                bool suspended_by_user; /* scontrol suspend; false: suspended by a preemption */
                /* suspended victim that resumes because the preemptor's boot is late */
                bool late_boot;
                /* Running out of turn, as no job ahead needs the units. */
                bool gang_filler;
                /* Suspended, and resumed as soon as the jobs running on its units are frozen. */
                bool gang_next;
                bool gang_listed;  /* listed in cluster.stopped */
                uint8_t gang_mark; /* scratch for preempt/gang.c */
                /* Freezing failed: not chosen as victim before may_stop_again. */
                bool no_suspend;
                bool cannot_freeze; /* a node reported the failure, rather than staying silent */
                /* Reclaiming memory of the frozen job failed: not tried before may_give_again. */
                bool no_reclaim;
        } stopping;

        /* Charges in the accounts, and energy. */
        struct job_accounting {
                struct assoc *assoc;      /* NULL: accounting is off or has no such association */
                struct qos *qos;          /* NULL: accounting is off, or the QOS was deleted */
                struct job_charge charge; /* private to acct_note() */
                usec_t usage_charged; /* part of the run time charged to the association: usage.h */
                /* mJ; while the job draws power, reduced by the nodes' sums at its start. */
                uint64_t energy;
                /* mJ of this run's batch script, counted like energy. */
                uint64_t batch_energy;
                char *admin_comment; /* set by an operator */
                /* addition to the priority (multifactor), set by an operator */
                int32_t site_factor;
                bool draws; /* the job shares the nodes' power draw (energy.h) */
                /* The accounting row of this run's script is made (ended_step.h). */
                bool batch_told;
        } accounting;

        /* Positions in lists and indexes of the cluster, and the job's dependents. */
        struct job_listed {
                size_t queue_at;        /* index in the pending queue or in active; see cluster.h */
                usec_t armed;           /* the job's entry in the deadline heap */
                struct job *token_next; /* used by job_tokens */
                struct job *name_next, *name_prev; /* used by job_names */
                size_t texts;                      /* bytes counted in user_texts */
                /* Ids of jobs that depend, or have depended, on this job. */
                uint32_t *dependents;
                size_t n_dependents, a_dependents;
                bool triggers; /* triggers may wait for the job (orders/triggers.c) */
        } listed;
};

/* The state table; -EPROTO: no such move.  end is the final state for JOB_ENDED. */
int job_state_step(enum job_state from, enum job_event event, enum job_state end,
                enum job_state *ret);
int job_move(struct job *j, enum job_event event, enum job_state end);

static inline bool job_is_finished(const struct job *j) { /* possibly still completing */
        return j->state >= JOB_COMPLETED;
}
static inline bool job_is_active(const struct job *j) { /* holds resources */
        return j->state == JOB_RUNNING || j->state == JOB_SUSPENDED || j->completing;
}
/* True for a job in the queue; false for a requeued job still on its nodes. */
static inline bool job_is_queued(const struct job *j) {
        return j->state == JOB_PENDING && !j->completing;
}
static inline bool job_is_held(const struct job *j) {
        return j->held_by_admin || j->held_by_user || j->held_priority;
}
/* True while PrologSlurmctld or EpilogSlurmctld runs. */
static inline bool job_hook_runs(const struct job *j) {
        return j->running.hook == HOOKS_PROLOG || j->running.hook == HOOKS_EPILOG;
}
/* The restart count known to the nodes: the previous count while a requeued job is still on
   nodes. */
static inline uint32_t job_incarnation(const struct job *j) {
        return j->restarts - (j->running.requeue_wanted && j->completing);
}
/* True if launches failed more often than MaxBatchRequeue allows; such a job is held, as a job that
   kills nodes must not run for ever. */
bool job_launches_fail_too_often(const struct cluster *c, const struct job *j);
/* The pending reason of a held job. */
enum job_reason job_held_reason(const struct cluster *c, const struct job *j);
/* True if a script runs on the first node; for a heterogeneous job only on the leader's. */
static inline bool job_has_script(const struct job *j) {
        return j->asked.batch && !(j->het && j->het_offset);
}
/* True for a job that does not end with the requesting command: a batch job, or an allocation of
   salloc --no-shell. */
static inline bool job_outlives_holder(const struct job *j) {
        if (j->het && j->het_offset) /* ends with the leader */
                return true;
        return j->asked.batch || (j->asked.stays && j->state != JOB_PENDING);
}
/* True for a job suspended by a preemptor; the job keeps its position among jobs of equal rank. */
static inline bool job_is_gang_stopped(const struct job *j) {
        return j->state == JOB_SUSPENDED && !j->stopping.suspended_by_user;
}
/* True for a victim to be suspended that runs on because the preemptor's nodes are still booting
   (jobs/job_victims.c). */
static inline bool job_is_to_stop(const struct job *j) {
        return j->state == JOB_RUNNING && j->stopping.stop_at && !j->stopping.preempt_mode;
}
/* The earliest start: the requested begin time, or the end of the pause after a requeue. */
static inline usec_t job_begin(const struct job *j) {
        return MAX(j->asked.begin_time, j->waiting.not_before);
}
/* Run time until now, excluding suspensions and booting. */
usec_t job_run_time(const struct job *j, usec_t now);
/* Run time of a step that began at start, at run time ran_before of the job: excludes suspensions,
 * includes the time in which the end or requeue of the job ends the step. */
usec_t job_step_run_time(const struct job *j, usec_t start, usec_t ran_before, usec_t now);
/* The latest start at which the job can end by asked.deadline; NO_LIMIT: no deadline. A job without
   a requested time limit may be cut short to one minute. */
usec_t job_latest_start(const struct job *j);
/* When the time limit is reached; NO_LIMIT while no time counts (suspended, configuring,
   unlimited). */
usec_t job_time_up(const struct job *j);
/* When the job is ended at its limit, after OverTimeLimit; NO_LIMIT as for job_time_up(). */
usec_t job_overtime_up(const struct cluster *c, const struct job *j);
/* EndTime of a running job, or of a suspended job as if resumed: the limit, or the end of GraceTime
   if earlier; 0: unlimited. */
usec_t job_ends_by(const struct job *j);
/* Interval of repeating the order to end a step at its limit, as nodes may have been away. */
#define STEP_TOLD_AGAIN (60 * USEC_PER_SEC)
/* When to send (again) the order to end s at its own time limit; NO_LIMIT: never, or not while the
   job is suspended. */
usec_t job_step_time_up(const struct job *j, const struct step *s);
/* The earliest job_step_time_up() of the job's steps. */
usec_t job_steps_time_up(const struct job *j);
/* The start of COMPLETING, also for a requeued job. */
usec_t job_completing_from(const struct job *j);
bool job_is_off_nodes(const struct job *j); /* every node has confirmed that the job has left */
/* Licenses held; NULL: none, or only EpilogSlurmctld still runs. */
const struct countlist *job_licenses(const struct job *j);
/* When to send asked.warn_signal; NO_LIMIT: no time counts, or no process to receive the signal
   runs. */
usec_t job_warn_at(const struct job *j);
struct job_node *job_node_find(const struct job *j, const struct node *n); /* NULL: not on n */
/* True if a CLOUD node of the job is not up, and so has no address yet (power-saving guide). */
bool job_boots_cloud_nodes(const struct job *j);
bool job_all_nodes_wanted(const struct job *j, bool sbatch_wait_nodes);
/* True if a step manager on the job's node makes its steps (docs/stepmgr.md); the controller makes
   the steps from STEP_OWN_FIRST on, which take no resources. */
bool job_has_home(const struct job *j);
/* True if a node of the job could be the step manager: it can keep connections to all other nodes,
   and no node can leave the job unnoticed (--no-kill). */
bool job_home_reaches_all(const struct job *j);
bool job_step_is_home(const struct job *j, uint32_t step); /* made by the step manager */
struct step *job_step_find(const struct job *j, uint32_t id);
struct step *job_step_add(struct job *j);
/* Accepts NULL. */
void span_free(struct step_span *span);
/* Takes the next step number for srun, or with bcast for sbcast. */
uint32_t job_step_number(struct job *j, bool bcast);
bool job_step_is_over(const struct step *s); /* ended on all nodes */
bool job_has_ports(const struct job *j);     /* some step has reserved ports */
void job_step_remove(struct job *j, struct step *s);
/* The component on the node at index place of j->placed.alloc; s itself without components. */
struct step *job_step_part_at(struct step *s, size_t place);
void job_clear_allocation(struct job *j);
/* The requested number of tasks, or --ntasks-per-node (default 1) for each node; before the start
   for the minimum of nodes. */
uint32_t job_tasks(const struct job *j);
/* Parses features and prefer of the request again; both texts were checked before. */
void job_parse_features(struct job *j);
/* The requested sharing; SHARE_NO for jobs with --core-spec, --thread-spec or --reboot. */
enum job_share job_share(const struct job *j);
/* CPUs for all tasks; with --overcommit CPUs of one task for each node. */
uint64_t job_cpus_asked(const struct job *j);

/* Maximum length of one text of a job, in bytes: names, paths, lists. */
#define TEXT_MAX  (64u << 10)
#define TEXTS_MAX (128u << 10) /* maximum sum of a job's texts: MaxJobCount jobs stay in memory */
void job_spec_copy(struct job_spec *to, const struct job_spec *from);
/* Frees the copy made by job_spec_copy(). */
void job_spec_done(struct job_spec *s);
size_t job_spec_length(const struct job_spec *s); /* sum of all text lengths */
struct job *job_free(struct job *j);
DEFINE_CLEANUP(struct job *, job_free)

DECLARE_STRTAB(job_state);       /* "RUNNING" */
DECLARE_STRTAB(job_state_short); /* "R" */
