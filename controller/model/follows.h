/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/follows.h - the table of consequences: facts, and the work that follows
 *
 * Code that changes the cluster notes a fact; only the table in follows.c determines the
 * consequences.  turn() and the scheduler ask whether work is due and take the work in their own
 * order.  A new fact needs a line here, a row in follows.c and a row in tests/unit/test_follows.c;
 * the code does not compile if a line is missing. */
#pragma once

#include "lib/base.h"

struct bitset;
struct cluster;
struct job;
struct job_plan;
struct node;

enum fact {
        /* jobs */
        FACT_QUEUE_CHANGED,    /* a job entered or left the queue, or moved in the queue */
        FACT_REQUEST_CHANGED,  /* the request or time limit of a job changed */
        FACT_PRIORITY_CHANGED, /* the priority of a job changed */
        /* A job was updated or released by scontrol: its reason may differ. */
        FACT_JOB_UPDATED,
        /* A job got nodes or was launched beside jobs suspended by the gang. */
        FACT_JOB_STARTED,
        FACT_JOB_STOPPED,   /* a job is suspended: jobs on the same units may resume */
        FACT_JOB_SUSPENDED, /* a job is suspended or resumed by hand */
        FACT_BOOT_LATE,     /* the preemptor's boot is late: the suspended victim may resume */
        FACT_JOB_STOPPABLE, /* a job that could not be frozen may be chosen again */
        /* A job becomes eligible for preemption, or may lend memory to a preemptor. */
        FACT_JOB_PREEMPTABLE,
        FACT_PREEMPTION_BEGUN, /* the victims of a job are ending */
        /* nodes: a preemptor's claim ended, or the nodes are free for the preemptor */
        FACT_CLAIM_ENDED,
        FACT_ARRAY_SLOT_FREED, /* an array task left its nodes, in an array with a limit (%) */
        /* nodes */
        FACT_NODE_CHANGED, /* node: any change */
        FACT_NODE_RECORD,  /* node: values that are only stored or displayed */
        FACT_NODE_SHARED,  /* node: the jobs sharing the energy changed */
        FACT_NODE_USE,     /* nodes: jobs may hold the nodes for a different time */
        /* nodes: an event that a launch on the nodes may wait for */
        FACT_LAUNCH_POSSIBLE,
        FACT_NODE_USABLE,  /* a node may serve jobs that were refused before */
        FACT_NODE_SERVICE, /* a node went into or out of service */
        FACT_NODE_FREED,   /* node: a job left */
        FACT_PORTS_FREED,  /* a step with reserved ports (--resv-ports) left a node */
        /* The resources of nodes or partitions changed; not their free resources. */
        FACT_INVENTORY_CHANGED,
        FACT_WEIGHT_CHANGED, /* the weight of a node changed */
        /* SuspendExcStates: nodes may gain or lose the display state planned */
        FACT_EXCLUSIONS_CHANGED,
        /* Waking was stopped or allowed again, or the cause of the stop changed. */
        FACT_BRAKE_CHANGED,
        /* memory of frozen jobs */
        FACT_MEMORY_OFFERED,  /* a frozen job may be asked to lend memory */
        FACT_MEMORY_KEPT,     /* a job is no longer asked to lend memory */
        FACT_MEMORY_RETURNED, /* a job got some lent memory back */
        /* limits */
        FACT_LIMITS_CHANGED,    /* accounts, QOS or associations were changed by sacctmgr */
        FACT_JOBS_REBOUND,      /* jobs were assigned again to associations and QOS */
        FACT_LIMIT_ROOM,        /* a limit may have room */
        FACT_LIMIT_USE_FELL,    /* the charge of a job ended */
        FACT_LIMIT_USE_ROSE,    /* a job started: limits leave less for plans */
        FACT_ACCRUAL_ROOM,      /* the age of a job no longer counts */
        FACT_LIMIT_USE_CHANGED, /* the charge of a running job changed */
        FACT_LICENSES_CHANGED,  /* licenses were taken, or counted again */
        FACT_LICENSES_RETURNED,
        /* other */
        /* a reservation begins, ends, is created or deleted, or gets different nodes */
        FACT_RESERVATION_CHANGED,
        /* A job of a reservation left the queue, left its nodes, or got different nodes. */
        FACT_RESERVATION_USE,
        FACT_RESERVATION_RECORD, /* the record of a reservation changed */
        FACT_PREEMPTION_CHANGED, /* preemption mode, tier or QOS changed */
        FACT_CONFIGURATION_CHANGED,
        FACT_NODES_RENUMBERED, /* dynamic nodes were added or removed */
        FACT_STATE_RESTORED,
        FACT_CLOCK_SET,
        FACT_JOB_BEGINS, /* the begin time of a job has come */
        FACT_PASS_DUE,   /* a time requested by the scheduler has come */
        FACT_PASS_CUT,   /* a pass was abandoned before every job had a reason */
        FACT_PLAN_MOVED, /* a plan moved, is due or void, or a claim is stale */
        FACT_SLICE_OVER, /* a time slice of the gang ended */
        FACT_NODE_LOST,  /* a job runs on without a lost node (--no-kill) */
        /* a cloud node without power returned to its configured place (moved_to) */
        FACT_PLACE_LEFT,
        FACT_HET_LEFT, /* a component of a heterogeneous job ended or was requeued */
        FACT_COUNT
};

