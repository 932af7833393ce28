/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/preempt.h - which jobs may preempt which, in which mode, and the choice of
 * victims (preemption guide) */
#pragma once

#include "controller/sched/place/place.h"

struct preempt_known;

/* ---- rules.c ---- */
/* Returns whether j, by QOS, tier or reservation, could preempt any job, running or not. */
bool preempt_is_possible(const struct cluster *c, const struct job *j);
/* Returns how v would be preempted: PREEMPT_SUSPEND, PREEMPT_CANCEL, PREEMPT_REQUEUE, or
   PREEMPT_OFF (never).  A job with --signal=R: is never suspended.  A component gets the common
   mode of all active components (preempt_all_or_none()). */
enum preempt_mode preempt_mode_of(const struct cluster *c, const struct job *v);
/* Returns the time from which v, which has started, may be preempted: PreemptExemptTime after the
   start. A reservation takes lent nodes back at any time. */
usec_t preempt_eligible_time(const struct cluster *c, const struct job *v);
/* Returns GraceTime of v, cancelled or requeued now for j (NULL: for any preemptor). */
usec_t preempt_grace(const struct cluster *c, const struct job *j, const struct job *v);
/* Returns whether j outranks v, or claims nodes of j's reservation back from v; nodes and times do
   not matter. */
bool preempt_allowed(const struct cluster *c, const struct job *j, const struct job *v);
/* Returns whether preempt_allowed(), and whether v, if started now, could be ended for j with all
   components after PreemptExemptTime. */
bool preempt_would_end(const struct cluster *c, const struct job *j, const struct job *v);
/* Returns whether v is suspended for a preemptor and j may use the units of v: j outranks v, and
   the partitions share cores. */
bool preempt_lends(const struct cluster *c, const struct job *j, const struct job *v);
/* Returns whether v holds resources and is not ending: a possible victim. */
bool preempt_is_there(const struct job *v);
/* The rule for the n components of a heterogeneous job: either all components are preempted or no
   component is.  Returns SUSPEND if a component has SUSPEND, else REQUEUE, else CANCEL; PREEMPT_OFF
   if a component is not eligible. */
enum preempt_mode preempt_all_or_none(const struct cluster *c, const struct job *j,
                struct job *const *parts, size_t n, usec_t now);
/* Applies preempt_all_or_none() to v and all active components of v; PREEMPT_REQUEUE only where all
   components may be requeued. */
enum preempt_mode preempt_mode_now(const struct cluster *c, const struct job *j, struct job *v,
                usec_t now);
/* Returns PriorityTier of the partition, or with preempt/qos the priority of the QOS: victims of
   lower tiers are chosen first. */
uint32_t preempt_tier(const struct cluster *c, const struct job *v);
/* Slurm's order of victims, < 0: v before w: lowest tier, then fewest nodes; with youngest_first
   the latest start. */
int preempt_order(const struct cluster *c, const struct job *v, const struct job *w);

/* ---- preempt.c: the choice ---- */
struct preemption {
        struct placement where; /* the place of j, once the victims are preempted */
        bool ends;              /* some victims end: j waits until the victims are gone */
        usec_t again;           /* when a further job becomes eligible; USEC_INFINITY: never */
};
/* Finds a place for j, to run in the period `when` (when.from: now), with the fewest victims.
   Changes no state.

     0             j can start there as soon as the suspended victims are frozen
     -EINPROGRESS  j must wait for victims that end (ret->ends), or for jobs already ending
     -EBUSY        no place
     -EDQUOT       a limit forbids every place (where.limit)

   known: kept from job to job of a pass (preempt_known.h).  more: choose new victims although
   earlier victims of j are still ending, because j represents several array tasks.  The caller
   calls preemption_done() in any case. */
int preempt_place(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, bool more, struct preempt_known *known, struct preemption *ret);
/* Victims chosen by earlier components of the job, by index in c->active. */
struct preempt_chosen {
        struct bitset *gone, *lent; /* victims that end; victims that are suspended */
};
/* preempt_place() for a component: the resources of the chosen victims are free for j, too, and the
   chosen victims are not among the victims of j. */
int preempt_place_beside(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct preempt_chosen *chosen,
                struct preempt_known *known, struct preemption *ret);
void preemption_done(struct preemption *p);
