/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/sched.h - which job starts, which is stopped for it, which goes on */
#pragma once

#include "controller/sched/place/place.h"
#include "controller/sched/plan/usable.h"
#include "lib/errors.h"

/* Looks at nodes, by what they cost (place_offer.c), after which a turn leaves the rest to the next
   one: about 20 ms. */
#define LOOKS_MAX 300000u
/* The longest limit: added to today's date it must stay a date. */
#define JOB_TIME_MAX (100ull * 365 * 24 * 3600 * USEC_PER_SEC)

/* Looks at the queue in order and starts what can start (job launch guide; preemption guide,
   "design").  c->slices.pass: that has taken so long that the next turn is to go on with it; never
   with whole, for a request that is answered in this very pass. */
void sched_pass(struct cluster *c, usec_t now, bool whole);
/* Some job is COMPLETING for less than CompleteWait: no job may start. When that time is over there
   is a turn. */
bool sched_awaits_completing(struct cluster *c, usec_t now);
/* What j, which waits, has asked for, with the time limit that is in force; the caller's,
   job_spec_done(). */
void job_spec_asked(const struct job *j, struct job_spec *ret);
/* What a job has asked for before an update. */
struct job_before;
/* j, which is queued, asks for spec from now on, in the partitions that this names (first is the
   first of them), by the checks of a submission; refused, it stays as it was.  Its place in the
   plan is looked for anew.  spec's texts are copied; its time limit (the one in force) is looked at
   with the rest, and not changed; other times, licenses, dependencies and the reservation are not.
   *ret_before: what it has asked for until now, for job_respec_undo(). */
enum slumber_error job_respec(struct cluster *c, struct job *j, const struct job_spec *spec,
                struct partition *first, usec_t now, struct job_before **ret_before,
                struct fail *fail);
/* Nothing else of j has changed since: it is as it was, but for its place in the plan.  before is
   taken; NULL: it is as it was. */
void job_respec_undo(struct cluster *c, struct job *j, struct job_before *before);
struct job_before *job_before_free(struct job_before *b); /* takes NULL, returns NULL */
/* A request becomes a pending job, or is refused with Slurm's words (fail says more). spec's texts
   are copied. */
enum slumber_error job_admit(struct cluster *c, const struct job_spec *spec,
                const struct submitter *submitter, usec_t now, struct job **ret, struct fail *fail);

/* The n requests of a heterogeneous job (model/het.h), each checked with those before it counted:
   all become jobs with ids that follow each other, ret[], or none does (*ret_failed: the first one
   that cannot; fail).  SLUMBER_TOO_BIG: more than HET_MAX. */
enum slumber_error het_admit(struct cluster *c, const struct job_spec *specs, size_t n,
                const struct submitter *submitter, usec_t now, struct job **ret, size_t *ret_failed,
                struct fail *fail);
/* As if it had not been admitted: all of it waits. */
void het_withdraw(struct cluster *c, struct het *h);

/* The same checks, and nothing else: *ret is the caller's and has no id. */
enum slumber_error job_check(struct cluster *c, const struct job_spec *spec,
                const struct submitter *submitter, usec_t now, struct job **ret, struct fail *fail);
/* wait_reason.c: why its partition keeps it waiting, however many nodes are free (down, limits, a
   node that it names is unknown); REASON_NONE: it does not. */
enum job_reason partition_wait_reason(const struct cluster *c, const struct job *j);
/* The same of its sizes alone, whatever state the partition is in and which jobs it takes: also
   what EnforcePartLimits refuses. */
enum job_reason partition_forbids(const struct cluster *c, const struct job *j);
/* It asks for more than all of its partition's nodes have, whatever state they are in. */
bool partition_is_too_small(const struct job *j);
/* The same of all that it names: why the first one does, unless some does not. */
enum job_reason partitions_wait_reason(const struct cluster *c, const struct job *j);
/* "ReqNodeNotAvail, UnavailableNodes:n[1-2]"; the caller frees. */
char *sched_unavailable_text(const struct cluster *c, const struct bitset *nodes);
/* So many of p's nodes are in service; the text for those that are not. */
size_t partition_in_service(const struct cluster *c, const struct partition *p);
char *partition_unavailable(const struct cluster *c, const struct partition *p);
/* The same of the nodes that it names which are out of service, whatever is before it; NULL: there
   are none. */
char *job_unavailable(const struct cluster *c, const struct job *j);

/* het_admit()'s checks alone: ret's are the caller's until het_checked_done(), know each other, and
   have the ids that they would get; but for the counts of limits nothing else knows them. */
enum slumber_error het_check(struct cluster *c, const struct job_spec *specs, size_t n,
                const struct submitter *submitter, usec_t now, struct job **ret, struct fail *fail);
void het_checked_done(struct cluster *c, struct job **jobs, size_t n); /* entries may be NULL */

/* exempt.c: when j, pending, is expected to start, as planned or by preemption, which may be
   earlier; 0: it is not known.  Adds the nodes where to nodes, which may be NULL. */
usec_t sched_expected_start(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *nodes);

struct estimate;
/* Where and when j, which was checked but not submitted, would start if it came now, running jobs
   using up their time limits and waiting ones starting as planned; -EBUSY, -ENOENT: not on the
   nodes that there are now; -EDQUOT: a limit of its QOS or associations forbids it, whatever ends.
   Nothing is changed; *ret only for 0. */
int job_estimate(struct cluster *c, const struct job *j, usec_t now, struct estimate **ret);
struct estimate *estimate_free(struct estimate *e); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct estimate *, estimate_free)
usec_t estimate_start(const struct estimate *e);
const struct placement *estimate_where(const struct estimate *e);
/* Of those that the job names, the one where it starts first. */
const struct partition *estimate_partition(const struct estimate *e);

/* estimate_het.c: the same of all components of a heterogeneous job (het_check()), which start at
   the same instant, on distinct nodes. */
struct het_estimate {
        usec_t start;
        struct bitset *nodes; /* of all of them */
        uint32_t num_cpus;
        struct job **victims; /* that are stopped for them first */
        size_t n_victims;
};
int het_estimate(struct cluster *c, const struct job *leader, usec_t now, struct het_estimate *ret);
void het_estimate_done(struct het_estimate *e);
