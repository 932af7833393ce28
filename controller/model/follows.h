/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/follows.h - the book of consequences: what has happened, and what follows
 *
 * Code that changes the cluster notes a fact; the table in follows.c, and nothing else, says what follows from it.  turn() and the
 * scheduler ask whether something is due and take it when they do it, in their own order.  A new fact is a line here, a row there
 * and a row in tests/unit/test_follows.c; without one of them it does not compile. */
#pragma once

#include "lib/base.h"

struct bitset;
struct cluster;
struct job;
struct job_plan;
struct node;

enum fact {
        /* jobs */
        FACT_QUEUE_CHANGED,      /* a job has come into the queue, has left it, or stands elsewhere */
        FACT_REQUEST_CHANGED,    /* a job asks for something else, or has another time limit */
        FACT_PRIORITY_CHANGED,   /* ... has another priority */
        FACT_JOB_UPDATED,        /* ... has been changed by scontrol, or released: what it waits for may differ */
        FACT_JOB_STARTED,        /* ... has its nodes or is launched, beside jobs that the gang has stopped */
        FACT_JOB_STOPPED,        /* ... is stopped: what it ran beside may go on */
        FACT_JOB_SUSPENDED,      /* ... is suspended or resumed by hand */
        FACT_JOB_STOPPABLE,      /* ... that could not be stopped may be stopped again */
        FACT_JOB_PREEMPTABLE,    /* ... may be preempted from now on, or what it holds may be lent to a preemptor */
        FACT_PREEMPTION_BEGUN,   /* victims of a job are on their way out */
        FACT_CLAIM_ENDED,        /* nodes: kept for a preemptor, are not kept any more, or are free for it */
        FACT_ARRAY_SLOT_FREED,   /* a task of an array with a limit (%) has left its nodes */
        /* nodes */
        FACT_NODE_CHANGED,       /* node: whatever of it */
        FACT_NODE_RECORD,        /* node: what is only stored or shown of it */
        FACT_NODE_SHARED,        /* node: other jobs share what it draws */
        FACT_NODE_USE,           /* nodes: their jobs may hold them for longer, or not so long */
        FACT_LAUNCH_POSSIBLE,    /* nodes: what a job there may have waited for has happened */
        FACT_NODE_USABLE,        /* a node may serve jobs that it could not serve before */
        FACT_NODE_SERVICE,       /* a node is in service, or out of it */
        FACT_NODE_FREED,         /* node: a job has left it */
        FACT_INVENTORY_CHANGED,  /* what nodes or partitions have, not what is free of it, is not what it was */
        FACT_WEIGHT_CHANGED,     /* of a node */
        FACT_EXCLUSIONS_CHANGED, /* SuspendExcStates: nodes may be shown as planned or not */
        FACT_BRAKE_CHANGED,      /* waking of nodes is stopped, allowed again, or stopped for another cause */
        /* memory of frozen jobs */
        FACT_MEMORY_OFFERED,     /* a frozen job may be asked for its memory */
        FACT_MEMORY_KEPT,        /* a job is not asked for its memory any more */
        FACT_MEMORY_RETURNED,    /* a job has some of its memory back */
        /* limits */
        FACT_LIMITS_CHANGED,     /* accounts, QOS or associations have been changed (sacctmgr) */
        FACT_JOBS_REBOUND,       /* jobs have been bound to their associations and QOS anew */
        FACT_LIMIT_ROOM,         /* a limit may have room, or time allows what it did not */
        FACT_LIMIT_USE_FELL,     /* a job that ran is charged no longer */
        FACT_LIMIT_USE_ROSE,     /* a job has started, and has left less for plans within a limit */
        FACT_ACCRUAL_ROOM,       /* a job that grew older does so no longer */
        FACT_LIMIT_USE_CHANGED,  /* a running job is charged with something else */
        FACT_LICENSES_CHANGED,   /* licenses have been taken, or counted anew */
        FACT_LICENSES_RETURNED,
        /* the rest */
        FACT_RESERVATION_CHANGED, /* one begins, ends, comes, goes, or has other nodes */
        FACT_RESERVATION_USE,    /* a job of one has left the queue or its nodes, or it has other nodes */
        FACT_RESERVATION_RECORD, /* what is stored of one */
        FACT_PREEMPTION_CHANGED, /* another preemption mode, tier or QOS: other jobs may stop others */
        FACT_CONFIGURATION_CHANGED,
        FACT_NODES_RENUMBERED,   /* dynamic nodes have come or gone */
        FACT_STATE_RESTORED,
        FACT_CLOCK_SET,
        FACT_JOB_BEGINS,         /* the begin time of a job has come */
        FACT_PASS_DUE,           /* a point in time that the scheduler has asked for */
        FACT_PASS_CUT,           /* a pass has been given up before every job was told why it waits */
        FACT_PLAN_MOVED,         /* a plan of the queue has moved, is due or void, or nodes are kept in vain */
        FACT_SLICE_OVER,         /* a time slice of the gang */
        FACT_COUNT
};

