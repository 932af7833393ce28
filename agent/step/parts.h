/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/parts.h - inside slumberstepd: its loop, tasks, plug-ins, containers, memory, X11 */
#pragma once

#include "agent/step/base/stepd.h"

#include <sys/time.h>

static inline uint64_t usec_of(const struct timeval *t) {
        return (uint64_t)t->tv_sec * USEC_PER_SEC + (uint64_t)t->tv_usec;
}

/* ---- slumberstepd.c ---- */
/* The step daemon of one step after the other, each from its description to its release; the
   descriptors are taken. */
void stepd_run(const int fds[STEP_FDS]) __attribute__((noreturn));

/* ---- report.c: what slumberd is told ---- */
/* How the launch went, which is told when the link is up; 0 or a negative errno with text.  The
   first word counts. */
void report_set_launch(struct step *s, int r, const char *text);
void report_launch(struct step *s);
void report_hello(struct step *s); /* to a new slumberd, or what it is to remember */
void report_ended(struct step *s); /* all its tasks have */
void report_stat(struct step *s, uint64_t question); /* what it uses now, as the answer to that */
bool step_out_of_memory(struct step *s);             /* the kernel says so, or we have found it */

/* ---- task.c ---- */
/* Goes to the step's folder, writes the script, opens files and starts all tasks: or the first of
   them, when a folder of the next one's files does not exist (step_waits()).  On failure those that
   were started are to be killed by the caller. */
int step_start_tasks(struct step *s, struct fail *fail);
/* Tasks wait for a folder of their files, FOLDERS_WAIT at most: step_start_more() is to be called
   now and then. */
#define FOLDERS_WAIT (2 * USEC_PER_SEC)
int step_start_more(struct step *s, struct fail *fail);
/* Reads what a task says before its exec: 1 it runs (or has told the user why not), 0 not yet, or
   the error for which the launch failed. */
int task_check_exec(struct task *t, struct fail *fail);
/* Its program, as it was given; the caller's. */
char *task_executable(struct step *s, const struct task *t);
void step_debug_exit(struct step *s, const struct task *t); /* the task has ended with t->status */

/* The script and its arguments, NULL behind the last; the step's. */
char **step_script_arguments(struct step *s);

/* ---- script_start.c ---- */
/* Starts a batch script in its group, with these descriptors as its streams, and returns when it
   has exec'ed or ended: its process, or -1 where it must be forked instead. */
pid_t script_start(struct step *s, const int fds[STREAM_MAX], struct cg *group);

/* ---- spank.c: plug-ins; without plugstack.conf all of this does nothing ---- */
/* Loads them and calls init, the options' callbacks, init_post_opt, user_init.  Negative errno with
   fail: the step must not run. */
int spank_start(struct step *s, struct fail *fail);
/* All tasks are forked: task_post_fork, then they go on.  Negative errno with fail: they must
   not. */
int spank_forked(struct step *s, struct fail *fail);
/* In the task's process: as root, and waits for spank_forked(); as the user.  Neither returns where
   a required plug-in fails. */
void spank_task_privileged(struct step *s, struct task *t);
void spank_task_init(struct step *s, struct task *t);
char **spank_task_arguments(const struct step *s, char **v); /* v with what is to stand before it */
void spank_task_exit(struct step *s, struct task *t);        /* t has ended with t->status */
void spank_exit(struct step *s);                             /* once; the step is over */
void spank_done(struct step *s);

/* ---- oci.c: without --container all of this does nothing ---- */
/* In the task's process: its folder, and what the runtime is to see, by root.  It does not return
   where that fails. */
void oci_take(struct step *s, size_t local);
/* ... as the user, instead of exec: v is to run in the container. */
void oci_run(struct step *s, const struct task *t, char **v) __attribute__((noreturn));
/* In a child, when the task has ended: what the runtime still has of it is deleted; ends with 1
   where it cannot. */
void oci_clean(struct step *s, size_t local, bool inside) __attribute__((noreturn));
void oci_forget(const struct step *s, size_t local); /* the folder; by root */
/* task_programs.c: all that of a step whose own daemon was killed. */
void tasks_clean(struct step *s);

