/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job.h - a job: what was asked, how it stands, what it holds
 *
 * Its state is written in one function, job_move() of job.c, by the table there; "completing" and
 * "configuring" are fields of their own.  A job that ends stays COMPLETING until every node has
 * said that nothing of it is left. */
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

enum job_state { /* the wire's numbers */
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
        JOB_ENDED,    /* to the state that the caller names */
        JOB_REQUEUED, /* back to the queue */
        JOB_EVENT_MAX,
};

/* Before a job that lost its nodes more than once starts again; Slurm's for every requeue. */
#define REQUEUE_PAUSE (121 * USEC_PER_SEC)

/* What an operator has set of a job that was there already: limits are for what its owner asks
   (limit_check.h). */
enum ordered { /* bits, recorded */
        ORDERED_TIME = 1,
        ORDERED_CPUS = 2,
        ORDERED_MEMORY = 4,
};

enum job_share { /* the wire's numbers */
        SHARE_OK,
        SHARE_NO,
        SHARE_YES,
        SHARE_USER, /* with jobs of the same user */
        SHARE_MCS,  /* ... of the same MCS label */
        SHARE_MAX,
};

enum distribution { /* the wire's numbers */
        DISTRIBUTION_DEFAULT,
        DISTRIBUTION_BLOCK,
        DISTRIBUTION_CYCLIC,
        DISTRIBUTION_FCYCLIC,
};

enum gres_binding { /* the wire's numbers: are the cores that it gets near its generic resources? */
        GRES_BINDING_PREFERRED,
        GRES_BINDING_ENFORCED,
        GRES_BINDING_DISABLED,
};

/* What was asked; job_fields.h has the fields. */
struct job_spec {
        JOB_SPEC_MEMBERS
};

/* [from, until) */
struct period {
        usec_t from, until;
        /* What is free then of the hierarchical resources that it asks for; NULL: it asks for
           none, or they do not matter.  The caller's. */
        const struct hres_room *room;
        /* What the plan leaves of nodes for it then. */
        struct rests {
                /* false: nothing but what runs takes any of that node; NULL: of all nodes */
                bool (*of)(const struct rests *r, const struct node *n, struct node_rest *ret);
                /* Adds units of n to set, so that of each of its parts (sched/plan/parts.h) no more
                   are left than the plan leaves. */
                void (*block)(const struct rests *r, const struct node *n, struct bitset *set);
                struct cluster *c;
                struct backfill *b;
                const struct job *j;
                usec_t now, from, until;
        } rests;
};

struct node_rest {              /* of a node */
        uint64_t units, memory; /* MB */
        const int64_t *gres;    /* of each of its items; it lasts until the next question */
        const int64_t *numbers; /* all of that, as in a step of its track (sched/plan/track.h) */
};

enum signal_reach { /* the wire's numbers: what of a job a signal is for */
        SIGNAL_STEPS,
        SIGNAL_BATCH, /* the script's shell alone */
        SIGNAL_FULL,  /* the script and its children, too */
        SIGNAL_REACH_MAX,
};

enum node_prolog { /* PrologFlags=Alloc: of a node of an allocation */
        PROLOG_NONE,
        PROLOG_ASKED, /* its agent has been asked to run it, and has not answered */
        PROLOG_OVER,  /* it went well */
};

/* PrologSlurmctld and EpilogSlurmctld of one allocation. */
enum job_hook {
        HOOKS_NONE,
        HOOKS_PROLOG, /* it runs */
        HOOKS_READY,  /* it has run */
        HOOKS_EPILOG,
        HOOKS_OVER,
};

