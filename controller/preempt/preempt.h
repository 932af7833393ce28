/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/preempt.h - which jobs may preempt which, in what way, and the choice of
   victims (preemption guide) */
#pragma once

#include "controller/sched/place/place.h"

struct preempt_known;

/* ---- rules.c ---- */
/* By its QOS, tier or reservation j could preempt some job, running or not. */
bool preempt_is_possible(const struct cluster *c, const struct job *j);
/* How v would be preempted: PREEMPT_SUSPEND, PREEMPT_CANCEL, PREEMPT_REQUEUE, or PREEMPT_OFF:
   never.  A job with --signal=R: is never suspended.  For a component it is the mode of all that
   are there, as preempt_all_or_none() says. */
enum preempt_mode preempt_mode_of(const struct cluster *c, const struct job *v);
/* The time from which v, which has started, may be preempted: PreemptExemptTime after its start.
   A reservation takes lent nodes back at any time. */
usec_t preempt_eligible_time(const struct cluster *c, const struct job *v);
/* GraceTime of v when it is cancelled or requeued for j (NULL: for any preemptor) now, in usec. */
usec_t preempt_grace(const struct cluster *c, const struct job *j, const struct job *v);
/* j outranks v, or claims nodes of its reservation back from v; nodes and times do not count. */
bool preempt_allowed(const struct cluster *c, const struct job *j, const struct job *v);
/* ... and v, if it started now, could be ended for j, with all components of its request, once it
   has run for PreemptExemptTime. */
bool preempt_would_end(const struct cluster *c, const struct job *j, const struct job *v);
/* v is suspended for a preemptor, and j may use its units: j outranks v, and their partitions share
   cores. */
bool preempt_lends(const struct cluster *c, const struct job *j, const struct job *v);
/* It holds resources, and is not ending: one that may be a victim. */
bool preempt_is_there(const struct job *v);
/* The rule of heterogeneous jobs, for the n components of one job: all of them are preempted or
   none.  The mode is that of a component with SUSPEND, else REQUEUE, else CANCEL; PREEMPT_OFF: one
   is not eligible. */
enum preempt_mode preempt_all_or_none(const struct cluster *c, const struct job *j,
                struct job *const *parts, size_t n, usec_t now);
/* The same for v: with the other components that are there, if it is one; PREEMPT_REQUEUE only
   where all of them may go back. */
enum preempt_mode preempt_mode_now(const struct cluster *c, const struct job *j, struct job *v,
                usec_t now);
/* Its partition's PriorityTier, or with preempt/qos the priority of its QOS: victims of lower tiers
   are chosen first. */
uint32_t preempt_tier(const struct cluster *c, const struct job *v);
/* Slurm's order of victims, < 0: v before w: lowest tier, then fewest nodes; with youngest_first
   the latest start. */
int preempt_order(const struct cluster *c, const struct job *v, const struct job *w);

/* ---- preempt.c: the choice ---- */
struct preemption {
        struct placement where; /* its victims must be preempted first */
        bool ends;              /* some victims end: the job waits until these are gone */
        usec_t again;           /* when another job becomes eligible; USEC_INFINITY: never */
};
/* Finds a place for j, to run in the period when (when.from: now), with the fewest victims.
   Changes nothing.
     0             j can start there, as soon as the suspended victims are frozen
     -EINPROGRESS  j must wait for victims of another mode than PREEMPT_SUSPEND (ends), or for jobs
                   that are ending
     -EBUSY        there is no place
     -EDQUOT       a limit forbids every place (where.limit)
   known: kept from one job to the next of a pass (preempt_known.h).  more: choose new victims
   although earlier ones of j are still ending, as j stands for several tasks.  preemption_done() in
   any case. */
int preempt_place(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, bool more, struct preempt_known *known, struct preemption *ret);
/* Victims that other components of the same job have chosen, by their index in c->active. */
struct preempt_chosen {
        struct bitset *gone, *lent; /* they end; they are suspended */
};
/* The same for a component: what those victims leave is free for j, too, and they are none of its
   own. */
int preempt_place_beside(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct preempt_chosen *chosen,
                struct preempt_known *known, struct preemption *ret);
void preemption_done(struct preemption *p);
