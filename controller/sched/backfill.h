/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/backfill.h - the plan: where and when each pending job is expected to start; and
 * jobs that may start before
 *
 * The plan of a job is job->waiting.plan.  It is kept in cluster.backfill, made when it is first
 * needed and freed with the cluster. */
#pragma once

#include "controller/model/cluster.h"

struct placement;

/* Takes up what has changed, then goes on with the plan; jobs start at their planned time.  It does
   a bounded piece of work; if more is left a deadline (DEADLINE_TURN) asks for the next piece.
   Nothing with SchedulerType=sched/builtin. */
void backfill_run(struct cluster *c, usec_t now);
/* Takes the nodes out of usable that the plan keeps for others while j would run, if it started
   now: for all others if it wants whole nodes, else, or where it stops others (force), for those
   before it in the queue. */
void backfill_keep(struct cluster *c, const struct job *j, bool force, usec_t now,
                struct bitset *usable);
/* A plan has been lifted of a job before j: j does not start before that one has another. */
bool backfill_awaits(struct cluster *c, const struct job *j);
/* j is about to start on these nodes: some plan may have to be lifted. */
bool backfill_may_lift(const struct cluster *c, const struct job *j, const struct bitset *nodes,
                usec_t now);
/* ... and it has: that is taken up at once. */
void backfill_lift(struct cluster *c, usec_t now);
/* The same of those before it for j that goes by numbers (place_goes_by_numbers()): what it could
   have of the nodes that are left.  Without .of: all, or j does not. */
struct rests backfill_leaves(struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable);
/* Could j, which is not in the queue, have its licenses from now on: they are free, and no plan
   needs them while it runs. */
bool backfill_has_licenses(struct cluster *c, const struct job *j, usec_t now);
/* When and where j, which is not in the queue, would start at its place in the queue, behind the
   plans of the jobs before it.  -ENOENT: never. */
int backfill_fit(struct cluster *c, const struct job *j, usec_t now, usec_t *ret_start,
                struct placement *ret);
/* The same of all components of a heterogeneous job, where j is a value of its leader in its turn:
   on which nodes, and how many CPUs, of all of them.  -EDQUOT: limits forbid it, whatever ends. */
int backfill_fit_together(struct cluster *c, const struct job *j, usec_t now, usec_t *ret_start,
                struct bitset *ret_nodes, uint32_t *ret_cpus);
/* Bytes that it holds, without the plans themselves; for the bench. */
size_t backfill_bytes(const struct cluster *c);
