/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/follows.h - the table of consequences: facts, and what follows from them
 *
 * Code that changes the cluster notes a fact; the table in follows.c, and nothing else, says what
 * follows from it.  turn() and the scheduler ask whether something is due and take it when they do
 * it, in their own order.  A new fact is a line here, a row there and a row in
 * tests/unit/test_follows.c; without one of them it does not compile. */
#pragma once

#include "lib/base.h"

struct bitset;
struct cluster;
struct job;
struct job_plan;
struct node;

enum fact {
        /* jobs */
        FACT_QUEUE_CHANGED,    /* a job has entered or left the queue, or moved in it */
        FACT_REQUEST_CHANGED,  /* a job has another request or time limit */
        FACT_PRIORITY_CHANGED, /* ... has another priority */
        /* ... has been changed by scontrol, or released: its reason may differ. */
        FACT_JOB_UPDATED,
        /* ... got its nodes or is launched, beside jobs that the gang has suspended. */
        FACT_JOB_STARTED,
        FACT_JOB_STOPPED,   /* ... is suspended: jobs on its units may resume */
        FACT_JOB_SUSPENDED, /* ... is suspended or resumed by hand */
        FACT_BOOT_LATE,     /* ... may resume: the nodes that it is suspended for are late */
        FACT_JOB_STOPPABLE, /* ... that could not be frozen may be chosen again */
        /* ... is eligible for preemption now, or may lend to a preemptor. */
        FACT_JOB_PREEMPTABLE,
        FACT_PREEMPTION_BEGUN, /* victims of a job are ending */
        FACT_CLAIM_ENDED,      /* nodes: not reserved for a preemptor any more, or free for it */
        FACT_ARRAY_SLOT_FREED, /* a task of an array with a limit (%) has left its nodes */
        /* nodes */
        FACT_NODE_CHANGED, /* node: anything of it */
        FACT_NODE_RECORD,  /* node: values that are only stored or shown */
        FACT_NODE_SHARED,  /* node: other jobs share its energy */
        FACT_NODE_USE,     /* nodes: their jobs may hold them for another time */
        /* nodes: something that a launch there may wait for has happened. */
        FACT_LAUNCH_POSSIBLE,
        FACT_NODE_USABLE,  /* a node may serve jobs that it could not serve before */
        FACT_NODE_SERVICE, /* a node is in service, or out of it */
        FACT_NODE_FREED,   /* node: a job has left it */
        FACT_PORTS_FREED,  /* a step with ports of its own (--resv-ports) has left a node */
        /* Nodes or partitions have other resources (not: other free ones). */
        FACT_INVENTORY_CHANGED,
        FACT_WEIGHT_CHANGED,     /* of a node */
        FACT_EXCLUSIONS_CHANGED, /* SuspendExcStates: nodes may be shown as planned or not */
        /* waking of nodes is stopped, allowed again, or stopped for another cause */
        FACT_BRAKE_CHANGED,
        /* memory of frozen jobs */
        FACT_MEMORY_OFFERED,  /* a frozen job may be asked for its memory */
        FACT_MEMORY_KEPT,     /* a job is not asked for its memory any more */
        FACT_MEMORY_RETURNED, /* a job has some of its memory back */
        /* limits */
        FACT_LIMITS_CHANGED,    /* accounts, QOS or associations have been changed (sacctmgr) */
        FACT_JOBS_REBOUND,      /* jobs have been bound to their associations and QOS anew */
        FACT_LIMIT_ROOM,        /* a limit may have room */
        FACT_LIMIT_USE_FELL,    /* the charge of a job has ended */
        FACT_LIMIT_USE_ROSE,    /* a job has started: limits leave less for plans */
        FACT_ACCRUAL_ROOM,      /* the age of a job counts no longer */
        FACT_LIMIT_USE_CHANGED, /* the charge of a running job has changed */
        FACT_LICENSES_CHANGED,  /* licenses have been taken, or counted anew */
        FACT_LICENSES_RETURNED,
        /* the rest */
        FACT_RESERVATION_CHANGED, /* one begins, ends, is created, deleted, or has other nodes */
        /* a job of one has left the queue or its nodes, or it has other nodes */
        FACT_RESERVATION_USE,
        FACT_RESERVATION_RECORD, /* the record of one */
        FACT_PREEMPTION_CHANGED, /* another preemption mode, tier or QOS */
        FACT_CONFIGURATION_CHANGED,
        FACT_NODES_RENUMBERED, /* dynamic nodes were added or removed */
        FACT_STATE_RESTORED,
        FACT_CLOCK_SET,
        FACT_JOB_BEGINS, /* the begin time of a job has come */
        FACT_PASS_DUE,   /* a point in time that the scheduler has asked for */
        FACT_PASS_CUT,   /* a pass has been given up before every job had a reason */
        FACT_PLAN_MOVED, /* a plan has moved, is due or void, or a claim is stale */
        FACT_SLICE_OVER, /* a time slice of the gang */
        FACT_NODE_LOST,  /* a job goes on without a node that it has lost (--no-kill) */
        FACT_PLACE_LEFT, /* a cloud node that is off is where files say again (moved_to) */
        FACT_HET_LEFT,   /* a component of a heterogeneous job has ended, or goes back */
        FACT_COUNT
};

