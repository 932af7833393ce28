/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/cgroup.h - a group of processes that is frozen, thawed, counted and killed as a unit
 *
 * One interface for three kinds: cgroup v2, the v1 freezer, and none, which walks process trees and
 * sends signals. A group is a folder; a job's group contains the groups of its steps. A handle is
 * text by which another process opens the group. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct cg;

/* Opens a group by the text of another process's cg_handle(). -EINVAL: other text. */
int cg_open(const char *handle, struct cg **ret, struct fail *fail);
int cg_open_above(const struct cg *g, struct cg **ret); /* the group above: the step's job */
int cg_open_below(const struct cg *g, const char *name, struct cg **ret);
struct cg *cg_free(struct cg *g); /* closes g; the group itself stays; takes NULL */
DEFINE_CLEANUP(struct cg *, cg_free)
/* Opens, and creates if missing, the group of a task of the step g: STEP/user/task_RANK in Slurm's
   layout (cgroup/system.h) of cgroup v2, else g's folder. The task's group is removed with g. */
int cg_open_task(const struct cg *g, uint32_t rank, struct cg **ret);
/* True for a group of a job or step in Slurm's layout, where other programs look for it. */
bool cg_is_shown(const struct cg *g);
const char *cg_handle(const struct cg *g);
const char *cg_folder(const struct cg *g); /* for messages */
/* True if g did not exist before the cg_system_make() or cg_system_make_job() call that returned
   it. */
bool cg_is_fresh(const struct cg *g);
const char *cg_kind(const struct cg *g); /* "cgroup/v2", "cgroup/v1", "none" */
/* Returns "SLUMBER_GROUP=..." for the environment of every program in the group: kind none finds
   members without a step daemon by it. The caller frees. */
char *cg_marker(const struct cg *g);
/* Sets the user of the group's processes. Kind none trusts the marker only in processes started by
   this user or root, because any user can copy the marker; default: the caller's user. No effect
   for other kinds. */
int cg_set_owner(struct cg *g, uid_t uid);

/* Moves the calling process in; call between fork and exec, before privileges are dropped. */
int cg_enter(struct cg *g);
/* Moves another process in; later children are born inside. -EOPNOTSUPP: without cgroups. */
int cg_move(struct cg *g, pid_t pid);
/* fork() of a process with one thread. *ret_inside, in the child: already a member, cg_enter() is
   not needed. Birth in the group is fast; moving in may wait 10 ms or more for all CPUs in the
   kernel. */
pid_t cg_fork(struct cg *g, bool *ret_inside);
/* Likewise, with nothing copied: the child is a member, shares the caller's memory and runs
   begin(arg), which must not return, on the size bytes of stack.  The caller stands still until the
   child has exec'ed or ended, so also while the child is stopped or frozen before that.  As the
   child may be killed at any time, it must not change what the caller relies on: it may set errno,
   but not allocate memory or use stdio.  -1: not possible here, use cg_fork(). */
pid_t cg_fork_shared(struct cg *g, void *stack, size_t size, void (*begin)(void *arg), void *arg);
int cg_populated(struct cg *g); /* 1 or 0 */
/* True if populated, or if that cannot be determined now (no descriptors): ask again. */
bool cg_may_be_populated(struct cg *g);
struct pid_set;
/* Adds the members to *set (cgroup/proc.h). */
int cg_pids(struct cg *g, struct pid_set *set);
/* Sends sig to every member once; returns how many received it. */
int cg_signal(struct cg *g, int sig);
/* cg_signal() that also adds the members to *set, if they could be listed. A child that has not
   entered yet (cg_fork()) is not included. */
int cg_signal_listed(struct cg *g, int sig, struct pid_set *set);
/* Kills every member, frozen or not. cg_populated() tells when all are gone; if cg_must_poll(),
   repeat the call until then. A killed group must not be used again. */
int cg_kill(struct cg *g);
/* Requests a state; cg_frozen() tells when it is reached. -EDEADLK: the caller is a member. */
int cg_set_frozen(struct cg *g, bool frozen);
int cg_frozen(struct cg *g); /* 1 or 0 */
/* True after a freeze was requested, or a thaw was started and not completed. */
bool cg_is_asked(struct cg *g);
bool cg_must_poll(const struct cg *g); /* no events: poll, and repeat the request, every few ms */
const char *cg_events_file(const struct cg *g); /* for inotify; NULL: must poll */
/* State of the threads of all members at one moment. */
struct cg_threads {
        size_t n;      /* number of threads */
        size_t runs;   /* threads running or ready to run */
        size_t stuck;  /* threads running, ready, or in uninterruptible sleep (state D) */
        uint64_t used; /* sum of CPU time in ns and number of times on a CPU */
};
void cg_threads(struct cg *g, struct cg_threads *ret);
/* True if between both moments no thread had a CPU and some hang in the kernel: the group is as
   idle as a frozen one. */
bool cg_stood_still(const struct cg_threads *before, const struct cg_threads *now);
/* True if a member has a pending SIGSTOP, which stops it after the thaw. */
bool cg_is_told_to_stop(struct cg *g);
/* Returns the members that do not react, as the end of a message: "; hanging in the kernel: 411
   (dd), 412 (cp)" (state D); without such members "; still running: 413 (sh)" (state R: in a system
   call that uses CPU, or waiting for a CPU to stop on); else "". The caller frees. */
char *cg_stuck(struct cg *g);
/* Returns 1 if the kernel killed members for lack of memory, else 0; -EOPNOTSUPP. */
int cg_out_of_memory(struct cg *g);
/* Makes the kernel kill all members together when memory is exhausted. -EOPNOTSUPP: not cgroup v2,
   or no memory controller. */
int cg_share_out_of_memory(struct cg *g);
/* Returns CPU time in microseconds, nested groups included; -EOPNOTSUPP: not cgroup v2. */
int cg_cpu_time(struct cg *g, uint64_t *ret_user, uint64_t *ret_system);
/* Returns the highest memory use in bytes; -EOPNOTSUPP. */
int cg_memory_peak(struct cg *g, uint64_t *ret);
/* Returns memory in use in bytes, nested groups and file cache included; -EOPNOTSUPP: not cgroup
   v2. */
int cg_memory_current(struct cg *g, uint64_t *ret);
/* Reclaims memory to swap until at most keep bytes are in use, or no more can be reclaimed (0 as
   well: cg_memory_current() tells). Blocks for seconds with gigabytes; a signal ends the call: for
   use in a child process. A running group soon reads its memory back. */
int cg_memory_push_out(struct cg *g, uint64_t keep);
/* Removes an empty group with the empty groups below. -EBUSY: has members. 0 if missing. */
int cg_remove(struct cg *g);

/* Names of groups, the last part of the folder. Slumber's layout: job "job7-0" (job 7, never
   restarted), step "3". Slurm's layout: job "job_7", step "step_3". A step has the layout of its
   job. */
/* Returns the name of a step in its job's group, "3" or "step_3"; the caller frees. */
char *cg_step_name(const struct cg *job, const char *step);
/* True if a folder's last part is the name of the step, in either layout. */
bool cg_is_step(const char *name, const char *step);
