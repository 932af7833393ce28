/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/sched_private.h - shared by the pass over the queue and backfill */
#pragma once

#include "controller/preempt/preempt.h"
#include "controller/preempt/preempt_known.h"
#include "controller/sched/place/place.h"
#include "controller/sched/plan/usable.h"
#include "controller/sched/sched.h"

/* Starts the job of the value `as` (accounts/bids.h), or the next task if `as` is the rest of an
   array: the job takes over the value and the nodes (where is emptied), and the victims are
   stopped. false: no job id is left for the task, or the job is a component (het.h), never started
   alone; no state is changed then. */
bool sched_start(struct cluster *c, const struct job *as, struct placement *where,
                enum job_starter by, usec_t now);
/* Starts all components of a heterogeneous job at this instant; components start by this function
   only. */
void sched_start_together(struct cluster *c, struct together *of, size_t n, enum job_starter by,
                usec_t now);

/* ---- het.c: what a heterogeneous job is when its leader has its turn ---- */
/* A way to place the components: a partition and a reservation chosen for each component. */
struct het_way {
        struct together *of; /* n entries; usable is set by the user of the way */
        /* n entries for the caller: index of the license chosen from a list with "|" */
        size_t *license;
        size_t n;
        struct job *rooms; /* storage of the values in of */
};
/* The partitions and reservations of a component to be tried. If a mode leaves no partition, all of
   the component's partitions are tried. */
enum het_when {
        /* partitions free of hindrances and limits; active reservations (resv_choices()) */
        HET_NOW,
        HET_AHEAD, /* HET_NOW plus future reservations */
        HET_LATER, /* HET_AHEAD plus partitions where a limit makes the component wait now */
        HET_EVER,  /* all partitions; future reservations too */
};
/* Returns the number of ways (bounded by WAYS_MAX); j is a value of the leader in the leader's
   turn. */
size_t het_ways(const struct cluster *c, const struct job *j, enum het_when when, usec_t now);
struct het_way het_way(const struct cluster *c, const struct job *j, size_t which,
                enum het_when when, usec_t now);
void het_way_done(struct het_way *w);
/* 1: even with all nodes idle and in service the components never fit on distinct nodes; 0: the
   components could run; -EAGAIN: unknown yet, the next call continues the search. */
int het_could_never_run(struct cluster *c, const struct job *j, usec_t now);
/* The limit that forbids the components' requests in this way, each component counted with the
   earlier components; ret_again as for limits_wait_reason(). */
enum job_reason het_way_limit(const struct cluster *c, const struct het_way *w, usec_t now,
                usec_t *ret_again);
/* The limit that forbids the first way, if limits forbid all ways; else REASON_NONE. */
enum job_reason het_limit(const struct cluster *c, const struct job *j, usec_t now,
                usec_t *ret_again);
/* Returns whether some component is kept waiting in each of its partitions (the leader: in j's
   partition) by the partition, a limit, or a vanished reservation; the job is not planned there
   then. ret_again as for limits_wait_reason(). */
bool het_is_hindered(const struct cluster *c, const struct job *j, usec_t now, usec_t *ret_again);
/* Copies the reason of component `of` to the remaining components; held components keep their
   reason. */
void het_tell(struct cluster *c, const struct job *of);
/* Returns whether a partition's nodes are kept for a job no longer in need of the nodes: the job
   has started elsewhere, or limits leave the job no room since the pass. Jobs behind get the nodes
   then. */
bool sched_has_stale_claims(const struct cluster *c, usec_t now);
/* sched_has_stale_claims() for the nodes of part kept for j; NULL: the job has ended. */
bool sched_is_stale_claim(const struct cluster *c, const struct job *j,
                const struct partition *part, usec_t now);
/* If FOLLOW_LIMIT_PLANS is due, voids the plans of jobs without room in the limits; returns whether
   a plan was voided. */
bool sched_drops_plans(struct cluster *c, usec_t now);
/* Finds a place for j from when.from (now) on by preemption (preempt/preempt.h). 0: j can start
   there, *ret has victims to be suspended; -EINPROGRESS: j waits until victims have ended, and the
   victims have been told to end; -EBUSY, -EDQUOT: as place(). */
int sched_force(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, struct preempt_known *known, struct placement *ret);
/* sched_force() for components, each placed beside the earlier components. The leader, first in of,
   claims nodes for all. -EBUSY also if max_powered_nodes or a limit forbids the places together. */
int sched_force_together(struct cluster *c, struct together *of, size_t n,
                struct preempt_known *known);