/* One node's part of an allocation. */
struct job_node {
        struct node *node;
        uint32_t cpus;
        uint64_t memory;  /* MB, 0 = not counted */
        size_t units_at;  /* where its units begin in job->placed.units */
        bool used;        /* something was launched there: it must be cleaned */
        bool done;        /* it has nothing of the job any more */
        bool stopped;     /* its agent has said that the job's processes stand still there */
        bool unstoppable; /* the last attempt to stop the job failed because of this node */
        uint64_t serial;  /* of the last freeze or thaw sent to it */
        bool unanswered;  /* ... which it has not answered */
        bool overdue;     /* it has been asked once in vain to end the job */
        bool given_up;    /* the job has lost the node: it is not waited for */
        enum node_prolog prolog;
        uint64_t signals[SIGNAL_REACH_MAX]; /* for its agent when that is back, as bits */
        usec_t due; /* until when it must have answered, or when to ask again; 0 = neither */
        /* Memory of frozen jobs (job_memory.h), MB */
        /* of memory: it is promised to others, as it uses no more than the rest */
        uint64_t given;
        uint64_t owed;      /* of memory: others are to give it yet */
        uint64_t asked;     /* it is to give so much... */
        uint32_t asked_for; /* ... to this job */
        bool reclaiming;    /* its agent has been told so, and has not answered */
};

/* What of the node's memory is promised to the job. */
static inline uint64_t job_node_promised(const struct job_node *jn) {
        return jn->memory - jn->given - jn->owed;
}

/* What a job is to have in a partition, by what it asks for and what it has there by default
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

/* One of the partitions that a job waits for: its place in the queue.  Most have but one. */
struct bid {
        struct job *job;
        struct partition *partition;
        struct partition *counted;        /* counts it in n_waiting; NULL: it is held or depends */
        uint32_t priority;                /* there; 0: the job's */
        uint32_t rank;                    /* in its list */
        struct job_defaults job_defaults; /* there, of several */
        /* why it has not started there, of several; REASON_NONE: not looked at yet */
        enum job_reason reason;
        bool never; /* all of the nodes there, free and well, would not do... */
        /* ... as they were then: cluster.nodes_as_of; 0: not looked at yet */
        uint64_t never_as_of;
        /* of a leader: the moment of backfill since when nothing has come that may let all
           components start */
        uint64_t refused_at;
};

/* Where and when a pending job is expected to start (sched/backfill.h): nodes by their index.  If
   some of them have no power it gets them at start, and they are up after boot. */
struct job_plan {
        struct job *job; /* NULL: it has left the queue */
        struct bid *bid; /* where it is planned; not looked at without job */
        usec_t start, boot, until;
        uint64_t number; /* plans are numbered as they are laid */
        bool used;       /* it has started there and then */
        bool laid;   /* the nodes are kept; else it has been lifted, and its job finds another */
        bool late;   /* ... as what it waits for lasts longer than it should */
        bool lifted; /* ... at its turn: sched/plan/lifted.c knows it */
        /* of a heterogeneous job: the next component's, in a ring; they start, move and go
           together, and stand at the leader's bid.  NULL: it is of no such job */
        struct job_plan *with;
        /* MB of each node of which reservations have cores, where it does not go by numbers; 0:
           none */
        uint64_t memory;
        size_t n_ranges, n_licenses, n_parts, n_takes;
        struct node_range {
                uint32_t from, n;
        } ranges[]; /* of nodes; behind them the licenses: which, in c->licenses, and how many; then
                       the parts of the nodes that it has, if it does not have each node as a whole
                       (sched/plan/parts.h); then what it takes of each node, if it leaves the rest
                       to others (sched/plan/takes.h) */
};

/* A step over several components of a heterogeneous job: each of them has a step of that number,
   and knows of the whole this.  Tasks and nodes are numbered by component. */
struct step_span {
        uint32_t job, restarts;          /* the leader's: it names the step */
        uint32_t first_task, first_node; /* the component's */
        uint32_t num_tasks, num_nodes;
        /* The lists that follow are the same of all components, which have them together: */
        uint32_t *users; /* how many do; the last one frees them */
        char *nodes;     /* of all, in their order */
        uint32_t *count; /* tasks on each of them */
        uint32_t *place; /* of each task, which of them */
        uint32_t *parts; /* tasks of each component */
        uint32_t n_parts;
};

