/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/limit_check.h - may this job be queued, and may it start: limits of QOS and
 * associations
 *
 * A limit is taken from the first that sets it: the partition's QOS, the job's QOS (OverPartQOS:
 * the other way round), its association, those above.  A group limit applies at each association.
 * A value that an operator has set (time, CPUs, memory: enum ordered) is not bound by limits on it,
 * nor by MaxTime of the partition, except for GrpTRESMins.  Without AccountingStorageEnforce=limits
 * nothing is checked.  Each check costs the depth of the tree, not the number of jobs. */
#pragma once

#include "controller/model/cluster.h"

struct tres_holding;

void limits_clear(struct limits *l); /* none is set */
/* The time limit of a job without --time: otherwise, or a shorter one of QOS or association. */
usec_t limits_time(const struct cluster *c, const struct job *j, usec_t otherwise);
/* The same with otherwise of its partition: DefaultTime, else MaxTime. */
usec_t limits_default_time(const struct cluster *c, const struct job *j);
/* The limit that forbids to queue tasks (1 without an array) of j beside all others or, for a QOS
   with DenyOnLimit, that j could not keep even if it were alone; REASON_NONE: none.  Counts that
   include j already are not checked again. */
enum job_reason limits_deny(const struct cluster *c, const struct job *j, size_t tasks);
/* The limit of resources, of a QOS with DenyOnLimit, that the at-th of n jobs, which have been
   noted, could not keep if they alone ran at once. */
enum job_reason limits_deny_together(const struct cluster *c, struct job *const *jobs, size_t n,
                size_t at);
/* What the limits of j's QOS and associations would count, were the jobs at these places of
   c->active gone.  The caller frees; it holds until a job starts or ends. */
struct limits_without *limits_without_new(const struct cluster *c, const struct job *j,
                const struct bitset *gone);
/* ... of each of these jobs. */
struct limits_without *limits_without_of(const struct cluster *c, const struct job *const *of,
                size_t n, const struct bitset *gone);
struct limits_without *limits_without_copy(const struct limits_without *of);
/* ... and k, which waits, run with that, or (NULL) with what it asks for.  gone, above, may be
 * NULL: none is. */
void limits_without_add(struct limits_without *w, const struct cluster *c, const struct job *k,
                const struct tres_holding *with);
struct limits_without *limits_without_free(struct limits_without *w); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct limits_without *, limits_without_free)
/* Which limit it must wait for, REASON_NONE: none.  with: on these nodes; NULL: by what it asks
   for.  without: as if these jobs were gone; NULL: none is.  If time alone will make room
   *ret_again (which may be NULL) becomes that time, if it is earlier. */
enum job_reason limits_wait_reason(const struct cluster *c, const struct job *j,
                const struct tres_holding *with, const struct limits_without *without, usec_t now,
                usec_t *ret_again);
/* What limits leave for j: the most in all and on one node (TRES_NONE: no limit), and the least in
   all, of each resource including costs (TRES_BILLING).  False: j may not start, whatever it would
   get. */
struct limits_room {
        struct tres_set most, most_on_node, least;
};
bool limits_room(const struct cluster *c, const struct job *j, const struct limits_without *without,
                usec_t now, struct limits_room *ret);
/* Whether the age of pending j may count (accrue) beside the jobs that accrue already. */
bool limits_may_accrue(const struct cluster *c, const struct job *j);
/* The exhausted limit of minutes of running j (GrpTRESMins, GrpWall); REASON_NONE: none. */
enum job_reason limits_used_up(const struct cluster *c, const struct job *j);
/* limit_minutes.c: ends jobs with an exhausted limit of minutes (not with "safe"), and arms the
   next check. */
void limits_review(struct cluster *c, usec_t now);
/* In whole minutes times each resource: usage, and what running jobs have left of their time
   limits. */
void limits_minutes(const struct tally *of, const struct usage *usage, usec_t now,
                struct tres_set *ret_used, struct tres_set *ret_left);
/* Whether a QOS or association limits usage. */
bool acct_counts_minutes(struct acct *a);
/* The priority below which j has no place in the plan (MinPrioThreshold); UINT32_MAX: never
   (NoReserve). */
uint32_t limits_plan_priority(const struct cluster *c, const struct job *j);
/* limit_plans.c: j has a place in the plan, in the partition that it has now; of a heterogeneous
   job all components have. */
void limits_note_plan(const struct cluster *c, const struct job *j);
/* A job with charge g has just started: whether planned jobs may exceed a limit now. */
bool limits_leave_less(const struct cluster *c, const struct job_charge *g);
/* Whether its QOS or its partition's has the flag. */
bool limits_flag(const struct job *j, enum qos_flag flag);
