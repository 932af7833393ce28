/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/lives/ended.h - what is kept of a job when it is over: a row of the accounts
 *
 * There is one for each time that it ran (one that has given nodes back meanwhile has one for each set of nodes that it had), so also of a run that was sent back to the queue, and one for a job that ended
 * before it started.  It is made where the end is decided, as little later nothing may be left to ask: a job that goes
 * back to the queue forgets its nodes at once. */
#pragma once

#include "lib/base.h"

struct cluster;
struct job;

/* The fields are the columns, by the same names.  Texts are never NULL, "" is nothing; state: as sacct shows it, with REQUEUED; nodes:
   those that it had, as a host list; array_tasks: of a rest; std_in...: as asked for, with their patterns; tres_req, tres_alloc: "cpu=4,mem=8G,node=2,billing=4,gres/gpu=2". */
#define ENDED_TEXTS(X)                                                                             \
        X(cluster) X(name) X(user) X(group_name) X(account) X(partition) X(qos) X(reservation) X(wckey) X(state)       \
        X(reason) X(nodes) X(req_nodes) X(exc_nodes) X(features) X(prefer) X(licenses) X(dependency) X(array_tasks)    \
        X(share) X(distribution) X(tres_req) X(tres_alloc) X(tres_per_node) X(tres_per_task) X(tres_per_job)           \
        X(work_dir) X(submit_host) X(comment) X(extra) X(admin_comment) X(tres_per_socket) X(mcs_label) X(submit_line)    \
        X(std_in) X(std_out) X(std_err)
/* -1: there is none.  array_job 0: it is no task; exit_code: a wait status; cancelled_by: a uid; memory: MB; consumed_energy: J; num_tasks: as asked for;
   gres_binding: enum gres_binding. */
#define ENDED_NUMBERS(X)                                                                           \
        X(job_id) X(array_job) X(array_task) X(restarts) X(uid) X(gid) X(batch) X(priority) X(priority_asked) X(nice)  \
        X(num_nodes) X(num_cpus) X(memory) X(min_nodes) X(max_nodes) X(num_tasks) X(cpus_per_task) X(ntasks_per_node)  \
        X(mem_per_node) X(mem_per_cpu) X(mem_per_gpu) X(cpus_per_gpu) X(min_cpus_node) X(all_memory) X(tmp_disk) X(contiguous) \
        X(overcommit) X(spread_job) X(use_min_nodes) X(sockets_per_node) X(cores_per_socket) X(threads_per_core)       \
        X(ntasks_per_socket) X(ntasks_per_core) X(switches) X(exit_code) X(derived_exit_code) X(cancelled_by)  \
        X(ntasks_per_gpu) X(gres_binding) X(one_core_per_socket) X(consumed_energy)
/* By the clock: 0, not yet.  Durations: NO_LIMIT, unlimited.  time_queued: since when this run's wait had lasted; time_limit: in force
   at the end, time_limit_asked before --time-min made it less. */
#define ENDED_TIMES(X)                                                                             \
        X(time_submit) X(time_queued) X(time_eligible) X(time_start) X(time_end) X(time_begin) X(deadline)             \
        X(time_suspended) X(time_limit) X(time_limit_asked) X(time_min) X(switch_wait)

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

/* j, which still has what it had, ends now in the state of that word.  ran: else it ends in the queue.  NULL: the accounts keep no jobs. */
struct ended *ended_new(const struct cluster *c, const struct job *j, const char *state, bool ran, usec_t now);
struct ended *ended_free(struct ended *e); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct ended *, ended_free)