struct step {
        uint32_t id;
        uint32_t part; /* 1 + its place among the parts of another; 0: it is no component */
        char *name, *host, *submit_line, *container;
        uint32_t pid, num_tasks, cpus;
        usec_t start_time;
        struct bitset *nodes;    /* positions in job->placed.alloc */
        struct bitset *ended;    /* those that are through */
        struct bitset *launched; /* those that have said that they run it */
        uint32_t exit_code;      /* the worst wait status so far */
        uint32_t abort_status;   /* by which a task has ended it (MPI_Abort); 0: none has */
        uint32_t *tasks, *taken; /* tasks on each of its nodes, CPUs taken of each (0: shared) */
        /* on each of its nodes, units of that node; NULL: all that its job has (step_cores.h) */
        struct bitset **cores;
        size_t n_tasks_on; /* of these three */
        /* --distribution=arbitrary: of each task, which of its nodes; NULL: by tasks */
        uint32_t *place;
        /* MB that it takes of its job's, where it takes CPUs; 0: none */
        uint64_t mem_per_node, mem_per_cpu;
        uint64_t token;
        uint64_t stream_token; /* what those who pass its streams on show each other */
        bool input_of_rank;    /* its nodes take input for one task */
        bool cyclic, kill_on_bad_exit, no_kill;
        bool held;           /* its srun runs its prolog: it is on no node yet */
        bool to_files;       /* its tasks write to files, or nowhere: srun is given nothing */
        uint32_t plane;      /* tasks in a row on a node; 0 = not so */
        char *cpu_freq;      /* as asked, lib/step/cpufreq.h */
        char *resv_ports;    /* its own on its nodes: "12000-12003" */
        char *tres_bind;     /* as asked, lib/step/gpubind.h */
        uint32_t tree_width; /* 0: TreeWidth */
        enum step_gres {
                STEP_GRES_ALL,  /* what the job has, with others */
                STEP_GRES_OWN,  /* these, and no other step has them */
                STEP_GRES_NONE, /* --gres=none, --gpus=0 */
        } gres_kind;
        struct gres_share *gres; /* places are those in job->placed.alloc */
        size_t n_gres;
        usec_t orphan_due; /* its srun is cut off: until when it may come back; 0 = it is there */
        struct process_id command; /* its srun, as the job's holder */
        usec_t ran_before;         /* the job's run time when it began */
        usec_t time_limit;         /* of its own, of the job's run time; 0 = none */
        usec_t timed_out;          /* when it was last told to end for that; 0 = not */
        bool told;                 /* its row is made (ended_step.h) */
        usec_t ended_at;           /* the latest end that its nodes have told; 0 = none */
        uint32_t cancelled_by;     /* uid + 1 of the user that has ended it, without its job */
        bool out_of_memory;
        uint64_t user_cpu, system_cpu; /* us; of the nodes where it has ended, as the next */
        uint64_t sum_rss, most_rss;    /* bytes; the most on one node */
        char *most_rss_on;             /* that node; NULL: not known */
        struct measures measures;      /* of tasks there */
        uint64_t energy;               /* as the job's */
        /* Of a heterogeneous step its components, which share its nodes out among themselves: what
           is shown and kept of each of them.  All else counts for the whole alone. */
        struct step *parts;
        size_t n_parts;         /* 0: it is not heterogeneous */
        struct step_span *span; /* NULL: it is its job's alone */
};

/* By what a job was started; the numbers are those of the wire. */
enum job_starter { STARTER_NONE, STARTER_SUBMISSION, STARTER_PASS, STARTER_BACKFILL };

