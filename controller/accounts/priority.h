/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/priority.h - priorities of pending jobs, and the time of their computation
 *
 * priority/basic counts down: first come, first served. priority/multifactor adds weighted factors,
 * each from 0 to 1 (or not normalized with PriorityFlags=NO_NORMAL_...), and subtracts --nice. */
#pragma once

#include "controller/model/cluster.h"

/* The factors of a job now; 0 for unknown values. */
void priority_factors(const struct cluster *c, const struct job *j, usec_t now,
                double ret[PRIORITY_FACTOR_MAX]);
/* The priority for j, which requests none: 1 to UINT32_MAX - 1. */
uint32_t priority_take(struct cluster *c, const struct job *j, usec_t now);
/* The priority that j, not queued yet, would be submitted with: requested, or as from
   priority_take() but without taking. 0: j would be held. */
uint32_t priority_expected(struct cluster *c, const struct job *j, usec_t now);
/* The priority of j, pending in several partitions, in a different partition; 0: as in
   j->partition. */
uint32_t priority_elsewhere(const struct cluster *c, const struct job *j, struct partition *there);
/* Updates the priority after a change of --nice (the new value is in j->asked.nice); the position
   in the queue stays. */
void priority_reniced(struct cluster *c, struct job *j, int32_t before, usec_t now);
/* The sum of the weighted factors, also if the job requested a priority. */
uint32_t priority_multifactor(const struct cluster *c, const struct job *j, usec_t now);
/* The priority of j after the next review. */
uint32_t priority_now(const struct cluster *c, const struct job *j, usec_t now);
/* accrue.c: j has entered the queue; sets accrue_time if the age may count from now on. */
void accrue_enter(struct cluster *c, struct job *j, usec_t now);
/* Lets the age of jobs count whose time has come, or for which a limit (GrpJobsAccrue...) has room.
   Called each turn. */
void accrue_review(struct cluster *c, usec_t now);
/* Arms the next review; called also at the start and after a reconfiguration. */
void priority_rearm(struct cluster *c, usec_t at);
/* Computes the total CPUs and memory for the job size factor, after changes of nodes and
   partitions. */
void priority_count_totals(struct cluster *c);
