/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/preempt.h - which jobs may preempt which, in what way, and the choice of victims (preemption guide) */
#pragma once

#include "controller/sched/place/place.h"

struct preempt_known;

/* There is a job that it could stop by its rank, if that ran. */
bool preempt_is_possible(const struct cluster *c, const struct job *j);
/* How v would be stopped (one with --signal=R: is never suspended): PREEMPT_SUSPEND, PREEMPT_CANCEL, PREEMPT_REQUEUE, or PREEMPT_OFF: not at all. */
enum preempt_mode preempt_mode_of(const struct cluster *c, const struct job *v);
/* From when on v, which has started, may be stopped, but for a reservation that has lent it nodes:
   that takes them back at any time. */
usec_t preempt_eligible_time(const struct cluster *c, const struct job *v);
/* How long v, once it is to be cancelled or requeued for j (NULL: for any that outranks it), goes on. */
usec_t preempt_grace(const struct cluster *c, const struct job *j, const struct job *v);
/* j outranks v, or wants nodes of its reservation back from it, whatever both hold and since when. */
bool preempt_allowed(const struct cluster *c, const struct job *j, const struct job *v);
/* ... and v, if it started now, would be ended for it at once. */
bool preempt_would_end(const struct cluster *c, const struct job *j, const struct job *v);
/* v is suspended for a preemptor, and j may have what it has: j outranks it, and equals may share cores. */
bool preempt_lends(const struct cluster *c, const struct job *j, const struct job *v);
/* The rule of heterogeneous jobs, for the n components of one job: they are stopped all together or not at all, in the way of
   the first that is to be suspended, else requeued, else cancelled.  PREEMPT_OFF: one of them must not be. */
enum preempt_mode preempt_all_or_none(const struct cluster *c, const struct job *j, struct job *const *parts, size_t n, usec_t now);

struct preemption {
        struct placement where; /* with victims: they must be stopped */
        bool ends;              /* ... and some of them ended: the job waits until these are gone */
        usec_t again;           /* a job may be stopped from then on; USEC_INFINITY: no other */
};
/* A place for j where others are stopped, as few as possible, were it to run then (when.from: now).
   0: it can start there; -EINPROGRESS: not before those of where.victims whose mode is not
   PREEMPT_SUSPEND have ended (ends; none of them: they are about to); -EBUSY: not at all; -EDQUOT:
   not at all, for a limit (where.limit).
   known: what is kept from one job to the next of a pass (preempt_known.h).  more: although some
   are on their way out for j already, as it stands for several tasks.  Nothing is changed.
   preemption_done() in any case. */
int preempt_place(struct cluster *c, const struct job *j, const struct bitset *usable, struct period when, bool more,
                struct preempt_known *known, struct preemption *ret);
void preemption_done(struct preemption *p);
/* Slurm's order of victims, <0: v goes first: lowest tier and smallest, or with youngest_first the last to have started. */
int preempt_order(const struct cluster *c, const struct job *v, const struct job *w);