/* In parts, by which rooms use them; what all use comes first. */
struct job {
        uint32_t id;
        uid_t uid;
        gid_t gid;
        enum job_state state;
        char *user, *group;
        struct partition *partition;
        struct array *array; /* that it is a task of, or NULL */
        /* its index there; ARRAY_REST: it stands for those that have not begun */
        uint32_t array_task;
        struct het *het;     /* that it is a component of (het.h), or NULL */
        uint32_t het_offset; /* its place there; 0: the leader */
        bool completing;     /* over, but not yet on every node */
        bool configuring;    /* allocated, waiting for nodes to boot */
        bool held_by_admin, held_by_user;
        /* Its priority before it was held because a license that it asks for is not configured any
           more; 0: it is not held for that. */
        uint32_t held_priority;
        bool special_exit; /* held after it was requeued: shown as SPECIAL_EXIT */
        bool dirty;        /* changed since the store has seen it */
        enum job_reason reason;
        char *reason_text;
        uint32_t priority;
        uint32_t restarts;
        uint32_t failed_launches; /* so many of the restarts were after a launch that failed */
        usec_t submit_time;

        /* What it asks for, in its user's words. */
        struct job_spec asked;

        /* What it is to have for that: what is in force, and what is parsed once for the
         * scheduler. */
        struct job_needs {
                usec_t time_limit; /* NO_LIMIT */
                /* time_limit is less, because it could start earlier so; 0: it is what was asked */
                usec_t limit_asked;
                /* UNSAID_SIZES */
                uint64_t mem_per_node, mem_per_cpu, mem_per_gpu;
                uint32_t cpus_per_task, min_cpus_node, cpus_per_gpu;
                uint32_t ordered; /* enum ordered */
                struct features *features, *prefer;
                struct bitset *req_nodes, *exc_nodes;
                /* of asked.req_nodes the names that are not configured any more; NULL: none */
                char *unknown_nodes;
                struct countlist *licenses;
                struct countlist *hres; /* hierarchical resources: of each so many */
                struct gres_wants *gres_wants;
                /* asked.features can never be had: features are those of asked.prefer */
                bool prefer_alone;
                bool requeue;      /* may be requeued */
                bool now_or_never; /* --immediate: no job is ended for it */
        } needs;

        /* Its places in the queue and in the plan, and what it waits for. */
        struct job_waiting {
                /* in the queue, in its order: &one or, of several partitions, own */
                struct bid one, *bids;
                size_t n_bids; /* 0: it is not there */
                /* The bid that partition is of: the only one, or that of a value (accounts/bids.h);
                   else NULL. */
                struct bid *current;
                /* of a component that is looked at: the leader's, as the turn is that one's; else
                   NULL */
                const struct bid *turn;
                struct job_plan *plan; /* pending; NULL: none is made yet, or none can be */
                /* it is expected to start then, having stopped jobs that have run for
                   PreemptExemptTime; 0: there are none, or it may stop them now */
                usec_t after_exempt;
                struct dependencies *depends; /* what it still waits for; NULL: nothing */
                /* when to look at them again, though nothing happens; 0 = never */
                usec_t depend_due;
                usec_t queued_time; /* submit_time, or when it was last sent back */
                usec_t eligible_time, accrue_time, last_sched_eval; /* 0 = not set */
                usec_t not_before;     /* sent back: it rests until then */
                usec_t switches_since; /* it waits for fewer switches since then; 0: it does not */
                bool switches_armed;   /* the end of that wait is a deadline */
                bool boot_delayed;     /* --delay-boot is over */
                /* held, with a dependency, or decided with its leader (het.h): behind those of its
                   tier that may start */
                bool apart;
                /* preempt/qos: QOS one below the other that it may preempt; such jobs come first */
                uint32_t outranks;
        } waiting;

        /* Pending: nodes that are kept for it until its victims are gone. */
        struct job_claim {
                struct bitset *nodes;
                const struct partition *in; /* to have them there; only to be compared with */
                /* for so many of its tasks, where it stands for the rest of an array */
                uint32_t tasks;
                /* or, without victims of its own, until the next pass: others are about to leave
                   them */
                bool waits;
                /* some of them are not up yet: its victims may run on until they are (stop_at) */
                bool boots;
                enum claim_turn {
                        CLAIM_VICTIMS, /* they are on their way out */
                        CLAIM_FREE,    /* the last of them is gone */
                        /* in the pass that is going on it has its turn, before its victims */
                        CLAIM_TURN
                } turn;
        } claim;

