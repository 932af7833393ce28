/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/limit_check.h - limits of QOS and associations on queueing and starting a job
 *
 * A limit is taken from the first object setting it: the partition's QOS, the job's QOS (with
 * OverPartQOS the job's QOS first), the job's association, its parents.  A group limit applies at
 * each association.  A value set by an operator (time, CPUs, memory: enum ordered) is exempt from
 * limits on that value, except GrpTRESMins, and from MaxTime of the partition.  Without
 * AccountingStorageEnforce=limits no limit is checked.  The cost of a check depends on the depth of
 * the tree, not on the number of jobs. */
#pragma once

#include "controller/model/cluster.h"

struct tres_holding;

void limits_clear(struct limits *l); /* unsets all limits */
/* Returns the time limit of a job without --time: the partition's DefaultTime, or else MaxTime, or
   a lower MaxWall of QOS or association. */
usec_t limits_default_time(const struct cluster *c, const struct job *j);
/* The limit that forbids queueing tasks (1 without an array) of j besides all other jobs or, for a
   QOS with DenyOnLimit, that j exceeds even alone; REASON_NONE: none.  Counts including j already
   are not checked again. */
enum job_reason limits_deny(const struct cluster *c, const struct job *j, size_t tasks);
/* The resource limit of a QOS with DenyOnLimit exceeded by the at-th of n jobs, already charged, if
   only these jobs ran at once. */
enum job_reason limits_deny_together(const struct cluster *c, struct job *const *jobs, size_t n,
                size_t at);
/* Tallies for the limits of j, as if the jobs at these indexes of c->active were gone.  Valid until
   a job starts or ends; the caller frees. */
struct limits_without *limits_without_new(const struct cluster *c, const struct job *j,
                const struct bitset *gone);
/* Like limits_without_new(), for several jobs. */
struct limits_without *limits_without_of(const struct cluster *c, const struct job *const *of,
                size_t n, const struct bitset *gone);
struct limits_without *limits_without_copy(const struct limits_without *of);
/* Counts pending job k as running, with the given holding or, if NULL, with its request.  gone of
 * limits_without_new() may be NULL: no job is gone. */
void limits_without_add(struct limits_without *w, const struct cluster *c, const struct job *k,
                const struct tres_holding *with);
/* accepts NULL, returns NULL */
struct limits_without *limits_without_free(struct limits_without *w);
DEFINE_CLEANUP(struct limits_without *, limits_without_free)
/* The limit that j must wait for; REASON_NONE: none.  with: the allocation considered, NULL: the
 * request.  without: some jobs counted as gone, NULL: none.  If time alone will make room,
 * *ret_again (may be NULL) is lowered to that time. */
enum job_reason limits_wait_reason(const struct cluster *c, const struct job *j,
                const struct tres_holding *with, const struct limits_without *without, usec_t now,
                usec_t *ret_again);
/* Room that limits leave for j, for each resource including costs (TRES_BILLING): the maximum in
   total and on a node (TRES_NONE: no limit), and the minimum in total.  Returns false if j may not
   start with any allocation. */
struct limits_room {
        struct tres_set most, most_on_node, least;
};
bool limits_room(const struct cluster *c, const struct job *j, const struct limits_without *without,
                usec_t now, struct limits_room *ret);
/* True if the age of pending j may count (accrue) besides the jobs already accruing. */
bool limits_may_accrue(const struct cluster *c, const struct job *j);
/* The exhausted limit of minutes of running j (GrpTRESMins, GrpWall); REASON_NONE: none. */
enum job_reason limits_used_up(const struct cluster *c, const struct job *j);
/* limit_minutes.c: ends jobs with an exhausted limit of minutes (not with "safe"), and arms the
   next check. */
void limits_review(struct cluster *c, usec_t now);
/* Whole minutes times each resource: usage, and remaining time of running jobs. */
void limits_minutes(const struct tally *of, const struct usage *usage, usec_t now,
                struct tres_set *ret_used, struct tres_set *ret_left);
/* True if some QOS or association limits usage. */
bool acct_counts_minutes(struct acct *a);
/* The priority below which j gets no place in the plan (MinPrioThreshold); UINT32_MAX: never
   (NoReserve). */
uint32_t limits_plan_priority(const struct cluster *c, const struct job *j);
/* limit_plans.c: notes that j got a place in the plan, in its present partition; for a
   heterogeneous job, that all components did. */
void limits_note_plan(const struct cluster *c, const struct job *j);
/* True if planned jobs may exceed a limit now that a job with charge g has started. */
bool limits_leave_less(const struct cluster *c, const struct job_charge *g);
/* True if the job's QOS or the partition's QOS has the flag. */
bool limits_flag(const struct job *j, enum qos_flag flag);
