/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/ended.h - what is kept of a job when it is over: a row of the accounts
 *
 * There is one for each time that it ran (one that has given nodes back meanwhile has one for each
 * set of nodes that it had), so also of a run that was sent back to the queue, and one for a job
 * that ended before it started.  It is made where the end is decided, as little later nothing may
 * be left to ask: a job that goes back to the queue forgets its nodes at once. */
#pragma once

#include "controller/model/job.h"

/* The fields are the columns, by the same names: these and what model/job_fields.h says is kept.
   Texts are never NULL, "" is nothing; state: as sacct shows it, with REQUEUED; nodes: those that
   it had, as a host list; array_tasks: of a rest; std_in...: as asked for, with their patterns;
   tres_req, tres_alloc: "cpu=4,mem=8G,node=2,billing=4,gres/gpu=2". */
/* clang-format off */
#define ENDED_TEXTS(X)                                                                             \
        X(cluster) X(user) X(group_name) X(partition) X(state) X(reason) X(nodes) X(array_tasks)   \
        X(share) X(tres_req) X(tres_alloc) X(admin_comment) JOB_TEXTS_KEPT(X)
/* clang-format on */
/* -1: there is none.  array_job 0: it is no task; het_job 0: no component; exit_code: a wait
   status; cancelled_by: a uid; memory: MB; consumed_energy: J; num_tasks: as asked for;
   UNSAID_SIZES: as in force. */
/* clang-format off */
#define ENDED_NUMBERS(X)                                                                           \
        X(job_id) X(array_job) X(array_task) X(het_job) X(het_offset) X(restarts) X(started_by)     \
        X(uid) X(gid) X(priority)                                                                  \
        X(priority_asked) X(num_nodes) X(num_cpus) X(memory) X(num_tasks) UNSAID_SIZES(X)          \
        X(exit_code) X(derived_exit_code) X(cancelled_by) X(consumed_energy) JOB_NUMBERS_KEPT(X)
/* clang-format on */
/* By the clock: 0, not yet.  Durations: NO_LIMIT, unlimited.  time_queued: since when this run's
   wait had lasted; time_limit: in force at the end, time_limit_asked before --time-min made it
   less. */
/* clang-format off */
#define ENDED_TIMES(X)                                                                             \
        X(time_submit) X(time_queued) X(time_eligible) X(time_start) X(time_end) X(time_begin)     \
        X(deadline) X(time_suspended) X(time_limit) X(time_limit_asked) JOB_TIMES_KEPT(X)
/* clang-format on */

struct ended {
#define X(field) char *field;
        ENDED_TEXTS(X)
#undef X
#define X(field) int64_t field;
        ENDED_NUMBERS(X)
#undef X
#define X(field) usec_t field;
        ENDED_TIMES(X)
#undef X
};

struct ended *ended_free(struct ended *e); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct ended *, ended_free)
