/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/limit_check.h - may this job be there, and may it start: limits of QOS and associations
 *
 * Of each limit one point counts, the first that has it: the partition's QOS, the job's (OverPartQOS: the other way round), its
 * association, those above.  A limit of a group counts at each association.  What an operator has set of a job (its time, its CPUs,
 * its memory: enum ordered) no limit of that binds, nor MaxTime of its partition, but for GrpTRESMins.  Nothing is looked at without
 * AccountingStorageEnforce=limits.  Each answer costs the depth of the tree, however many jobs there are. */
#pragma once

#include "controller/model/cluster.h"

struct tres_holding;

/* --time was not given: the limit that it gets anyway, or a shorter one of QOS or association. */
usec_t limits_time(const struct cluster *c, const struct job *j, usec_t otherwise);
/* ... of its partition, then: DefaultTime, else MaxTime. */
usec_t limits_default_time(const struct cluster *c, const struct job *j);
/* The limit that forbids that so many tasks (1 without an array) of it are queued beside all others, or, of a QOS with DenyOnLimit,
   that it could not keep even if it were alone; REASON_NONE: none.  Where it is counted already it stays. */
enum job_reason limits_deny(const struct cluster *c, const struct job *j, size_t tasks);
/* What the limits of j's QOS and associations would count, were the jobs at these places of
   c->active gone.  The caller frees; it holds until a job starts or ends. */
struct limits_without *limits_without_new(const struct cluster *c, const struct job *j, const struct bitset *gone);
struct limits_without *limits_without_free(struct limits_without *w); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct limits_without *, limits_without_free)
/* Which limit it must wait for, REASON_NONE: none.  with: on these nodes; NULL: by what it asks
   for.  without: as if these jobs were gone; NULL: none is.  If time alone will make room
   *ret_again (which may be NULL) becomes that time, if it is earlier. */
enum job_reason limits_wait_reason(const struct cluster *c, const struct job *j, const struct tres_holding *with,
                const struct limits_without *without, usec_t now, usec_t *ret_again);
/* What limits leave it: so much in all, and on one node, at most (TRES_NONE: any), and so much in all at least; of costs (TRES_BILLING) as of
   the others.  False: it may not start whatever it would get. */
struct limits_room {
        struct tres_set most, most_on_node, least;
};
bool limits_room(const struct cluster *c, const struct job *j, const struct limits_without *without, usec_t now,
                struct limits_room *ret);
/* May it, which waits, grow older; beside those that do already. */
bool limits_may_accrue(const struct cluster *c, const struct job *j);
/* Of what it runs under, the minutes that have been used up (GrpTRESMins, GrpWall); REASON_NONE: none. */
enum job_reason limits_used_up(const struct cluster *c, const struct job *j);
/* limit_minutes.c: a job that runs on minutes that are used up is ended (not with "safe"), and the next time to look is armed. */
void limits_review(struct cluster *c, usec_t now);
/* In whole minutes, times so many of each resource: what has been used, and what running jobs have left of their time limits. */
void limits_minutes(const struct tally *of, const struct usage *usage, usec_t now, struct tres_set *ret_used, struct tres_set *ret_left);
/* Does some QOS or association limit what may be used. */
bool acct_counts_minutes(struct acct *a);
/* The priority below which it has no place in the plan (MinPrioThreshold); UINT32_MAX: it never has one (NoReserve). */
uint32_t limits_plan_priority(const struct cluster *c, const struct job *j);
/* limit_plans.c: j has a place in the plan, in the partition that it has now. */
void limits_note_plan(const struct cluster *c, const struct job *j);
/* A job that is charged so has just started: planned jobs may be beyond a limit now. */
bool limits_leave_less(const struct cluster *c, const struct job_charge *g);
/* A flag of its QOS, or of its partition's. */
bool limits_flag(const struct job *j, enum qos_flag flag);
