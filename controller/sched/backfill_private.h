/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/backfill_private.h - parts of backfill: backfill_start.c starts jobs,
   backfill_het.c heterogeneous jobs, warm.c resumes nodes in time */
#pragma once

#include "controller/sched/backfill.h"
#include "controller/sched/plan/plan.h"
#include "controller/sched/sched_private.h"

/* Cost of a node examined by place_offer.c: a turn of BUDGET has LOOKS_MAX of such nodes. */
#define LOOK_COST (BUDGET / LOOKS_MAX)

/* ---- backfill_start.c ---- */
/* Starts all components at once. 1: started; 0: not; -EDQUOT: a limit forbids every place possible
   now. */
int start_together(struct attempt *of, size_t n);
/* Starts the job now, on whole or shared nodes; true: started. a->forbidden: a limit forbids every
   place possible now. */
bool start_now(struct attempt *a);
/* start_now(), with whole also on free whole nodes. */
bool start_anywhere(struct attempt *a, bool whole);
/* start_now() with a time limit between --time-min and the requested limit: as long as the nodes
   are free. */
bool start_shorter(struct attempt *a);
/* Removes from usable the nodes that plans keep from j, if j ran from now to until. all: the plans
   of all jobs; else only of jobs ahead of j. numbers: plans that leave part of a node do not count;
   plan_rests_of() tells the remaining amounts. */
void plans_take(struct cluster *c, struct backfill *b, const struct job *j, usec_t now,
                usec_t until, bool all, bool numbers, struct bitset *usable);

/* ---- backfill.c ---- */
bool plan_works(const struct backfill *b); /* the turn's budget is not used up */
/* made if missing, or if due to be rebuilt */
struct backfill *plan_keeper(struct cluster *c, usec_t now);
bool plan_may_reserve(const struct cluster *c, const struct backfill *b, const struct job *j,
                usec_t now);
/* Counts j for the bf_max_job_* limits of SchedulerParameters; true: a limit is reached, and j is
   not tried. */
bool plan_tests_enough(struct cluster *c, struct backfill *b, const struct job *j);
/* Lifts the plans of jobs behind the job of a, if the plans begin before until; jobs with lifted
   plans get new plans in their own turn, after the job. false: no plan was lifted. */
bool plan_lift_behind(const struct attempt *a, usec_t until);
/* Makes and lays a plan for the place found; NULL: the place is not available. */
struct job_plan *plan_reserve(struct attempt *a);

/* ---- backfill_het.c ---- */
/* Handles the turn of a heterogeneous job with leader j. true: the job has started, or (b->het.job
   set) the next turn of the controller continues with the job first. */
bool plan_het(struct cluster *c, struct backfill *b, const struct job *j, usec_t now);

/* ---- warm.c ---- */
/* Determines c->warm: nodes that must be up or resuming for planned jobs (slumber.yaml, warm_up),
   and nodes kept up because a job is planned there (SuspendExcStates=PLANNED). whole: every job
   that may have a plan has a plan; otherwise no node is released. */
void warm_keep(struct cluster *c, struct backfill *b, bool whole, usec_t now);
/* Stops keeping nodes for plans after a change of configuration: idle times count as if no node had
   been kept. */
void warm_end(struct cluster *c);
