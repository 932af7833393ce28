/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/ended.h - the accounting row of an ended job
 *
 * A job has a row for each run, including runs that were requeued, and a row for each set of nodes
 * if the job gave nodes back; a job that ended before its start has one row.  The row is made where
 * the end is decided: a requeued job forgets its nodes at once. */
#pragma once

#include "controller/model/job.h"

/* Each field is a column with the field's name; JOB_TEXTS_KEPT are listed in model/job_fields.h.
   Texts are never NULL; "" is no value.

     state                  as sacct shows it, including REQUEUED
     nodes                  host list of the nodes of the run
     array_tasks            tasks of an array's rest
     std_in...              as requested, with patterns
     tres_req, tres_alloc   "cpu=4,mem=8G,node=2,billing=4,gres/gpu=2" */
/* clang-format off */
#define ENDED_TEXTS(X)                                                                             \
        X(cluster) X(user) X(group_name) X(partition) X(state) X(reason) X(nodes) X(array_tasks)   \
        X(share) X(tres_req) X(tres_alloc) X(admin_comment) JOB_TEXTS_KEPT(X)
/* clang-format on */
/* -1: no value.

     array_job           0: not a task
     het_job             0: not a component
     exit_code           wait status
     cancelled_by        uid
     memory              MB
     consumed_energy     J
     num_tasks           as requested
     UNSAID_SIZES        as in force */
/* clang-format off */
#define ENDED_NUMBERS(X)                                                                           \
        X(job_id) X(array_job) X(array_task) X(het_job) X(het_offset) X(restarts) X(started_by)     \
        X(uid) X(gid) X(priority)                                                                  \
        X(priority_asked) X(num_nodes) X(num_cpus) X(memory) X(num_tasks) UNSAID_SIZES(X)          \
        X(exit_code) X(derived_exit_code) X(cancelled_by) X(consumed_energy) JOB_NUMBERS_KEPT(X)
/* clang-format on */
/* Points in time: 0 = not yet.  Durations: NO_LIMIT = unlimited.

     time_queued         start of the wait for this run
     time_limit          in force at the end
     time_limit_asked    before --time-min reduced time_limit */
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

struct ended *ended_free(struct ended *e); /* accepts NULL, returns NULL */
DEFINE_CLEANUP(struct ended *, ended_free)
