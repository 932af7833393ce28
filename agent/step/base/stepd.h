/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/base/stepd.h - inside slumberstepd: one step on one node at a time, its tasks and
   their streams */
#pragma once

#include "agent/common/link.h"
#include "agent/common/rendezvous.h"
#include "agent/common/task_environment.h"
#include "cgroup/cgroup.h"
#include "lib/step/measure.h"

#include <sys/resource.h>
#include <syslog.h>

#define STEP_TASKS_MAX 16384 /* on one node */
/* descriptors that each costs at most: its streams, labelled files of two, exec_fd, PMI */
#define TASK_FILES 7

#define TASK_STATUS_NO_STREAMS 53 /* Slurm's ExitCode 0:53 */

enum { STREAM_IN, STREAM_OUT, STREAM_ERR, STREAM_MAX };

/* One standard stream that goes to the client, or with labels to a file; fd is our end of the pipe,
   -1 when there is none (a file without labels) or it is over.  The queue begins at taken: bytes
   that the client or the file (output) or the task (input) does not have yet. */
struct stream {
        int fd;
        struct labels *labels; /* out: --label and a file; NULL: it is the client's */
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
        int error_fd;        /* file of the first task's standard error; -1: its stream */
        int error_stream;    /* ... that one */
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
        /* out_of_memory: of step_out_of_memory(); known: its processes have ended, it stays so */
        bool out_of_memory, out_of_memory_known, out_of_memory_said, is_extern, launch_known,
                        launch_reported, terminating, output_unread, over, released, stays;
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
        /* ... as the largest of its job, which had: that is to be cancelled */
        bool job_over_memory;
        /* CLOCK_MONOTONIC: the step was asked to end; 0: it was not, USEC_INFINITY: it is killed */
        usec_t kill_at;
        bool killed;      /* that was: what is left is killed again */
        usec_t looked_at; /* the last look at whether it is frozen; 0: nothing is to end in time */
        /* CLOCK_MONOTONIC: until when leftovers and the client are waited for */
        usec_t stop_by, drain_by;
};

/* ---- step.c ---- */
bool step_waits(const struct step *s);   /* tasks are yet to be started */
bool step_has_oci(const struct step *s); /* --container */
/* Its end, as slumberd is told: of which step, on which node, and when. */
void step_fill_ended(const struct step *s, Slumber__StepEnded *m);
void task_fill_exit(const struct task *t, Slumber__TaskExit *m);
void task_send_exit(struct step *s, const struct task *t); /* others run yet */
/* A task of the step wants all of its tasks to end at once (MPI_Abort): that is its status and the
   step's, by this exit code. */
void step_abort(struct step *s, struct task *t, int code);

/* Of a step over several components of a heterogeneous job the leader: its tasks have one world. */
static inline uint32_t step_known_job(const struct step *s) {
        return s->credential->known_job ? s->credential->known_job : s->credential->job_id;
}

/* ---- user.c: the user, and a child that becomes that ---- */
int user_find(const Slumber__CredentialBody *credential, struct user *ret, struct fail *fail);
void user_done(struct user *user);
/* Once in the process that forks step daemons: what all their tasks need alike. */
void tasks_prepare(void);
/* In a child, as root: into the group, unless it is inside, and the job's mount namespace.  0 or a
   negative errno. */
int task_enter(struct step *s, struct cg *group, bool inside);
/* ... from root to the step's user, with its limits, umask and signals; likewise. */
int task_become_user(struct step *s);
/* The same for a child that shares the step daemon's memory (cg_fork_shared()): what it needs,
   found out beforehand by the step daemon, points into s; then, with all signals blocked, the
   change itself. */
struct becoming {
        struct rlimit limits[RLIM_NLIMITS];
        const struct user *user;
        mode_t umask;
};
void task_becomes(const struct step *s, struct becoming *ret);
int task_become_shared(const struct becoming *b);
/* In the step daemon: the user's effective ids, for a while.  0 or a negative errno; also then
   step_take_off_user() is to be called. */
int step_put_on_user(const struct step *s);
int step_take_off_user(void);
/* From here on, until another step_take_off_user(), the user's ids stay on once they are put on:
   several uses cost one change of ids. */
void step_keep_user(void);

/* ---- say.c ---- */
/* "slurmstepd: error: TEXT" to the user, where the step's standard error goes. */
void step_complain(struct step *s, const char *format, ...) _printf_(2, 3);
/* --slurmd-debug: "slurmstepd-NODE: TEXT", in the same place, if its level (LOG_INFO, LOG_DEBUG)
   was asked for. */
void step_debug(struct step *s, int level, const char *format, ...) _printf_(3, 4);
/* A line where the step's standard error goes. */
void step_say(struct step *s, const char *format, ...) _printf_(2, 3);

/* ---- pty.c ---- */
/* --pty: task 0 and no other. */
bool task_has_pty(const struct step *s, const struct task *t);
/* A terminal for t: its end three times in fds, ours as t's streams of input and output. */
int pty_open(struct step *s, struct task *t, int fds[STREAM_MAX], bool own[STREAM_MAX],
                struct fail *fail);
void pty_take(void); /* in the child, leader of a session, standard input is the terminal */
void pty_resize(struct step *s, const Slumber__Window *window);
char pty_end_of_file(const struct task *t); /* what a user types for it */

/* ---- stream_queue.c ---- */
/* Adds size bytes to a queue; removes the first n, which have gone their way. */
void stream_queue_put(struct stream *p, const void *data, size_t size);
void stream_queue_taken(struct stream *p, size_t n);
/* The same of an output, whose bytes count for all of the step. */
void stream_put(struct step *s, struct task *t, int number, const void *data, size_t size);
void stream_taken(struct step *s, struct task *t, int number, size_t size);

/* ---- labels.c: files that are labelled ---- */
/* What comes from p is written to fd, which stays the caller's, with the task's rank before each
   line. */
void stream_label(struct stream *p, int fd);
void labels_free(struct labels *l); /* takes NULL */
/* labels_add() queues the whole lines of size bytes of output, each with its label, and keeps an
   unfinished line; labels_finish() queues that one, too, at the end of the stream. */
void labels_add(struct step *s, struct task *t, int number, const void *data, size_t size);
void labels_finish(struct step *s, struct task *t, int number);
bool labels_wait(const struct task *t, int number); /* it has labels, and lines for its file */
int labels_fd(const struct task *t, int number);
void labels_write(struct step *s, struct task *t, int number); /* as many as the file takes */
void labels_drop(struct step *s, struct task *t, int number);  /* nothing more is written */

/* ---- stream.c ---- */
bool stream_wants_read(struct step *s, const struct task *t, int number, usec_t now);
void stream_read(struct step *s, struct task *t, int number);
bool stream_wants_write(const struct task *t);
void stream_write(struct step *s, struct task *t);
/* t runs, or never will: what came for it before that is passed on, or dropped. */
void stream_started(struct step *s, struct task *t);
/* From the client: input, its end, what it has of the output. */
void step_io(struct step *s, const Slumber__StepIo *io);
bool step_drained(const struct step *s); /* the client, and files, have all of the output */
void step_send_output(struct step *s);   /* what waits in the queues, as far as the link takes it */
/* the link is new: what was under way is sent and asked for again */
void step_resume(struct step *s);
void step_drop_output(struct step *s); /* the client does not read any more */
void step_drop_files(struct step *s);  /* what labelled files have not taken is not waited for */
void stream_send_text(struct step *s, struct task *t, int number, const char *text, size_t size);
void stream_done(struct stream *stream);