/* ---- tmpdir.c ---- */
/* In the child, the task to be, as the user and in its work folder: sees to TMPDIR, which is made,
   or becomes /tmp; the first task of a node says why. */
void task_make_tmpdir(struct step *s, bool first);

/* ---- task_programs.c ---- */
/* In the child, the task to be: runs TaskProlog and --task-prolog, does what they print; does not
   return when one fails. */
void task_prologs(struct step *s);
bool task_has_prolog(const struct step *s);
/* In the step daemon, when t or its epilog has ended: starts --task-epilog, then TaskEpilog. False:
   none is left. */
bool task_next_epilog(struct step *s, struct task *t);
/* The epilog of t has ended with this wait status. */
void task_epilog_ended(struct step *s, struct task *t, int status);
/* Kills epilogs that take too long. Returns the milliseconds until the next one does, -1: none
   runs. */
int task_epilogs_in_time(struct step *s, usec_t now);
bool task_epilogs_run(const struct step *s);          /* some that are ended in time */
void task_epilogs_put_off(struct step *s, usec_t by); /* they have so much longer */

/* ---- hook_run.c ---- */
/* Runs the programs of h and ends the process. */
void hook_run(const struct step *s, const Slumber__HookSpec *h) __attribute__((noreturn));

/* ---- x11.c: of an extern step; where X11 is not forwarded all of this does nothing ---- */
void step_x11_begin(struct step *s); /* where it cannot, see x11_fault */
/* DISPLAY and XAUTHORITY of the job's tasks; NULL: none. */
const char *step_x11_display(const struct step *s, const char **ret_authority);
/* The port, -1: there is none, and connections with the events that are waited for: to be polled.
   what goes to step_x11_serve(), NULL for the port; a call may end others, but for those behind. */
int step_x11_listener(const struct step *s);
void step_x11_wants(struct step *s, void (*each)(int fd, short events, void *what, void *user),
                void *user);
void step_x11_serve(struct step *s, void *what, short events);
void step_x11_send(struct step *s); /* what waits for the other end */
void step_x11_io(struct step *s, const Slumber__StepIo *io);
void step_x11_resume(struct step *s); /* as step_resume() */
void step_x11_end(struct step *s);    /* the job ends */
void step_x11_done(struct step *s);

/* ---- memory_watch.c ---- */
/* Looks at the step's memory, if it is time to, and has it killed (kill_at) if that is too much.
   Returns the milliseconds until the next look, -1: there is none. */
int memory_watch(struct step *s, usec_t now);
/* --oom-kill-step.  Negative errno with fail: there is nothing by which it could be. */
int memory_share_kills(struct step *s, struct fail *fail);
/* Of cgroup v1: has the kernel killed a process?  Milliseconds until the next look, -1: none. */
int memory_watch_kills(struct step *s, usec_t now);

/* ---- vm_watch.c ---- */
/* Looks at the tasks' address spaces, or at what is in the extern step, if it is time to. Returns
   the milliseconds until the next look. */
int vm_watch(struct step *s, usec_t now);
/* Before the processes of the extern step end. */
void vm_look(struct step *s);
/* Adds what the extern step has had in its group, as that of one task: its sessions, and what else
   was moved there. */
void guests_measure(struct step *s, struct measures *m);
/* Adds what the tasks that run have used up to now, with all processes that descend from them. */
void tasks_measure(struct step *s, struct measures *m);

/* ---- affinity.c ---- */
/* In the child, on the CPUs that slumberd has chosen: what cannot be had is said on its standard
   error, and it runs unbound. */
void bind_task(struct step *s, const struct task *t, size_t local);
/* memory_policy.c: its memory, to the NUMA nodes that spec->mem_masks says.  A negative errno,
   which it has told on standard error: it must not run. */
int bind_task_memory(struct step *s, const struct task *t, size_t local);
void sort_memory(const struct step *s); /* --mem-bind=sort, where the kernel can; by root */

/* ---- cpu_freq.c: where no frequency is wanted all of this does nothing ---- */
void step_cpu_freq_begin(struct step *s);
void step_cpu_freq_tell(struct step *s); /* what went wrong, where its standard error goes */
void step_cpu_freq_end(struct step *s);  /* its last process has ended */