        /* Its reservation, its nodes, and what it holds of them. */
        struct job_placed {
                /* The reservation that it asks for, of several the one where it has a place first;
                   NULL: none, or it is over. */
                struct resv *resv;
                /* active: all that it named, where asked.reservation is the one that it has;
                   NULL */
                char *resv_asked;
                struct job_node *alloc; /* in node order; kept when it is over, for display */
                size_t n_alloc;
                /* of its nodes' generic resources; kept when it is over, for display */
                struct gres_share *gres;
                size_t n_gres;
                /* of all nodes, one after the other; NULL when nothing is held */
                struct bitset *units;
                struct bitset *nodes; /* the cluster's nodes that it holds */
                /* with layers of hierarchical resources; once it has started; kept when it is over,
                   for display */
                struct countlist *licenses_held;
                uint32_t num_cpus;
                /* the one of alloc that its batch script runs on, by --batch; 0: the first */
                uint32_t batch_at;
                bool attracted; /* active: asked.reservation is MAGNETIC, and it named none */
                bool preferred; /* its nodes were found by prefer */
        } placed;

        /* Its launch, its run time, its steps, its end; points in time: CLOCK_REALTIME, 0 = not
         * set. */
        struct job_running {
                usec_t start_time, end_time;
                usec_t suspend_time; /* when it was last suspended or went on */
                usec_t configure_time;
                /* configuring: its nodes are expected to be up by then, as far as the plan has
                   asked; not recorded */
                usec_t up_by;
                usec_t ran_before; /* time run before the last suspension */
                usec_t resumed_at; /* when the clock last started */
                /* since when it has the nodes that it has, and its run time then; 0: since its
                   start */
                usec_t resize_time, resize_ran;
                /* until when its agent must have said that the script runs, or, while the job is
                   configuring, its nodes that the prolog is over; 0 = they are not waited for */
                usec_t launch_due;
                uint32_t prologs;   /* nodes with PROLOG_ASKED */
                enum job_hook hook; /* of the controller */
                uint32_t hooks;     /* how many of those it has had, this one included */
                bool off_nodes;     /* completing, but for its EpilogSlurmctld */
                bool lost_nodes;    /* it goes on without some of placed.alloc, which are done */
                uint32_t lost_launches; /* how often its node has registered without it since */
                bool launched;          /* its agent has said that the batch script runs */
                /* ... has been asked to start it, since this controller started */
                bool launch_sent;
                bool warned;         /* asked.warn_signal has been sent */
                bool requeue_wanted; /* goes back to the queue when it is off its nodes */
                /* a task that was cancelled while it waited with its array: forgotten at once, as
                   in Slurm */
                bool withdrawn;
                /* the command that holds it had not answered within InactiveLimit at the last
                   look */
                bool holder_late;
                /* when that was asked whether it is there; 0 = it has answered */
                usec_t holder_asked;
                /* what forwarded its X11 has ended, and no other one has come */
                bool x11_forsaken;
                /* until when what forwards its X11 may come back; 0 = it is there, or is not waited
                   for */
                usec_t x11_due;
                uint32_t x11_attached; /* the number of the last attach to its X11 */
                /* deadline for a disconnected srun of the allocation; 0 = it is connected */
                usec_t orphan_due;
                /* the command that holds it, where that is connected to the controller's socket */
                struct process_id holder;
                /* its time is over, its agents may know better: until when they are waited for
                   (listen.h); 0 = it is not */
                usec_t heard_by;
                /* its agent says that it has ended then, while that is being done; 0 */
                usec_t said_end;
                /* when its end was learned, which may have been before; 0 = since a restart */
                usec_t known_over;
                /* lines for its script's standard error, which is not there yet (scontrol notify);
                   NULL */
                char *notice;
                char *kill_reason; /* what the steps' output says: "TIME LIMIT" */
                /* of asked.mail_type: what was told of this run, and of its dependency */
                uint32_t mail_told;
                uint32_t exit_code, derived_exit_code; /* wait status */
                uint32_t cancelled_by;                 /* uid + 1 */
                uint32_t next_step, next_bcast;
                /* its node makes the steps of that run: restarts + 1; 0: the controller does */
                uint32_t home;
                uint64_t home_serial;        /* of the last event that it has told of them */
                enum job_starter started_by; /* its last run */
                bool limited_steps;          /* some have a time_limit */
                struct step *steps;
                size_t n_steps, a_steps;
                /* the earliest orphan_due of its steps, or earlier; 0 = none */
                usec_t step_orphans_due;
                /* a duration: how much later than it happened its last step's end was told... */
                usec_t steps_late;
                usec_t steps_told; /* ... and when; 0 = never */
        } running;