/* The search of sched_force_together(), without changing state: a place for each component beside
   the earlier components, in the n entries of p (the caller calls preemption_done() on each entry
   in any case). Returns 0, -EINPROGRESS, or the error of a component without a place; *ret_ends:
   some victims must be told to end. */
int sched_preempt_together(struct cluster *c, struct together *of, size_t n,
                struct preempt_known *known, struct preemption *p, bool *ret_ends);
/* Returns the time at which a further job becomes eligible as a victim (struct preemption). */
usec_t sched_preempt_again(const struct preemption *p, size_t n);
/* Returns the start of the components: when.from of the first component, or with ends (victims end)
   the end of the longest GraceTime. */
usec_t sched_preempted_start(const struct cluster *c, const struct together *of, size_t n,
                const struct preemption *p, bool ends);
/* calls preemption_done() on n entries; p itself is not freed */
void preemptions_done(struct preemption *p, size_t n);
/* Returns v's GraceTime if v must end for j; for a heterogeneous v the longest of all
   components. */
usec_t sched_grace(const struct cluster *c, const struct job *v, const struct job *j);
/* Ends or requeues v for j; of a heterogeneous v all components, in the common preemption mode and
   after the longest GraceTime. up_by as for job_preempt(). */
void sched_end_victim(struct cluster *c, struct job *v, const struct job *j, usec_t up_by,
                usec_t now);
/* Removes from usable the nodes claimed by jobs ahead of j in the queue, or by jobs able to preempt
   j at once. */
void claims_take(const struct cluster *c, const struct job *j, struct bitset *usable);
/* Returns whether k's claim keeps nodes from j, in the partition of the value j. */
bool claim_keeps_from(const struct cluster *c, const struct job *k, const struct job *j);
/* Makes the pass and the plan run at the time `again`, when a job's PreemptExemptTime is over or a
   limit has room. USEC_INFINITY: no-op. */
void sched_come_back(struct cluster *c, usec_t again, usec_t now);
/* exempt.c: returns when j, without a place now (when.from), could start by stopping jobs that
   become eligible as victims later (the first at `again`), including GraceTime. *ret: the place,
   with victims. USEC_INFINITY: no such time, and *ret is unchanged. */
usec_t sched_after_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known,
                struct placement *ret);
/* sched_after_exempt() for the n components of a heterogeneous job, the leader first; ret has n
   entries. */
usec_t sched_after_exempt_together(struct cluster *c, const struct together *of, size_t n,
                usec_t again, struct preempt_known *known, struct placement *ret);
/* Searches as sched_after_exempt() and keeps the result for sched_expected_start(): the earliest
   start found in all partitions of a job. `again` is USEC_INFINITY if j waits for no exempt job
   there. A search is skipped if an equal search was made and no change happened since, or if too
   many searches were made since the last change (AWAITED_MAX). */
void sched_await_exempt(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, usec_t again, struct preempt_known *known);
void sched_await_exempt_together(struct cluster *c, const struct together *of, size_t n,
                usec_t again, struct preempt_known *known);
/* A counter incremented by each change able to change the result of a search. */
uint64_t sched_exempt_moment(const struct cluster *c);
/* Returns whether a search for j (not heterogeneous) may find a start: no search was made in j's
   partition and reservation since the last change, and not too many for further jobs. */
bool sched_may_await_exempt(struct cluster *c, const struct job *j, usec_t now);
/* Forgets the searches for j, or for all components of j's request: the job no longer waits for an
   exempt job. */
void sched_forget_exempt(struct cluster *c, const struct job *j, usec_t now);
/* Returns whether j must not be tried in the partition of the value j, because j has stopped
   victims in a partition ahead in the queue and waits for the end of the victims. */
bool sched_awaits_victims(const struct job *j);
/* license_reclaim.c: ends holders of licenses that j lacks, as preempt.h allows, if j gets enough
   licenses by that. kept: licenses kept for further jobs, by index in the list of licenses. */
void sched_reclaim(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const uint32_t *kept);
/* Lists the victims of sched_reclaim() and returns their number; the caller frees *ret. *ret_again:
   when a further holder becomes eligible. */
size_t sched_reclaim_victims(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const uint32_t *kept, struct job ***ret, usec_t *ret_again);

/* ---- estimate.c, estimate_het.c ---- */
struct ending {
        const struct job *job;
        usec_t at;
};
/* Returns the expected ends of all active jobs (at their time limits), sorted by time, with
   c->n_active entries; the caller frees the array. */
struct ending *estimate_endings(const struct cluster *c, usec_t now);
/* Returns the time until all nodes not needed are suspended, so that the nodes of where can be
   resumed within max_powered_nodes; 0: enough power is available now. */
usec_t estimate_until_power(const struct cluster *c, const struct placement *where);
