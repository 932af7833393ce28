/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/sched.h - the scheduler: which pending job starts, where, and with which
   victims */
#pragma once

#include "controller/sched/place/place.h"
#include "controller/sched/plan/usable.h"
#include "lib/errors.h"

/* Work of one turn of a pass, in nodes examined (place_offer.c), about 20 ms; the next turn
   continues. */
#define LOOKS_MAX 300000u
/* Maximum time limit: today's date plus the limit is still a valid date. */
#define JOB_TIME_MAX (100ull * 365 * 24 * 3600 * USEC_PER_SEC)

/* Goes through the queue in order and starts every job able to start (job launch guide; preemption
   guide, "design"). A pass taking too long is kept in c->slices.pass, and the next turn continues
   the pass; with whole the pass runs to the end, for a request answered at once. */
void sched_pass(struct cluster *c, usec_t now, bool whole);
/* Returns whether no job may start because a job has been COMPLETING for less than CompleteWait;
   arms a turn for the end of CompleteWait. */
bool sched_awaits_completing(struct cluster *c, usec_t now);
/* Sets *ret to the request of the pending j, with the time limit in force; the caller calls
   job_spec_done(). */
void job_spec_asked(const struct job *j, struct job_spec *ret);
/* A job's request before an update. */
struct job_before;
/* Changes the request of the queued j to spec, in the partitions named by spec (first: the first
   partition of the list), after the checks of a submission; j stays unchanged if spec is refused.
   Texts of spec are copied, and j's place in the plan is searched again. The time limit of spec
   (the limit in force) is checked with the rest, but not changed, except a default limit, which
   follows the partition. Further times, licenses, dependencies and the reservation are not handled
   here. *ret_before: j's previous request, for job_respec_undo(). */
enum slumber_error job_respec(struct cluster *c, struct job *j, const struct job_spec *spec,
                struct partition *first, usec_t now, struct job_before **ret_before,
                struct fail *fail);
/* Restores j's previous request, apart from the place in the plan; no further change of j may have
   happened since. Frees before; NULL: no-op. */
void job_respec_undo(struct cluster *c, struct job *j, struct job_before *before);
struct job_before *job_before_free(struct job_before *b); /* takes NULL, returns NULL */
/* Makes a pending job of a request, or refuses the request with Slurm's error (details in fail).
   Texts of spec are copied. */
enum slumber_error job_admit(struct cluster *c, const struct job_spec *spec,
                const struct submitter *submitter, usec_t now, struct job **ret, struct fail *fail);

/* Admits the n requests of a heterogeneous job (model/het.h); each component is checked with the
   earlier components counted. All become jobs with consecutive ids (ret[]), or no job is made:
   *ret_failed is the first component refused (see fail). SLUMBER_TOO_BIG: n is more than
   HET_MAX. */
enum slumber_error het_admit(struct cluster *c, const struct job_spec *specs, size_t n,
                const struct submitter *submitter, usec_t now, struct job **ret, size_t *ret_failed,
                struct fail *fail);
/* Undoes the admission of h, whose components are all pending. */
void het_withdraw(struct cluster *c, struct het *h);

/* Checks a request like job_admit() without admitting a job; *ret has no id and is owned by the
   caller. */
enum slumber_error job_check(struct cluster *c, const struct job_spec *spec,
                const struct submitter *submitter, usec_t now, struct job **ret, struct fail *fail);
/* wait_reason.c: why j's partition keeps j waiting however many nodes are free (partition down,
   limits, unknown nodes in j's request); REASON_NONE: no reason. */
enum job_reason partition_wait_reason(const struct cluster *c, const struct job *j);
/* partition_wait_reason() for the sizes alone, whatever the partition's state and its admitted
   accounts and QOS; EnforcePartLimits refuses by the result. */
enum job_reason partition_forbids(const struct cluster *c, const struct job *j);
/* Returns whether j asks for more CPUs or nodes than the whole partition has, whatever the state of
   the nodes. */
bool partition_is_too_small(const struct job *j);
/* partition_wait_reason() for all partitions named by j: the reason of the first partition, or
   REASON_NONE if any partition admits j. */
enum job_reason partitions_wait_reason(const struct cluster *c, const struct job *j);
/* Returns "ReqNodeNotAvail, UnavailableNodes:n[1-2]"; the caller frees the text. */
char *sched_unavailable_text(const struct cluster *c, const struct bitset *nodes);
/* partition_in_service() returns the number of p's nodes in service, partition_unavailable() the
   text about the remaining nodes (the caller frees the text). */
size_t partition_in_service(const struct cluster *c, const struct partition *p);
char *partition_unavailable(const struct cluster *c, const struct partition *p);
/* sched_unavailable_text() for the nodes named by j and out of service, whatever jobs are ahead of
   j; NULL: no such node. The caller frees the text. */
char *job_unavailable(const struct cluster *c, const struct job *j);

/* Checks like het_admit() without admitting jobs. The jobs in ret are linked as components and have
   the ids of a real admission; only limits count the jobs. The caller releases ret with
   het_checked_done(). */
enum slumber_error het_check(struct cluster *c, const struct job_spec *specs, size_t n,
                const struct submitter *submitter, usec_t now, struct job **ret, struct fail *fail);
/* entries of jobs may be NULL */
void het_checked_done(struct cluster *c, struct job **jobs, size_t n);

/* exempt.c: returns the expected start of the pending j, as planned or earlier by preemption; 0:
   unknown. Adds the expected nodes to nodes, which may be NULL. */
usec_t sched_expected_start(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *nodes);

struct estimate;
/* Estimates where and when j, checked but not submitted, would start if submitted now: running jobs
   use their full time limits, and pending jobs start as planned. Changes no state; *ret is set only
   with 0. -EBUSY, -ENOENT: never on the present nodes; -EDQUOT: a QOS or association limit forbids
   j whatever jobs end. */
int job_estimate(struct cluster *c, const struct job *j, usec_t now, struct estimate **ret);
struct estimate *estimate_free(struct estimate *e); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct estimate *, estimate_free)
usec_t estimate_start(const struct estimate *e);
const struct placement *estimate_where(const struct estimate *e);
/* The partition of the estimated start, among the partitions named by the job. */
const struct partition *estimate_partition(const struct estimate *e);

/* estimate_het.c: job_estimate() for a heterogeneous job (het_check()), whose components start at
   the same instant on distinct nodes. */
struct het_estimate {
        usec_t start;
        struct bitset *nodes; /* nodes of all components */
        uint32_t num_cpus;
        struct job **victims; /* jobs preempted first; the array is owned */
        size_t n_victims;
};
int het_estimate(struct cluster *c, const struct job *leader, usec_t now, struct het_estimate *ret);
void het_estimate_done(struct het_estimate *e);
