/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/parts.h - inside slumberstepd: event loop, tasks, plug-ins, containers, memory, X11 */
#pragma once

#include "agent/step/base/stepd.h"

#include <sys/time.h>

static inline uint64_t usec_of(const struct timeval *t) {
        return (uint64_t)t->tv_sec * USEC_PER_SEC + (uint64_t)t->tv_usec;
}

/* ---- slumberstepd.c ---- */
/* Runs one step after the other, each from its StepdSpec to its release. Takes over the
   descriptors. */
void stepd_run(const int fds[STEP_FDS]) __attribute__((noreturn));

/* ---- report.c: messages to slumberd about the step ---- */
/* Sets the result of the launch: 0 or a negative errno with text; only the first call counts.
   report_launch() sends the result when the link is up. */
void report_set_launch(struct step *s, int r, const char *text);
void report_launch(struct step *s);
void report_hello(struct step *s); /* informs a new slumberd, or updates slumberd's state */
void report_ended(struct step *s); /* all tasks have ended */
void report_stat(struct step *s, uint64_t question); /* answers question: present use */
bool step_out_of_memory(struct step *s);             /* by the kernel or memory_watch() */

/* ---- task.c ---- */
/* Changes to the step's folder, writes the script, opens files and starts all tasks; only the first
   ones if a folder of a later task's files does not exist yet (step_waits()). If a negative errno
   is returned, the caller kills the tasks already started. */
int step_start_tasks(struct step *s, struct fail *fail);
/* Maximum time to wait for a folder of tasks' files. The caller repeats step_start_more() until
   step_waits() is false. */
#define FOLDERS_WAIT (2 * USEC_PER_SEC)
int step_start_more(struct step *s, struct fail *fail);
/* Reads a task's report before exec. 1: the task runs, or has told the user why not; 0: no report
   yet; negative errno: the launch failed. */
int task_check_exec(struct task *t, struct fail *fail);
/* Returns the task's program as given by the user; the caller frees. */
char *task_executable(struct step *s, const struct task *t);
void step_debug_exit(struct step *s, const struct task *t); /* the task has ended with t->status */

/* Returns the script and its arguments, NULL-terminated; owned by the step. */
char **step_script_arguments(struct step *s);

/* ---- script_start.c ---- */
/* Starts a batch script in its group, with fds as its streams, and returns after exec or the
   child's end. Returns the process; -1: the caller has to fork instead. */
pid_t script_start(struct step *s, const int fds[STREAM_MAX], struct cg *group);

/* ---- spank.c: plug-ins; the functions do nothing without plugstack.conf ---- */
/* Loads the plug-ins and calls init, the options' callbacks, init_post_opt and user_init. A
   negative errno with fail: the step must not run. */
int spank_start(struct step *s, struct fail *fail);
/* Calls task_post_fork after the fork of all tasks, then lets the tasks go on. A negative errno
   with fail: the tasks must not go on. */
int spank_forked(struct step *s, struct fail *fail);
/* Both run in the task's process: spank_task_privileged() as root, where it waits for
   spank_forked(); spank_task_init() as the user. Both end the process if a required plug-in
   fails. */
void spank_task_privileged(struct step *s, struct task *t);
void spank_task_init(struct step *s, struct task *t);
char **spank_task_arguments(const struct step *s, char **v); /* v with prepended words */
void spank_task_exit(struct step *s, struct task *t);        /* t has ended with t->status */
void spank_exit(struct step *s);                             /* once, at the step's end */
void spank_done(struct step *s);

/* ---- oci.c: the functions do nothing without --container ---- */
/* Runs in the task's process, as root: makes the task's folder and the runtime's view of cgroups.
   Ends the process on failure. */
void oci_take(struct step *s, size_t local);
/* Runs in the task's process, as the user, instead of exec: executes v in the container. */
void oci_run(struct step *s, const struct task *t, char **v) __attribute__((noreturn));
/* Runs in a child after the task's end: deletes what the runtime has left of the container. Exit
   code 1: failure. */
void oci_clean(struct step *s, size_t local, bool inside) __attribute__((noreturn));
void oci_forget(const struct step *s, size_t local); /* removes the container's folder; as root */
/* task_programs.c: deletes all containers of a step whose own step daemon was killed. */
void tasks_clean(struct step *s);

