/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/backfill.h - backfill: the plan of where and when each pending job is expected
 * to start, and the jobs able to start earlier
 *
 * The plan of a job is job->waiting.plan. The state is kept in cluster.backfill, made when first
 * needed and freed with the cluster. */
#pragma once

#include "controller/model/cluster.h"

struct placement;

/* Takes up changes, then continues the plan; jobs start at their planned time. The work of a call
   is bounded; if work is left, a deadline (DEADLINE_TURN) asks for the next call. No-op with
   SchedulerType=sched/builtin. */
void backfill_run(struct cluster *c, usec_t now);
/* Removes from usable the nodes planned for further jobs while j would run if started now. If j
   wants whole nodes and does not preempt (force), the plans of all jobs count; else only the plans
   of jobs ahead of j in the queue. */
void backfill_keep(struct cluster *c, const struct job *j, bool force, usec_t now,
                struct bitset *usable);
/* Returns whether a job ahead of j has lost its plan; j must not start before that job has a new
   plan. */
bool backfill_awaits(struct cluster *c, const struct job *j);
/* Returns whether the start of j on nodes may make plans invalid. */
bool backfill_may_lift(const struct cluster *c, const struct job *j, const struct bitset *nodes,
                usec_t now);
/* Takes up the start announced by backfill_may_lift() at once. */
void backfill_lift(struct cluster *c, usec_t now);
/* backfill_keep() for a job placed by numbers (place_goes_by_numbers()): returns how much of each
   node the plans of jobs ahead of j leave to j. Without .of: all of each node, or j is not placed
   by numbers. */
struct rests backfill_leaves(struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable);
/* Returns whether j, not in the queue, could have its licenses from now on: the licenses are free,
   and no plan needs the licenses while j runs. */
bool backfill_has_licenses(struct cluster *c, const struct job *j, usec_t now);
/* Finds when and where j, not in the queue, would start at its position in the queue, behind the
   plans of the jobs ahead. -ENOENT: never. */
int backfill_fit(struct cluster *c, const struct job *j, usec_t now, usec_t *ret_start,
                struct placement *ret);
/* backfill_fit() for all components of a heterogeneous job; j is a value of the leader in the
   leader's turn. Returns the nodes and the number of CPUs of all components. -EDQUOT: limits forbid
   the job whatever jobs end. */
int backfill_fit_together(struct cluster *c, const struct job *j, usec_t now, usec_t *ret_start,
                struct bitset *ret_nodes, uint32_t *ret_cpus);
/* Size of the backfill state in bytes, without the plans; for the benchmark. */
size_t backfill_bytes(const struct cluster *c);