enum follow {
        FOLLOW_PASS = 1 << 0, /* sched_pass(): a job may start */
        /* The pass examines every job, as reasons may have changed. */
        FOLLOW_REASONS = 1 << 1,
        /* gang_settle(): a suspended job may resume, or a running one must stop. */
        FOLLOW_GANG = 1 << 2,
        FOLLOW_GANG_ANEW = 1 << 3, /* running jobs may no longer fit together */
        /* The plan considers refused jobs again, although no resource was freed. */
        FOLLOW_PLAN_RETRY = 1 << 4,
        FOLLOW_PLAN_LICENSES = 1 << 5, /* the plan considers jobs waiting for licenses again */
        FOLLOW_PLAN_ANEW = 1 << 6,     /* the plan is discarded and made again */
        FOLLOW_RESERVATIONS = 1 << 7,  /* resv_review() */
        FOLLOW_ACCRUAL = 1 << 8,       /* accrue_review(): a limit may let the age of a job count */
        FOLLOW_ACCRUAL_ANEW = 1 << 9,  /* accrue_review() because of any condition but limits */
        FOLLOW_LIMIT_PLANS = 1 << 10,  /* sched_drops_plans(): plans may exceed a limit */
        FOLLOW_STORE_RESERVATIONS = 1 << 11,
        FOLLOW_STEP_PORTS = 1 << 12, /* runs_retry_ports(): steps waiting for ports may start */
        /* het_settle(): the remaining components follow the changed component */
        FOLLOW_HET = 1 << 13,
        FOLLOW_LOST_NODES = 1 << 14, /* jobs_drop_lost(): jobs with lost nodes shrink */
        FOLLOW_PLACES = 1 << 15,     /* partitions_move_nodes(): places in topologies */
        /* Work on the nodes noted with the fact: */
        FOLLOW_PLAN_NODES = 1 << 16, /* the plan checks again how long the nodes are busy */
        FOLLOW_LAUNCH = 1 << 17,     /* jobs_try_launch() */
        FOLLOW_STORE_NODE = 1 << 18, /* the nodes' records are stored */
        /* The records are stored a little later, together: a large job does not wait for the
           store. */
        FOLLOW_STORE_LATER = 1 << 19,
        /* Done at once when consequences are computed: */
        FOLLOW_ADMIT_ANEW = 1 << 20, /* pending jobs are checked again for being possible at all */
};

/* Notes a fact by setting a bit: cheap enough for any loop. */
void note(struct cluster *c, enum fact fact);
/* Note a fact about a node or a set of nodes; the comment of the fact says "node" or "nodes". */
void note_node(struct cluster *c, enum fact fact, const struct node *n);
void note_nodes(struct cluster *c, enum fact fact, const struct bitset *nodes);
/* True if any bit of what (enum follow) is due. */
bool follows(const struct cluster *c, uint32_t what);
/* Like follows(); also clears the bits, as the caller now does the work. */
bool follows_take(struct cluster *c, uint32_t what);
/* Until follows_heed(), facts do not make the bits of what due: the caller does the work itself. */
void follows_ignore(struct cluster *c, uint32_t what);
void follows_heed(struct cluster *c);
/* Nodes of FOLLOW_PLAN_NODES, FOLLOW_LAUNCH, FOLLOW_STORE_NODE or FOLLOW_STORE_LATER; nodes may be
   added until follows_nodes_done(). */
const struct bitset *follows_nodes(const struct cluster *c, enum follow what);
void follows_nodes_done(struct cluster *c, enum follow what);

/* Removes j from the plan; the plans of all remaining jobs stay. */
void plan_void(struct cluster *c, struct job *j);
bool follows_has_voids(const struct cluster *c);
/* Returns the number of void plans in *ret, which is valid until the next plan_void(); the caller
   frees each plan. */
size_t follows_take_voids(struct cluster *c, struct job_plan *const **ret);
/* Frees all plans at once and forgets the nodes to be checked by the plan.  Required before data is
   freed to which plans point; elsewhere use FOLLOW_PLAN_ANEW. */
void plans_forget(struct cluster *c);

/* Allocates c->follows, before any fact is noted; frees c->follows and all plans. */
void follows_begin(struct cluster *c);
void follows_done(struct cluster *c);
/* Forgets noted nodes, as nodes have new indexes. */
void follows_renumber(struct cluster *c);