        /* How it is stopped for others: suspended, preempted, or by the gang. */
        struct job_stopping {
                /* with no_suspend: then, or until the nodes that could not stop it report it
                   frozen */
                usec_t may_stop_again;
                /* with no_reclaim: from then on, where a node was only silent; 0 = never */
                usec_t may_give_again;
                usec_t answers_due; /* the earliest due of its nodes, or earlier; 0 = none */
                usec_t grace_end;   /* the victim still runs, until then; 0 = it does not */
                /* nodes of the job that it is to make way for are not up yet: it runs on, and is
                   suspended, or told to end (preempt_mode), then at the latest; of one that is
                   suspended: when these nodes are late, so that it goes on; 0 = not so */
                usec_t stop_at;
                usec_t preempt_time; /* 0 = not set */
                /* its place in the list of its partition's gang, the lowest first; 0 = it has none
                   yet */
                uint64_t gang_at;
                char *no_suspend_why, *no_reclaim_why;
                /* PREEMPT_CANCEL or _REQUEUE: a victim, until it is off its nodes; else 0 */
                unsigned preempt_mode;
                uint32_t preemptor;     /* ... of this job */
                uint32_t stop_failures; /* attempts in a row to stop it that failed */
                uint32_t asked_again;   /* freezes and thaws in a row that did not work */
                bool suspended_by_user; /* scontrol suspend; otherwise a preemption stopped it */
                bool late_boot; /* suspended: it goes on beside the job whose nodes are late */
                /* it runs because nothing ahead of it needs its units, out of its turn */
                bool gang_filler;
                /* it stands still and is to go on as soon as those before it stand still */
                bool gang_next;
                bool gang_listed;  /* it is among cluster.stopped */
                uint8_t gang_mark; /* scratch of preempt/gang.c */
                /* its processes could not be stopped: not chosen before may_stop_again */
                bool no_suspend;
                bool cannot_freeze; /* ... as a node has said, and not by its silence */
                /* it does not give memory while it is frozen: never asked again before
                   may_give_again */
                bool no_reclaim;
        } stopping;

        /* What it is charged with, and what its nodes draw for it. */
        struct job_accounting {
                struct assoc *assoc;      /* NULL: the accounts are off or do not know it */
                struct qos *qos;          /* NULL: the accounts are off, or it is there no more */
                struct job_charge charge; /* acct_note()'s own */
                usec_t usage_charged;     /* of its run time, to its association: usage.h */
                /* mJ; while it draws, less by where its nodes' sums stood */
                uint64_t energy;
                /* the same of the script of this run, on its first node */
                uint64_t batch_energy;
                char *admin_comment; /* an operator's */
                int32_t site_factor; /* added to its priority (multifactor): an operator's */
                bool draws;          /* it shares what its nodes draw (energy.h) */
                /* the row of its script is made, of this run (ended_step.h) */
                bool batch_told;
        } accounting;

