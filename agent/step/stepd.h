/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/stepd.h - inside slumberstepd: one step on one node at a time, its tasks and their
   streams */
#pragma once

#include "agent/common/link.h"
#include "agent/common/rendezvous.h"
#include "agent/common/task_environment.h"
#include "cgroup/cgroup.h"
#include "lib/measure.h"

#include <sys/resource.h>
#include <syslog.h>

#define STEP_TASKS_MAX 16384 /* on one node */
#define TASK_FILES     5     /* descriptors that each costs at most: its streams, exec_fd, PMI */

#define TASK_STATUS_NO_STREAMS 53 /* Slurm's ExitCode 0:53 */

enum { STREAM_IN, STREAM_OUT, STREAM_ERR, STREAM_MAX };

/* One standard stream that goes to the client; fd is our end of the pipe, -1 when there is none (a
   file) or it is over.  The queue begins at taken: bytes that the client (output) or the task
   (input) does not have yet. */
struct stream {
        int fd;
        uint8_t *queue;
        size_t queued, allocated;
        uint64_t taken;
        uint64_t sent;    /* out: passed on up to here */
        bool open;        /* out: its end has not been passed on */
        bool finish;      /* in: close when the queue is empty */
        uint64_t skipped; /* in: bytes for other tasks, which count as taken when it is */
        /* out: pieces that came one after the other; from some on they are gathered */
        unsigned small;
        usec_t read_again; /* ... until then, CLOCK_MONOTONIC */
};

struct task {
        uint32_t rank;
        pid_t pid; /* 0: not started */
        bool running;
        int status;       /* wait status */
        unsigned epilogs; /* begun after its end: pid is then the last one's */
        usec_t epilog_by; /* CLOCK_MONOTONIC: until when it may run; 0: none runs */
        uint64_t vm_peak; /* bytes: the largest address space of a process of its; 0: not known */
        bool aborted;     /* it has ended the step, with step->abort_status */
        bool traced;      /* it stops when its program begins, then task_stopped() lets go of it */
        int exec_fd;      /* closes at exec; before that it may say what failed */
        struct stream stream[STREAM_MAX];
};

struct user {
        uid_t uid;
        gid_t gid;
        gid_t *groups;
        size_t n_groups;
        char *name, *home, *shell;
        usec_t looked_up; /* CLOCK_MONOTONIC; 0: slumberd knew the groups */
};

struct output { /* a file that tasks share */
        char *path;
        int fd;
};

struct step_plugins; /* spank.c */

struct step {
        Slumber__StepdSpec *spec; /* NULL: there is none, the daemon waits for one */
        const Slumber__LaunchStep *launch;
        const Slumber__CredentialBody *credential;
        struct cg *group;
        struct link *link;
        struct exchange *exchange; /* with its other nodes; NULL: not used yet */
        int listen_fd, signal_fd;
        struct user user;
        struct environment *environment;
        char *script;                 /* path of the batch script */
        char **script_arguments;      /* with it; NULL: not asked for yet */
        struct step_plugins *plugins; /* NULL: there are none */
        struct task *tasks;
        size_t n_tasks, n_running;
        size_t n_started;     /* the first of tasks; the others wait for a folder of their files */
        usec_t folders_by;    /* CLOCK_MONOTONIC: until when */
        uint32_t stop_signal; /* ... or they never run, because of this one; 0 = none */
        char *no_streams;     /* why a task was not run; NULL: there is none */
        struct output *outputs;
        size_t n_outputs, outputs_allocated;
        int error_fd;        /* file of the first task's standard error; -1: the client */
        int chdir_error;     /* why the work folder is /tmp */
        struct rlimit files; /* as it was before we raised ours */

