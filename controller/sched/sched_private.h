/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/sched_private.h - what the pass over the queue and backfill share */
#pragma once

#include "controller/preempt/preempt.h"
#include "controller/preempt/preempt_known.h"
#include "controller/sched/place/place.h"
#include "controller/sched/plan/usable.h"
#include "controller/sched/sched.h"

/* The job that as is a value of (accounts/bids.h), or the next task of the array that it is the
   rest of, becomes as it is there and gets its nodes (where is emptied), and its victims are
   stopped. false: there is no job id for that task, or it is a component (het.h), which never
   starts alone, and nothing is changed. */
bool sched_start(struct cluster *c, const struct job *as, struct placement *where,
                enum job_starter by, usec_t now);
/* The same of all components of a heterogeneous job, at this instant; the only way for one. */
void sched_start_together(struct cluster *c, struct together *of, size_t n, enum job_starter by,
                usec_t now);

/* ---- het.c: what a heterogeneous job is when its leader has its turn ---- */
/* One way in which its components may be placed: each in one of the partitions, and one of the
   reservations, that it may be in. */
struct het_way {
        struct together *of; /* usable: not set yet */
        size_t *license;     /* the caller's: which of a list with "|" */
        size_t n;
        struct job *rooms; /* what of's values borrow */
};
/* Which of a component's partitions count, where some do, and which of its reservations. */
enum het_when {
        HET_NOW,   /* that do not keep it waiting, nor limits there; active ones (resv_choices()) */
        HET_AHEAD, /* the same; and future ones */
        HET_LATER, /* also where a limit keeps it waiting now */
        HET_EVER,  /* all */
};
/* How many ways there are (bounded), where j is a value of the leader in its turn. */
size_t het_ways(const struct cluster *c, const struct job *j, enum het_when when, usec_t now);
struct het_way het_way(const struct cluster *c, const struct job *j, size_t which,
                enum het_when when, usec_t now);
void het_way_done(struct het_way *w);
/* 1: all nodes, free and well, would not do for all of them on distinct ones; 0; -EAGAIN: not known
   yet, so much has been looked at for it now; the next call goes on. */
int het_could_never_run(struct cluster *c, const struct job *j, usec_t now);
/* Limits keep them waiting there, by what they ask for, each counted with those before it;
   ret_again as limits_wait_reason(). */
enum job_reason het_way_limit(const struct cluster *c, const struct het_way *w, usec_t now,
                usec_t *ret_again);
/* ... in each way: what is said of the first. */
enum job_reason het_limit(const struct cluster *c, const struct job *j, usec_t now,
                usec_t *ret_again);
/* What its partition, or a limit there, or a reservation that is gone, keeps one of them from,
   wherever it waits (the leader: in j's partition): such a job is not planned there.  ret_again as
   limits_wait_reason(). */
bool het_is_hindered(const struct cluster *c, const struct job *j, usec_t now, usec_t *ret_again);
/* Why component of waits is why the others do; those that are held keep what they were told. */
void het_tell(struct cluster *c, const struct job *of);
/* A job for which a partition's nodes were kept waits no more, having started elsewhere, or what
   others have got since the pass looked leaves it no room in a limit: they are for those behind it
   now. */
bool sched_has_stale_claims(const struct cluster *c, usec_t now);
/* The same of j, for which nodes of that partition were kept; NULL: it has ended. */
bool sched_is_stale_claim(const struct cluster *c, const struct job *j,
                const struct partition *part, usec_t now);
/* The same of what was planned, if FOLLOW_LIMIT_PLANS is due: such plans are void, and
   true: there were some. */
bool sched_drops_plans(struct cluster *c, usec_t now);
/* A place for j where others are stopped (preempt/preempt.h), from now (when.from) on: 0: it can
   start there, *ret has victims to be suspended; -EINPROGRESS: not before some have ended, which
   are told so now if they were not before; -EBUSY; -EDQUOT, as place(). */
int sched_force(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, struct preempt_known *known, struct placement *ret);
/* The same of components, each beside those before it, for which claims are its leader's, the first
   of them.  -EBUSY also where max_powered_nodes, or a limit, forbids what each could have. */
int sched_force_together(struct cluster *c, struct together *of, size_t n,
                struct preempt_known *known);