        /* Its places in lists and indexes of the cluster, and the jobs that wait for it. */
        struct job_listed {
                size_t queue_at; /* in the pending queue or among the active; see cluster.h */
                usec_t armed;    /* its entry in the deadline heap */
                struct job *token_next;            /* job_tokens */
                struct job *name_next, *name_prev; /* job_names */
                size_t texts;                      /* bytes, as counted in user_texts */
                /* ids of jobs that wait, or have waited, for this one */
                uint32_t *dependents;
                size_t n_dependents, a_dependents;
                bool triggers; /* some may wait for it (orders/triggers.c) */
        } listed;
};

/* The table; -EPROTO for a pair that is not in it.  For JOB_ENDED, end says to which state. */
int job_state_step(enum job_state from, enum job_event event, enum job_state end,
                enum job_state *ret);
int job_move(struct job *j, enum job_event event, enum job_state end);

static inline bool job_is_finished(const struct job *j) { /* maybe still completing */
        return j->state >= JOB_COMPLETED;
}
static inline bool job_is_active(const struct job *j) { /* holds resources */
        return j->state == JOB_RUNNING || j->state == JOB_SUSPENDED || j->completing;
}
/* It waits in the queue; one that was sent back and is not off its nodes yet does not. */
static inline bool job_is_queued(const struct job *j) {
        return j->state == JOB_PENDING && !j->completing;
}
static inline bool job_is_held(const struct job *j) {
        return j->held_by_admin || j->held_by_user || j->held_priority;
}
/* PrologSlurmctld or EpilogSlurmctld. */
static inline bool job_hook_runs(const struct job *j) {
        return j->running.hook == HOOKS_PROLOG || j->running.hook == HOOKS_EPILOG;
}
/* The restart count that its nodes know: until they have let go of a job that was sent back, the
   one before. */
static inline uint32_t job_incarnation(const struct job *j) {
        return j->restarts - (j->running.requeue_wanted && j->completing);
}
/* It has been sent back more often than MaxBatchRequeue: a job that kills its nodes must not go on
   for ever. */
/* More launches of it have failed than MaxBatchRequeue lets it go back to the queue. */
bool job_launches_fail_too_often(const struct cluster *c, const struct job *j);
/* Why a held job waits. */
enum job_reason job_held_reason(const struct cluster *c, const struct job *j);
/* A script runs on the first of its nodes; of a heterogeneous job on the leader's alone. */
static inline bool job_has_script(const struct job *j) {
        return j->asked.batch && !(j->het && j->het_offset);
}
/* It does not end with the command that asked for it: a batch job, and what salloc --no-shell has
   left. */
static inline bool job_outlives_holder(const struct job *j) {
        if (j->het && j->het_offset) /* it ends with the first component */
                return true;
        return j->asked.batch || (j->asked.stays && j->state != JOB_PENDING);
}
/* Suspended by a preemptor: it keeps its place among its equals. */
static inline bool job_is_gang_stopped(const struct job *j) {
        return j->state == JOB_SUSPENDED && !j->stopping.suspended_by_user;
}
/* It is to be suspended, and runs on although another job has its units, as nodes of that one are
   not up yet (jobs/job_victims.c). */
static inline bool job_is_to_stop(const struct job *j) {
        return j->state == JOB_RUNNING && j->stopping.stop_at && !j->stopping.preempt_mode;
}
/* When it may start: what was asked for by the clock, and its rest. */
static inline usec_t job_begin(const struct job *j) {
        return MAX(j->asked.begin_time, j->waiting.not_before);
}
/* Time run until now, without suspensions and booting. */
usec_t job_run_time(const struct job *j, usec_t now);
/* Of a step that began at start, when its job had run for ran_before: without the time that they
 * stood still, and with that in which the job's end, or its way back to the queue, ends it. */
usec_t job_step_run_time(const struct job *j, usec_t start, usec_t ran_before, usec_t now);
/* The last moment at which it may start and still end by its deadline; NO_LIMIT: it has none.  A
   job that asks for no time is cut short, down to a minute. */