enum follow {
        FOLLOW_PASS = 1 << 0,         /* sched_pass(): a job may start */
        FOLLOW_REASONS = 1 << 1,      /* ... and the pass comes to every job: why it waits may have changed */
        FOLLOW_GANG = 1 << 2,         /* gang_settle(): a stopped job may go on, or a running one must stop */
        FOLLOW_GANG_ANEW = 1 << 3,    /* ... jobs that run may not fit together */
        FOLLOW_PLAN_RETRY = 1 << 4,   /* the plan looks again at what was refused, though nothing has become free */
        FOLLOW_PLAN_LICENSES = 1 << 5, /* ... at the licenses that are free */
        FOLLOW_PLAN_ANEW = 1 << 6,    /* ... is made anew: no plan of any job is right */
        FOLLOW_RESERVATIONS = 1 << 7, /* resv_review() */
        FOLLOW_ACCRUAL = 1 << 8,      /* accrue_review(): a limit may let a job grow older */
        FOLLOW_ACCRUAL_ANEW = 1 << 9, /* ... or whatever kept it */
        FOLLOW_LIMIT_PLANS = 1 << 10, /* sched_drops_plans(): plans may be beyond a limit */
        FOLLOW_STORE_RESERVATIONS = 1 << 11,
        /* Of the nodes that the fact is noted for */
        FOLLOW_PLAN_NODES = 1 << 12,   /* the plan looks again at how long they are busy */
        FOLLOW_LAUNCH = 1 << 13,     /* jobs_try_launch() */
        FOLLOW_STORE_NODE = 1 << 14, /* their records are written */
        FOLLOW_STORE_LATER = 1 << 16, /* ... with others, a little later: a large job does not wait for them */
        /* At once when due is worked out */
        FOLLOW_ADMIT_ANEW = 1 << 15, /* pending jobs are tested again for whether they could ever run */
};

/* c->follows; written by follows.c alone. */
struct follows {
        uint64_t noted;   /* a bit for each fact since due was worked out */
        uint32_t due;     /* enum follow: has yet to be done */
        uint32_t heedless; /* enum follow: does not follow from what is noted now */
        struct bitset *nodes[4]; /* FOLLOW_PLAN_NODES, FOLLOW_LAUNCH, FOLLOW_STORE_NODE, FOLLOW_STORE_LATER */
        struct job_plan **voids; /* of jobs that have left the queue, or their place in the plan */
        size_t n_void, a_void;
};

/* A bit: cheap enough for any loop. */
void note(struct cluster *c, enum fact fact);
/* The same of one node or of a set, for facts that say so. */
void note_node(struct cluster *c, enum fact fact, const struct node *n);
void note_nodes(struct cluster *c, enum fact fact, const struct bitset *nodes);
/* Whether any of these is due (a set of enum follow). */
bool follows(const struct cluster *c, uint32_t what);
/* The same; they are due no longer: the caller does them now. */
bool follows_take(struct cluster *c, uint32_t what);
/* Until follows_heed() these do not follow from what is noted: the caller heeds it by itself. */
void follows_ignore(struct cluster *c, uint32_t what);
void follows_heed(struct cluster *c);
/* The nodes of FOLLOW_PLAN_NODES, FOLLOW_LAUNCH, FOLLOW_STORE_NODE or FOLLOW_STORE_LATER; until they are done others may come to them. */
const struct bitset *follows_nodes(const struct cluster *c, enum follow what);
void follows_nodes_done(struct cluster *c, enum follow what);

/* j has no place in the plan any more; no other job's changes by that alone. */
void plan_void(struct cluster *c, struct job *j);
bool follows_has_voids(const struct cluster *c);
/* How many; *ret: they, until the next plan_void(), to be freed by the caller. */
size_t follows_take_voids(struct cluster *c, struct job_plan *const **ret);
/* Frees all plans and forgets which nodes the plan was to look at: at once, where plans point to what is about to go; else
   what FOLLOW_PLAN_ANEW does. */
void plans_forget(struct cluster *c);

/* Nodes have other numbers: no node is noted. */
void follows_renumber(struct cluster *c);
void follows_done(struct cluster *c);