enum follow {
        FOLLOW_PASS = 1 << 0, /* sched_pass(): a job may start */
        /* ... and the pass visits every job: its reason may have changed. */
        FOLLOW_REASONS = 1 << 1,
        /* gang_settle(): a suspended job may resume, or a running one must stop. */
        FOLLOW_GANG = 1 << 2,
        FOLLOW_GANG_ANEW = 1 << 3, /* ... running jobs may not fit together */
        /* The plan tries refused jobs again, though nothing has become free. */
        FOLLOW_PLAN_RETRY = 1 << 4,
        FOLLOW_PLAN_LICENSES = 1 << 5, /* ... at the licenses that are free */
        FOLLOW_PLAN_ANEW = 1 << 6,     /* ... is made anew: no plan of any job is right */
        FOLLOW_RESERVATIONS = 1 << 7,  /* resv_review() */
        FOLLOW_ACCRUAL = 1 << 8,       /* accrue_review(): a limit may let the age of a job count */
        FOLLOW_ACCRUAL_ANEW = 1 << 9,  /* ... or any other condition */
        FOLLOW_LIMIT_PLANS = 1 << 10,  /* sched_drops_plans(): plans may exceed a limit */
        FOLLOW_STORE_RESERVATIONS = 1 << 11,
        FOLLOW_STEP_PORTS = 1 << 12, /* runs_retry_ports(): steps that wait for them may start */
        FOLLOW_HET = 1 << 13,        /* het_settle(): the others of its components share its fate */
        FOLLOW_LOST_NODES = 1 << 14, /* jobs_drop_lost(): jobs that have lost nodes get smaller */
        FOLLOW_PLACES = 1 << 15,     /* partitions_move_nodes(): places in topologies */
        /* Of the nodes that the fact is noted for */
        FOLLOW_PLAN_NODES = 1 << 16, /* the plan checks again how long they are busy */
        FOLLOW_LAUNCH = 1 << 17,     /* jobs_try_launch() */
        FOLLOW_STORE_NODE = 1 << 18, /* their records are written */
        /* ... a little later, together: a large job does not wait for them. */
        FOLLOW_STORE_LATER = 1 << 19,
        /* Done at once when due is computed */
        FOLLOW_ADMIT_ANEW = 1 << 20, /* pending jobs are checked again whether they can ever run */
};

/* Notes a fact: sets a bit, cheap enough for any loop. */
void note(struct cluster *c, enum fact fact);
/* The same for a node or a set of nodes, for facts that say so. */
void note_node(struct cluster *c, enum fact fact, const struct node *n);
void note_nodes(struct cluster *c, enum fact fact, const struct bitset *nodes);
/* Whether any of these is due (a set of enum follow). */
bool follows(const struct cluster *c, uint32_t what);
/* The same, and clears them: the caller does them now. */
bool follows_take(struct cluster *c, uint32_t what);
/* Until follows_heed() facts do not cause these consequences: the caller draws them itself. */
void follows_ignore(struct cluster *c, uint32_t what);
void follows_heed(struct cluster *c);
/* The nodes of FOLLOW_PLAN_NODES, FOLLOW_LAUNCH, FOLLOW_STORE_NODE or FOLLOW_STORE_LATER; others
   may be added until they are done. */
const struct bitset *follows_nodes(const struct cluster *c, enum follow what);
void follows_nodes_done(struct cluster *c, enum follow what);

/* Removes j from the plan; other jobs' plans do not change by that alone. */
void plan_void(struct cluster *c, struct job *j);
bool follows_has_voids(const struct cluster *c);
/* Returns their number; *ret: the void plans, valid until the next plan_void(); the caller frees
   them. */
size_t follows_take_voids(struct cluster *c, struct job_plan *const **ret);
/* Frees all plans and forgets the nodes that the plan was to look at: at once, where plans point to
   data that is about to be freed; else use FOLLOW_PLAN_ANEW. */
void plans_forget(struct cluster *c);

/* c->follows, before anything is noted; and its end, with all plans. */
void follows_begin(struct cluster *c);
void follows_done(struct cluster *c);
/* Nodes have new indexes: forgets noted nodes. */
void follows_renumber(struct cluster *c);