usec_t job_latest_start(const struct job *j);
/* When its time is up; NO_LIMIT while nothing counts (suspended, configuring, unlimited). */
usec_t job_time_up(const struct job *j);
/* When it is ended for that: OverTimeLimit later; likewise. */
usec_t job_overtime_up(const struct cluster *c, const struct job *j);
/* EndTime of a job that runs, or that stands still, had it gone on: by then it ends, or its
   GraceTime does; 0: it may run for ever. */
usec_t job_ends_by(const struct job *j);
/* that its time is over: nodes may have been away */
#define STEP_TOLD_AGAIN (60 * USEC_PER_SEC)
/* When s is to be told that its own time limit is over, or told again; NO_LIMIT: never, or not
   while the job stands still. */
usec_t job_step_time_up(const struct job *j, const struct step *s);
/* The earliest of its steps. */
usec_t job_steps_time_up(const struct job *j);
/* Since when a job that is COMPLETING is, also one that goes back to the queue. */
usec_t job_completing_from(const struct job *j);
bool job_is_off_nodes(const struct job *j); /* each node of its allocation has let go of it */
/* Licenses that it keeps from others; NULL: none, also while nothing but its EpilogSlurmctld runs.
 */
const struct countlist *job_licenses(const struct job *j);
/* When asked.warn_signal is to be sent; NO_LIMIT while nothing counts or no process is there to get
   it. */
usec_t job_warn_at(const struct job *j);
struct job_node *job_node_find(const struct job *j,
                const struct node *n); /* NULL if it has no part of n */
/* Some of its nodes are of a cloud and not up: they have no address yet (power-saving guide). */
bool job_boots_cloud_nodes(const struct job *j);
bool job_all_nodes_wanted(const struct job *j, bool sbatch_wait_nodes);
/* Its node makes its steps (docs/launch.md, "The first node makes the steps"); the controller makes
   those that take nothing from others, from STEP_OWN_FIRST on. */
bool job_has_home(const struct job *j);
/* A node of it could make its steps: it keeps a connection to each of the others, and none leaves
   the job without its knowledge. */
bool job_home_reaches_all(const struct job *j);
bool job_step_is_home(const struct job *j, uint32_t step); /* made there */
struct step *job_step_find(const struct job *j, uint32_t id);
struct step *job_step_add(struct job *j);
/* NULL is nothing. */
void span_free(struct step_span *span);
/* A new number for a step of srun, or of sbcast. */
uint32_t job_step_number(struct job *j, bool bcast);
bool job_step_is_over(const struct step *s); /* on all of its nodes */
bool job_has_ports(const struct job *j);     /* one of its steps has some of its own */
void job_step_remove(struct job *j, struct step *s);
/* Its component on the node at that place of j->placed.alloc, or s itself where it has none. */
struct step *job_step_part_at(struct step *s, size_t place);
void job_clear_allocation(struct job *j);
/* As many as were asked for, or what --ntasks-per-node (1) makes of its nodes, of the fewest while
   it has none. */
uint32_t job_tasks(const struct job *j);
/* features and prefer, which were parsed before, of spec. */
void job_parse_features(struct job *j);
/* What it asks for; one that says what is kept of its nodes, or reboots them, has them alone. */
enum job_share job_share(const struct job *j);
/* For these tasks; with --overcommit those of a node share what one of them wants. */
uint64_t job_cpus_asked(const struct job *j);

/* One text of a job's: names, paths, lists. */
#define TEXT_MAX  (64u << 10)
#define TEXTS_MAX (128u << 10) /* all of them: MaxJobCount jobs stay in memory */
void job_spec_copy(struct job_spec *to, const struct job_spec *from);
/* Frees what that copied. */
void job_spec_done(struct job_spec *s);
size_t job_spec_length(const struct job_spec *s); /* of all its texts */
struct job *job_free(struct job *j);
DEFINE_CLEANUP(struct job *, job_free)

DECLARE_STRTAB(job_state);       /* RUNNING */
DECLARE_STRTAB(job_state_short); /* R */
