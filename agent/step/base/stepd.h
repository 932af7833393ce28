/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/base/stepd.h - inside slumberstepd: a step on a node, its tasks and their streams. A
   step daemon has a single step at a time. */
#pragma once

#include "agent/common/link.h"
#include "agent/common/rendezvous.h"
#include "agent/common/task_environment.h"
#include "cgroup/cgroup.h"
#include "lib/step/measure.h"

#include <sys/resource.h>
#include <syslog.h>

#define STEP_TASKS_MAX 16384 /* maximum tasks on a node */
/* maximum descriptors of a task: streams, labelled files of two streams, exec_fd, PMI */
#define TASK_FILES 7

#define TASK_STATUS_NO_STREAMS 53 /* Slurm's ExitCode 0:53 */

enum { STREAM_IN, STREAM_OUT, STREAM_ERR, STREAM_MAX };

/* A standard stream connected to the client, or with labels to a file. fd is the step daemon's end
   of the pipe; -1: none (a file without labels) or closed. The queue begins at offset taken: bytes
   not yet with the client or the file (output) or the task (input). */
struct stream {
        int fd;
        struct labels *labels; /* out: --label with a file; NULL: the client's stream */
        uint8_t *queue;
        size_t queued, allocated;
        uint64_t taken;
        uint64_t sent;    /* out: offset of the first byte not yet sent */
        bool open;        /* out: end of file not sent yet */
        bool finish;      /* in: close when the queue is empty */
        uint64_t skipped; /* in: bytes for other tasks, counted as taken when the queue is empty */
        /* out: small pieces in a series; from GATHER_AFTER on the pipe is read less often */
        unsigned small;
        usec_t read_again; /* out: next read of a series, CLOCK_MONOTONIC */
};

struct task {
        uint32_t rank;
        pid_t pid; /* 0: not started */
        bool running;
        int status;       /* wait status */
        unsigned epilogs; /* epilogs begun after the task's end; pid is the latest one */
        usec_t epilog_by; /* CLOCK_MONOTONIC: time limit of the epilog; 0: none runs */
        uint64_t vm_peak; /* bytes: largest address space of the task's processes; 0: unknown */
        bool aborted;     /* the task has ended the step, with step->abort_status */
        bool traced;      /* the task stops at exec, until task_stopped() detaches */
        int exec_fd;      /* closed by exec; before exec the task may report a failure */
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

struct output { /* a file shared by tasks */
        char *path;
        int fd;
};

struct step_plugins; /* spank.c */

struct step {
        Slumber__StepdSpec *spec; /* NULL: the step daemon waits for a step */
        const Slumber__LaunchStep *launch;
        const Slumber__CredentialBody *credential;
        struct cg *group;
        struct link *link;
        struct exchange *exchange; /* exchange with the step's other nodes; NULL: not used yet */
        int listen_fd, signal_fd;
        struct user user;
        struct environment *environment;
        char *script;                 /* path of the batch script */
        char **script_arguments;      /* the script and its arguments; NULL: not needed yet */
        struct step_plugins *plugins; /* NULL: no plug-ins */
        struct task *tasks;
        size_t n_tasks, n_running;
        size_t n_started;     /* tasks started; the others wait for a folder of their files */
        usec_t folders_by;    /* CLOCK_MONOTONIC: time limit for these folders */
        uint32_t stop_signal; /* signal ending the wait for these folders; 0: none */
        char *no_streams;     /* reason why a task was not run; NULL: none */
        struct output *outputs;
        size_t n_outputs, outputs_allocated;
        int error_fd;        /* file of the first task's standard error; -1: error_stream */
        int error_stream;    /* stream of the first task's standard error */
        int chdir_error;     /* negative errno: why the work folder is /tmp; 0: no error */
        struct rlimit files; /* RLIMIT_NOFILE before the step daemon raised its limit */