/* ---- tmpdir.c ---- */
/* Runs in the task's process, as the user and in its work folder: makes TMPDIR, or sets TMPDIR to
   /tmp. first: tells the user why; set for the first task of a node. */
void task_make_tmpdir(struct step *s, bool first);

/* ---- task_programs.c ---- */
/* Runs in the task's process: executes TaskProlog and --task-prolog and evaluates their output.
   Ends the process if a prolog fails. */
void task_prologs(struct step *s);
bool task_has_prolog(const struct step *s);
/* Called in the step daemon when t or an epilog of t has ended: starts --task-epilog, then
   TaskEpilog. false: no epilog is left. */
bool task_next_epilog(struct step *s, struct task *t);
/* The epilog of t has ended with a wait status. */
void task_epilog_ended(struct step *s, struct task *t, int status);
/* Kills epilogs exceeding their time limit. Returns the milliseconds until the next limit; -1: no
   epilog runs. */
int task_epilogs_in_time(struct step *s, usec_t now);
bool task_epilogs_run(const struct step *s);          /* some epilog with a time limit runs */
void task_epilogs_put_off(struct step *s, usec_t by); /* by: extension of time limits */

/* ---- hook_run.c ---- */
/* Runs the programs of h and ends the process. */
void hook_run(const struct step *s, const Slumber__HookSpec *h) __attribute__((noreturn));

/* ---- x11.c: in the extern step; the functions do nothing if X11 is not forwarded ---- */
void step_x11_begin(struct step *s); /* failure: see x11_fault */
/* Returns DISPLAY of the job's tasks and sets *ret_authority to XAUTHORITY; NULL: none. */
const char *step_x11_display(const struct step *s, const char **ret_authority);
/* step_x11_listener() returns the listening socket; -1: none. step_x11_wants() names each
   connection with the events to poll for, and a pointer for step_x11_serve(); the pointer of the
   listening socket is NULL. A call of step_x11_serve() may end other connections, except
   connections named later. */
int step_x11_listener(const struct step *s);
void step_x11_wants(struct step *s, void (*each)(int fd, short events, void *what, void *user),
                void *user);
void step_x11_serve(struct step *s, void *what, short events);
void step_x11_send(struct step *s); /* sends queued data to the other end */
void step_x11_io(struct step *s, const Slumber__StepIo *io);
void step_x11_resume(struct step *s); /* counterpart of step_resume() */
void step_x11_end(struct step *s);    /* the job ends */
void step_x11_done(struct step *s);

/* ---- memory_watch.c ---- */
/* Checks the step's memory if due, and sets kill_at if the memory exceeds the limit. Returns the
   milliseconds until the next check; -1: none. */
int memory_watch(struct step *s, usec_t now);
/* --oom-kill-step. A negative errno with fail: the node has no means for the option. */
int memory_share_kills(struct step *s, struct fail *fail);
/* cgroup v1: checks if the kernel has killed a process. Returns the milliseconds until the next
   check; -1: none. */
int memory_watch_kills(struct step *s, usec_t now);

/* ---- vm_watch.c ---- */
/* Checks the tasks' address spaces, or the processes of the extern step, if due. Returns the
   milliseconds until the next check. */
int vm_watch(struct step *s, usec_t now);
/* Call before the processes of the extern step end. */
void vm_look(struct step *s);
/* Adds the use of the extern step's group, as of one task: sessions and other processes moved into
   the group. */
void guests_measure(struct step *s, struct measures *m);
/* Adds the use of running tasks up to now, including all their descendants. */
void tasks_measure(struct step *s, struct measures *m);

/* ---- affinity.c ---- */
/* Runs in the task's process: binds the task to the CPUs chosen by slumberd. A failure is reported
   on standard error, and the task runs unbound. */
void bind_task(struct step *s, const struct task *t, size_t local);
/* memory_policy.c: binds the task's memory to the NUMA nodes of spec->mem_masks. A negative errno,
   already reported on standard error: the task must not run. */
int bind_task_memory(struct step *s, const struct task *t, size_t local);
void sort_memory(const struct step *s); /* --mem-bind=sort if possible; as root */

/* ---- cpu_freq.c: the functions do nothing if no frequency is requested ---- */
void step_cpu_freq_begin(struct step *s);
void step_cpu_freq_tell(struct step *s); /* reports errors to the user */
void step_cpu_freq_end(struct step *s);  /* the last process has ended */
