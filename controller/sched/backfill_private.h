/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/backfill_private.h - the parts of backfill: backfill_start.c starts jobs,
   backfill_het.c those of several components, warm.c wakes nodes in time */
#pragma once

#include "controller/sched/backfill.h"
#include "controller/sched/plan/plan.h"
#include "controller/sched/sched_private.h"

/* What looking at a node costs, as place_offer.c counts that: so a turn has LOOKS_MAX of them. */
#define LOOK_COST (BUDGET / LOOKS_MAX)

/* ---- backfill_start.c ---- */
/* Components at once: 1: they have started; 0; -EDQUOT: a limit forbids what they could have
   now. */
int start_together(struct attempt *of, size_t n);
/* It has started, on nodes that it has for itself or shares; a->forbidden: a limit forbids what it
   could have now. */
bool start_now(struct attempt *a);
/* The same; whole: also on whole nodes that are free. */
bool start_anywhere(struct attempt *a, bool whole);
/* The same with a limit of its --time-min, or as much more as its nodes are free for. */
bool start_shorter(struct attempt *a);
/* Takes out of usable what plans keep from j, were it to run from now until then: all of them, or
   only those of jobs before it.  numbers: not those that leave something of their nodes, which
   plan_rests_of() tells. */
void plans_take(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                usec_t until, bool all, bool numbers, struct bitset *usable);

/* ---- backfill.c ---- */
bool plan_works(const struct backfill *b);                   /* this turn may do more */
struct backfill *plan_keeper(struct cluster *c, usec_t now); /* made where there is none */
bool plan_may_reserve(const struct cluster *c, const struct backfill *b, const struct job *j,
                usec_t now);
/* The bf_max_job_... of SchedulerParameters: how many are looked at. */
bool plan_tests_enough(struct cluster *c, struct backfill *b, const struct job *j);
/* Plans of those behind it that begin before until are lifted: they wait for their jobs' turn,
   which comes after its own.  false: there are none. */
bool plan_lift_behind(const struct attempt *a, usec_t until);
/* Rounded up, where what it has of its nodes (b->wanted, where; NULL: all of that) is free for so
   long. */
usec_t plan_end(struct attempt *a, const struct placement *where);
/* Of a place that was found: laid.  NULL: it could not be had. */
struct job_plan *plan_reserve(struct attempt *a);

/* ---- backfill_het.c ---- */
/* The turn of a heterogeneous job, whose leader j is; true: it has started, or (b->het.job) there
   is more to be done for it, first thing in the next turn of the controller. */
bool plan_het(struct cluster *c, struct backfill *b, const struct job *j, usec_t now);

/* ---- warm.c ---- */
/* Which nodes must be up, or on their way, for what is planned (slumber.yaml, warm_up), and those
   that are up and stay so because a job is planned there (SuspendExcStates=PLANNED).  whole: every
   job that may have a plan has it; else the plan is being made, and no node is released. */
void warm_keep(struct cluster *c, struct backfill *b, bool whole, usec_t now);
/* Nodes are not kept for plans any more, as is configured now: they have been idle all the time. */
void warm_end(struct cluster *c);