        /* offsets of input received, and acknowledged to the client */
        uint64_t in_received, in_acknowledged;
        size_t held;       /* bytes of output in the queues */
        size_t send_first; /* index of the next task to send */
        /* the next stream->read_again; USEC_INFINITY: none */
        usec_t gather_until;
        bool linked;   /* the step daemon has been linked to a slumberd */
        int container; /* the job's mount namespace, see container_enter(); -1: none */
        /* out_of_memory: result of step_out_of_memory(), final when known: the step's processes
           have ended */
        bool out_of_memory, out_of_memory_known, out_of_memory_said, is_extern, launch_known,
                        launch_reported, terminating, output_unread, over, released, stays;
        int launch_error; /* valid if launch_known; 0: all tasks run, or have run */
        struct fail launch_why;
        int abort_status;            /* wait status of the task that ended the step; 0: none */
        struct pmi *pmi;             /* NULL: PMI is not offered */
        struct pmi_names *pmi_names; /* published names; NULL: none */
        struct pmix *pmix;           /* NULL: PMIx is not offered */
        struct pmix_some *pmix_some; /* NULL: no fence of a part of the tasks is under way */
        struct x11 *x11;             /* NULL: X11 is not forwarded */
        char *x11_fault;             /* why X11 is not forwarded despite a request; NULL: none */
        bool cpu_freq_set;           /* frequencies may have to be restored */
        char *cpu_freq_fault;        /* why a frequency is not set; NULL: none, or reported */
        struct rusage usage;
        struct measures measures; /* use of ended tasks */
        bool leftovers, abandoned;
        usec_t watch_at; /* CLOCK_MONOTONIC: next check of memory; 0: not scheduled */
        /* CLOCK_MONOTONIC: next check of tasks' address spaces; 0: not scheduled */
        usec_t vm_look_at, vm_pause;
        uint64_t guests[MEASURE_MAX]; /* extern step: maxima measured */
        bool had_guests;
        usec_t over_at;   /* CLOCK_BOOTTIME: end of the last process; 0: not yet */
        bool over_memory; /* the step exceeded its memory limit, and is killed */
        /* the job exceeded its memory limit; this step is the largest, and the job has to be
           cancelled */
        bool job_over_memory;
        /* CLOCK_MONOTONIC: time to kill the step after a request to end; 0: no request,
           USEC_INFINITY: killed */
        usec_t kill_at;
        bool killed;      /* the step was killed once: remaining processes are killed again */
        usec_t looked_at; /* latest check for a frozen step; 0: no deadline is pending */
        /* CLOCK_MONOTONIC: time limits of the wait for leftovers and for the client */
        usec_t stop_by, drain_by;
};

/* ---- step.c ---- */
bool step_waits(const struct step *s);   /* some tasks are not started yet */
bool step_has_oci(const struct step *s); /* --container */
/* Fills in the step, the node and the time of the step's end. */
void step_fill_ended(const struct step *s, Slumber__StepEnded *m);
void task_fill_exit(const struct task *t, Slumber__TaskExit *m);
void task_send_exit(struct step *s, const struct task *t); /* while other tasks still run */
/* Ends all tasks of the step at once at a task's request (MPI_Abort). The exit code becomes the
   status of the task and of the step. */
void step_abort(struct step *s, struct task *t, int code);

/* Returns the leader's job id for a step over several components of a heterogeneous job (its tasks
   form one world), else the job id. */
static inline uint32_t step_known_job(const struct step *s) {
        return s->credential->known_job ? s->credential->known_job : s->credential->job_id;
}

/* ---- user.c: the step's user, and children becoming the user ---- */
int user_find(const Slumber__CredentialBody *credential, struct user *ret, struct fail *fail);
void user_done(struct user *user);
/* Called once in the process that forks step daemons: prepares state common to all tasks. */
void tasks_prepare(void);
/* Runs in a child, as root: enters the group, unless inside, and the job's mount namespace. Returns
   0 or a negative errno. */
int task_enter(struct step *s, struct cg *group, bool inside);
/* Runs in a child: changes from root to the step's user, with its limits, umask and signals.
   Returns 0 or a negative errno. */
int task_become_user(struct step *s);
/* task_become_user() in two parts for a child sharing the step daemon's memory (cg_fork_shared()).
   task_becomes() runs in the step daemon and sets ret, which borrows from s; task_become_shared()
   runs in the child with all signals blocked. */
struct becoming {
        struct rlimit limits[RLIM_NLIMITS];
        const struct user *user;
        mode_t umask;
};
void task_becomes(const struct step *s, struct becoming *ret);
int task_become_shared(const struct becoming *b);
/* Runs in the step daemon: changes the effective ids to the user's, and back. Returns 0 or a
   negative errno; step_take_off_user() has to be called also after a failure. */
int step_put_on_user(const struct step *s);
int step_take_off_user(void);
/* Keeps the user's ids, once they are put on, until a matching step_take_off_user(): several uses
   cost a single change of ids. */
void step_keep_user(void);

/* ---- say.c ---- */
/* Writes "slurmstepd: error: TEXT" to the step's standard error. */
void step_complain(struct step *s, const char *format, ...) _printf_(2, 3);
/* --slurmd-debug: writes "slurmstepd-NODE: TEXT" to the step's standard error if the level
   (LOG_INFO, LOG_DEBUG) was requested. */
void step_debug(struct step *s, int level, const char *format, ...) _printf_(3, 4);
/* Writes a line to the step's standard error. */
void step_say(struct step *s, const char *format, ...) _printf_(2, 3);

/* ---- pty.c ---- */
/* --pty: true for task 0 only. */
bool task_has_pty(const struct step *s, const struct task *t);
/* Opens a terminal for t: fds are three descriptors of the task's end, the other end becomes t's
   streams of input and output. */
int pty_open(struct step *s, struct task *t, int fds[STREAM_MAX], bool own[STREAM_MAX],
                struct fail *fail);
void pty_take(void); /* in the child: makes standard input the controlling terminal */
void pty_resize(struct step *s, const Slumber__Window *window);
char pty_end_of_file(const struct task *t); /* the terminal's end-of-file character */

/* ---- stream_queue.c ---- */
/* stream_queue_put() adds size bytes to a queue; stream_queue_taken() removes the first n bytes. */
void stream_queue_put(struct stream *p, const void *data, size_t size);
void stream_queue_taken(struct stream *p, size_t n);
/* Same for an output; the bytes count in the step's total. */
void stream_put(struct step *s, struct task *t, int number, const void *data, size_t size);
void stream_taken(struct step *s, struct task *t, int number, size_t size);

/* ---- labels.c: labelled files ---- */
/* Output of p is written to fd, borrowed, with the task's rank before each line. */
void stream_label(struct stream *p, int fd);
void labels_free(struct labels *l); /* l may be NULL */
/* labels_add() queues the whole lines of size bytes of output, each with its label, and keeps an
   unfinished line. labels_finish() queues the unfinished line at the end of the stream. */
void labels_add(struct step *s, struct task *t, int number, const void *data, size_t size);
void labels_finish(struct step *s, struct task *t, int number);
bool labels_wait(const struct task *t, int number); /* labelled lines wait for the file */
int labels_fd(const struct task *t, int number);
void labels_write(struct step *s, struct task *t, int number); /* writes all that the file takes */
void labels_drop(struct step *s, struct task *t, int number);  /* stops writing */

/* ---- stream.c ---- */
bool stream_wants_read(struct step *s, const struct task *t, int number, usec_t now);
void stream_read(struct step *s, struct task *t, int number);
bool stream_wants_write(const struct task *t);
void stream_write(struct step *s, struct task *t);
/* t runs, or never will: input received before is passed on, or dropped. */
void stream_started(struct step *s, struct task *t);
/* Takes the client's StepIo: input, its end, acknowledged output. */
void step_io(struct step *s, const Slumber__StepIo *io);
bool step_drained(const struct step *s); /* the client and the files have all output */
void step_send_output(struct step *s);   /* sends queued output, as far as the link takes it */
/* a new link: sends unacknowledged output, and asks for input again */
void step_resume(struct step *s);
void step_drop_output(struct step *s); /* the client does not read any more */
void step_drop_files(struct step *s);  /* gives up lines not taken by labelled files */
void stream_send_text(struct step *s, struct task *t, int number, const char *text, size_t size);
void stream_done(struct stream *stream);