/* ... of which this is the search, by which nothing changes: a place for each, beside those before
   it, in p's n entries (preemption_done() each, in any case).  0, -EINPROGRESS, or what one of them
   says that has none; *ret_ends: some victims are to be told to end. */
int sched_preempt_together(struct cluster *c, struct together *of, size_t n,
                struct preempt_known *known, struct preemption *p, bool *ret_ends);
/* Of what it has found: when another job becomes eligible (struct preemption). */
usec_t sched_preempt_again(const struct preemption *p, size_t n);
/* ... and when the components start: when.from of the first, or where victims end (ends), when the
   longest GraceTime is over. */
usec_t sched_preempted_start(const struct cluster *c, const struct together *of, size_t n,
                const struct preemption *p, bool ends);
void preemptions_done(struct preemption *p, size_t n); /* p's entries, not p */
/* How long v has when it is told to end for j: of a heterogeneous job the longest of all. */
usec_t sched_grace(const struct cluster *c, const struct job *v, const struct job *j);
/* v is told to end for j, or goes back; a heterogeneous job as a whole: by the highest of its
   modes, when the longest GraceTime is over.  up_by: as of job_preempt(). */
void sched_end_victim(struct cluster *c, struct job *v, const struct job *j, usec_t up_by,
                usec_t now);
/* Takes out of usable what is kept for jobs before j in the queue, or for such as would stop j for
   it at once. */
void claims_take(const struct cluster *c, const struct job *j, struct bitset *usable);
/* What k claims j may not have, in the partition that it is looked at in. */
bool claim_keeps_from(const struct cluster *c, const struct job *k, const struct job *j);
/* A job will have run long enough by then (PreemptExemptTime), or a limit has room: the pass and
   the plan come back. */
void sched_come_back(struct cluster *c, usec_t again, usec_t now);
/* exempt.c: when j, for which there is no place now (when.from), could start having stopped jobs
   that may be stopped later, the first of them from again on: their GraceTime is over then.
   *ret: where, with its victims.  USEC_INFINITY: there is no such time, and *ret is as it was. */
usec_t sched_after_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known,
                struct placement *ret);
/* The same for the n components of a heterogeneous job, the leader first: ret has n entries. */
usec_t sched_after_exempt_together(struct cluster *c, const struct together *of, size_t n,
                usec_t again, struct preempt_known *known, struct placement *ret);
/* The same, kept for sched_expected_start(): the earliest of those found for a job in all of its
   partitions; again: USEC_INFINITY: it waits for no such job there.  Nothing is searched where the
   same search was made before and nothing has changed since, nor after so many searches (exempt.c)
   that were made since then. */
void sched_await_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known);
void sched_await_exempt_together(struct cluster *c, const struct together *of, size_t n,
                usec_t again, struct preempt_known *known);
/* Grows with each change that may give such a search another result. */
uint64_t sched_exempt_moment(const struct cluster *c);
/* A search for j, which is not heterogeneous, may find a start: none was made in its partition and
   reservation since something has changed, and not too many for other jobs. */
bool sched_may_await_exempt(struct cluster *c, const struct job *j, usec_t now);
/* j, with all components of its request, waits for no such job. */
void sched_forget_exempt(struct cluster *c, const struct job *j, usec_t now);
/* In the partition that it is looked at in: it has stopped others for one that comes before, and
   waits until they are gone. */
bool sched_awaits_victims(const struct job *j);
/* license_reclaim.c: holders of licenses that j lacks are ended for it, as preempt.h allows, if it
   can have them then: not those that are kept for others (of each license, by its place in the
   list). */
void sched_reclaim(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const uint32_t *kept);
/* Which would be; returns how many.  The caller frees *ret; *ret_again: others may be ended then.
 */
size_t sched_reclaim_victims(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const uint32_t *kept, struct job ***ret, usec_t *ret_again);

/* ---- estimate.c, estimate_het.c ---- */
struct ending {
        const struct job *job;
        usec_t at;
};
/* Of all active jobs, the first one first: when they will have ended, at their limits. The caller
   frees. */
struct ending *estimate_endings(const struct cluster *c, usec_t now);
/* When those sleep that are not needed, so that others may be woken; 0: there is power for them
   now. */
usec_t estimate_until_power(const struct cluster *c, const struct placement *where);