        /* input that has come, and that the client knows to be taken */
        uint64_t in_received, in_acknowledged;
        size_t held;       /* bytes of output in the queues */
        size_t send_first; /* the task whose turn it is */
        /* the next stream->read_again; USEC_INFINITY = none */
        usec_t gather_until;
        bool linked;   /* there was a slumberd before */
        int container; /* the job's mount namespace, container_enter(); -1: none */
        bool out_of_memory_said, is_extern, launch_known, launch_reported, terminating,
                        output_unread, over, released, stays;
        int launch_error; /* once it is known; 0: all tasks run, or have run */
        struct fail launch_why;
        int abort_status; /* wait status of the task that has ended the step; 0: none has */
        struct pmi *pmi;  /* NULL: it is not offered */
        struct pmi_names *pmi_names; /* likewise: that were published */
        struct pmix *pmix;           /* likewise */
        struct pmix_some *pmix_some; /* NULL: no fence of some of its tasks is under way */
        struct x11 *x11;             /* likewise */
        char *x11_fault;             /* why it is not forwarded, though it was to be; NULL */
        bool cpu_freq_set;           /* something may be to be put back */
        char *cpu_freq_fault;        /* why not all is set; NULL, also when it was told */
        struct rusage usage;
        struct measures measures; /* of its tasks that have ended */
        bool leftovers, abandoned;
        usec_t watch_at; /* CLOCK_MONOTONIC: when its memory is looked at; 0: not yet known */
        /* CLOCK_MONOTONIC: the next look at tasks' address spaces; 0: not yet known */
        usec_t vm_look_at, vm_pause;
        uint64_t guests[MEASURE_MAX]; /* of an extern step: the most that was seen */
        bool had_guests;
        usec_t over_at;   /* CLOCK_BOOTTIME: its last process has ended; 0 = not yet */
        bool over_memory; /* it had more than it may, and is killed for that */
        /* CLOCK_MONOTONIC: the step was asked to end; 0: it was not, USEC_INFINITY: it is killed */
        usec_t kill_at;
        /* CLOCK_MONOTONIC: until when leftovers and the client are waited for */
        usec_t stop_by, drain_by;
};

/* ---- slumberstepd.c ---- */
/* The step daemon of one step after the other, each from its description to its release; the
   descriptors are taken. */
void stepd_run(const int fds[STEP_FDS]) __attribute__((noreturn));
void step_take_priority(void);
/* A task of the step wants all of its tasks to end at once (MPI_Abort): that is its status and the
   step's, by this exit code. */
void step_abort(struct step *s, struct task *t, int code);

/* ---- task.c ---- */
int user_find(const Slumber__CredentialBody *credential, struct user *ret, struct fail *fail);
void user_done(struct user *user);
/* Once in the process that forks step daemons: what all their tasks need alike. */
void tasks_prepare(void);
/* Goes to the step's folder, writes the script, opens files and starts all tasks: or the first of
   them, when a folder of the next one's files does not exist (step_waits()).  On failure those that
   were started are to be killed by the caller. */
int step_start_tasks(struct step *s, struct fail *fail);
/* Tasks wait for a folder of their files, FOLDERS_WAIT at most: step_start_more() is to be called
   now and then. */
#define FOLDERS_WAIT (2 * USEC_PER_SEC)
bool step_waits(const struct step *s);
int step_start_more(struct step *s, struct fail *fail);
/* Reads what a task says before its exec: 1 it runs (or has told the user why not), 0 not yet, or
   the error for which the launch failed. */
int task_check_exec(struct task *t, struct fail *fail);
/* "slurmstepd: error: TEXT" to the user, where the step's standard error goes. */
void step_complain(struct step *s, const char *format, ...) _printf_(2, 3);
/* Its program, as it was given; the caller's. */
char *task_executable(struct step *s, const struct task *t);
/* --slurmd-debug: "slurmstepd-NODE: TEXT", in the same place, if its level (LOG_INFO, LOG_DEBUG)
   was asked for. */
void step_debug(struct step *s, int level, const char *format, ...) _printf_(3, 4);
void step_debug_exit(struct step *s, const struct task *t); /* the task has ended with t->status */

