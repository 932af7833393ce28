/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/cgroup.h - a set of processes that is frozen, thawed, counted and killed as one
 *
 * One interface, three kinds: cgroup v2, the v1 freezer, and none, which walks process trees and
 * sends signals.  A group is a folder; a job's group holds the groups of its steps.  A handle is
 * the text that another process opens the same group by. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct cg;

/* handle: what cg_handle() of another process said. -EINVAL for anything else. */
int cg_open(const char *handle, struct cg **ret, struct fail *fail);
int cg_open_above(const struct cg *g, struct cg **ret); /* the group that it is in: its job's */
int cg_open_below(const struct cg *g, const char *name, struct cg **ret);
struct cg *cg_free(struct cg *g); /* forgets it; the group itself stays. NULL is fine */
DEFINE_CLEANUP(struct cg *, cg_free)
/* The group of a task of the step that g is of, made where it is not there: STEP/user/task_RANK in
   Slurm's layout (cgroup/system.h) of cgroup v2, else as g. It goes with g. */
int cg_open_task(const struct cg *g, uint32_t rank, struct cg **ret);
/* It is a job's or a step's in Slurm's layout, where programs look for it. */
bool cg_is_shown(const struct cg *g);
const char *cg_handle(const struct cg *g);
const char *cg_folder(const struct cg *g); /* for messages */
const char *cg_kind(const struct cg *g);   /* "cgroup/v2", "cgroup/v1", "none" */
/* "SLUMBER_GROUP=...": to be in the environment of every program in the group, so that none can
   find those without a step daemon.  The caller frees. */
char *cg_marker(const struct cg *g);
/* The owner of the processes: none believes the marker only of processes that this user (or root)
   has started, because any user can have one in the environment.  Until it is said: of the caller's
   own.  Others need not know. */
int cg_set_owner(struct cg *g, uid_t uid);

/* Moves the calling process in; between fork and exec, and before privileges are dropped. */
int cg_enter(struct cg *g);
/* Moves another process in, and so what it starts from then on.  -EOPNOTSUPP: without cgroups. */
int cg_move(struct cg *g, pid_t pid);
/* As fork(), of a process with one thread.  *ret_inside, for the child: it is a member already and
   need not enter.  To be born there takes no time; to move in, the kernel may wait 10 ms and more
   for all of its CPUs. */
pid_t cg_fork(struct cg *g, bool *ret_inside);
int cg_populated(struct cg *g); /* 1 or 0 */
/* It is, or that cannot be told now (no descriptors): ask again. */
bool cg_may_be_populated(struct cg *g);
struct pid_set;
/* Its members, added to *set (cgroup/proc.h). */
int cg_pids(struct cg *g, struct pid_set *set);
/* Sends sig to every member once; returns how many got it. */
int cg_signal(struct cg *g, int sig);
/* As this, and adds them to *set if they could be listed.  A child that has yet to enter it
   (cg_fork()) is none of them. */
int cg_signal_listed(struct cg *g, int sig, struct pid_set *set);
/* Kills every member, frozen or not.  They are gone when cg_populated() says so; where
   cg_must_poll(), call it again until then.  A group that was killed is not used again. */
int cg_kill(struct cg *g);
/* Writes the wish; cg_frozen() says when it holds.  -EDEADLK: the caller is a member. */
int cg_set_frozen(struct cg *g, bool frozen);
int cg_frozen(struct cg *g); /* 1 or 0 */
/* A freeze was asked for, or a thaw was begun and not ended. */
bool cg_is_asked(struct cg *g);
bool cg_must_poll(const struct cg *g); /* no events: ask, and repeat the wish, every few ms */
const char *cg_events_file(const struct cg *g); /* to be watched by inotify; NULL: must poll */
/* What the threads of all members do at one moment. */
struct cg_threads {
        size_t n;      /* so many there are */
        size_t runs;   /* of these run, or are ready to */
        size_t stuck;  /* ... or are in uninterruptible sleep (state D) */
        uint64_t used; /* CPU time that all have had in ns, and how often they were given a CPU */
};
void cg_threads(struct cg *g, struct cg_threads *ret);
/* Between these two moments no thread had a CPU, and some hang in the kernel: the group stands
   still as one that is frozen does. */
bool cg_stood_still(const struct cg_threads *before, const struct cg_threads *now);
/* A member has a SIGSTOP to come: it stops when the group is thawed. */
bool cg_is_told_to_stop(struct cg *g);
/* The members that do not react, as the end of a message: "; hanging in the kernel: 411 (dd), 412
   (cp)" (state D), without such members "; still running: 413 (sh)" (state R: in a system call that
   uses CPU, or without a CPU to stop on), else "".  The caller frees. */
char *cg_stuck(struct cg *g);
/* 1: the kernel killed members for want of memory; 0; -EOPNOTSUPP. */
int cg_out_of_memory(struct cg *g);
/* From now on the kernel kills all members where it would kill one for want of memory; -EOPNOTSUPP:
   not of cgroup v2, or it has no memory controller. */
int cg_share_out_of_memory(struct cg *g);
/* Time that its processes have had of CPUs, in microseconds, groups below included; -EOPNOTSUPP:
   not of cgroup v2. */
int cg_cpu_time(struct cg *g, uint64_t *ret_user, uint64_t *ret_system);
/* Highest memory use in bytes; -EOPNOTSUPP. */
int cg_memory_peak(struct cg *g, uint64_t *ret);
/* Memory in bytes that it uses now, groups below included, and what it has read of files;
   -EOPNOTSUPP: not of cgroup v2. */
int cg_memory_current(struct cg *g, uint64_t *ret);
/* Pushes it out to swap until no more than keep bytes are used, or nothing more can be pushed out
   (0 as well: what has come of it says cg_memory_current()).  It blocks, for seconds where it is
   gigabytes, and a signal ends it: for a child process.  A group that is not frozen has it back
   soon. */
int cg_memory_push_out(struct cg *g, uint64_t keep);
/* Removes an empty group and the empty ones below. -EBUSY: it has members. 0 if it is not there. */
int cg_remove(struct cg *g);

/* Names of groups, as the last part of a folder says them: in Slumber's layout "job7-0" (job 7, no
   restart before) with the step "3" in it, in Slurm's "job_7" with "step_3".  The layout of a step
   is its job's. */
/* The name of a step in the group of its job: "3" or "step_3"; the caller frees. */
char *cg_step_name(const struct cg *job, const char *step);
/* The last part of a folder is that of this step, in either layout. */
bool cg_is_step(const char *name, const char *step);