/* In a child: from root to the step's user, with its limits, umask and signals. Returns 0 or a
   negative errno. */
/* Into the group, unless it is inside, and the job's mount namespace; as root. */
int task_enter(struct step *s, bool inside);
int task_become_user(struct step *s);
/* In the step daemon: the user's effective rights, for a while.  0 or a negative errno; what has
   been put on is taken off also then. */
int step_put_on_user(const struct step *s);
int step_take_off_user(void);
/* A line where the step's standard error goes. */
void step_say(struct step *s, const char *format, ...) _printf_(2, 3);
/* The script and its arguments, NULL behind the last; the step's. */
char **step_script_arguments(struct step *s);

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
bool step_has_oci(const struct step *s);
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

/* ---- hook_run.c ---- */
/* Runs the programs of h and ends the process. */
void hook_run(const struct step *s, const Slumber__HookSpec *h) __attribute__((noreturn));

/* ---- pmi.c ---- */
/* Before its tasks are started: do they get PMI?  An error: they were to, and cannot. */
int pmi_begin(struct step *s, struct fail *fail);
/* Around the fork of t, in the step daemon: a socket pair for it, whose other end then closes. */
int pmi_open(struct step *s, struct task *t, struct fail *fail);
void pmi_opened(struct step *s, struct task *t);
/* In the child: the descriptor and its variables; and right before exec: it is handed on. */
void pmi_take(struct step *s, const struct task *t);
void pmi_keep(const struct step *s);
bool pmi_is_offered(const struct step *s);
/* There, after pmi_keep(): it stands in that place, as its variable says from now on, too. */
int pmi_move(const struct step *s, int to);
/* Our end, to be polled for these events; -1: there is none. */
int pmi_wants(const struct step *s, const struct task *t, short *ret_events);
void pmi_serve(struct step *s, struct task *t); /* poll() says so */
void pmi_done(struct step *s);

/* ---- pmix.c ---- */
/* As pmi_begin(): a socket that the tasks are told of. */
int pmix_begin(struct step *s, struct fail *fail);
void pmix_take(struct step *s, const struct task *t); /* in the child: its variables */
/* The socket, or the line to the server, to be polled for these events; -1: there is none. */
int pmix_wants(const struct step *s, short *ret_events);
void pmix_serve(struct step *s); /* poll() says so */
void pmix_done(struct step *s);

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

/* ---- pty.c ---- */
/* --pty: task 0 and no other. */
bool task_has_pty(const struct step *s, const struct task *t);
/* A terminal for t: its end three times in fds, ours as t's streams of input and output. */
int pty_open(struct step *s, struct task *t, int fds[STREAM_MAX], bool own[STREAM_MAX],
                struct fail *fail);
void pty_take(void); /* in the child, leader of a session, standard input is the terminal */
void pty_resize(struct step *s, const Slumber__Window *window);
char pty_end_of_file(const struct task *t); /* what a user types for it */

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

/* ---- stream.c ---- */
bool stream_wants_read(struct step *s, const struct task *t, int number, usec_t now);
void stream_read(struct step *s, struct task *t, int number);
bool stream_wants_write(const struct task *t);
void stream_write(struct step *s, struct task *t);
/* t runs, or never will: what came for it before that is passed on, or dropped. */
void stream_started(struct step *s, struct task *t);
/* From the client: input, its end, what it has of the output. */
void step_io(struct step *s, const Slumber__StepIo *io);
bool step_drained(const struct step *s); /* the client has all of the output */
void step_send_output(struct step *s);   /* what waits in the queues, as far as the link takes it */
/* the link is new: what was under way is sent and asked for again */
void step_resume(struct step *s);
void step_drop_output(struct step *s); /* it is not read any more */
void stream_send_text(struct step *s, struct task *t, int number, const char *text, size_t size);
void stream_done(struct stream *stream);
