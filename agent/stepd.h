/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepd.h - inside slumberstepd: one step on one node, its tasks and their streams */
#pragma once

#include "agent/environment.h"
#include "agent/link.h"
#include "cgroup/cgroup.h"

#include <sys/resource.h>

#define STEP_TASKS_MAX 16384 /* on one node; each costs up to four descriptors */

#define TASK_STATUS_NO_STREAMS 53 /* Slurm's ExitCode 0:53 */

enum { STREAM_IN, STREAM_OUT, STREAM_ERR, STREAM_MAX };

/* One standard stream that goes to the client; fd is our end of the pipe, -1 when there is none (a
   file) or it is over. */
struct stream {
        int fd;
        size_t unacknowledged; /* out: bytes that the client has not yet consumed */
        uint8_t *queue;        /* in: bytes that the task has not yet taken */
        size_t queued;
        uint64_t consumed; /* in: bytes written to the task since the start */
        bool finish;       /* in: close when the queue is empty */
};

struct task {
        uint32_t rank;
        pid_t pid; /* 0: not started */
        bool running;
        int status;  /* wait status */
        int exec_fd; /* closes at exec; before that it may say what failed */
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

struct step {
        Slumber__StepdSpec *spec;
        const Slumber__LaunchStep *launch;
        const Slumber__CredentialBody *credential;
        struct cg *group;
        struct link link;
        int listen_fd, signal_fd;
        struct user user;
        struct environment environment;
        char *script; /* path of the batch script */
        struct task *tasks;
        size_t n_tasks, n_running;
        struct output *outputs;
        size_t n_outputs, outputs_allocated;
        int error_fd;        /* file of the first task's standard error; -1: the client */
        int chdir_error;     /* why the work folder is /tmp */
        struct rlimit files; /* as it was before we raised ours */

        uint64_t in_acknowledged; /* broadcast input that the client knows to be consumed */
        bool in_to_all;
        bool out_of_memory_said, launch_reported, terminating, nobody_reads, over, released;
        Slumber__LaunchResult *launch_result;
        struct rusage usage;
        bool leftovers, abandoned;
        usec_t stop_by, drain_by; /* CLOCK_MONOTONIC: until when leftovers and the client are waited for */
};

/* ---- slumberstepd.c ---- */
/* The step daemon of one step, from its description to its release; both descriptors are taken. */
void step_run(int spec, int listener) __attribute__((noreturn));
void step_take_priority(void);

/* ---- task.c ---- */
int user_find(const Slumber__CredentialBody *credential, struct user *ret, struct fail *fail);
void user_done(struct user *user);
/* Goes to the step's folder, writes the script, opens files and starts all tasks.  On failure those
   that were started are to be killed by the caller. */
int step_start_tasks(struct step *s, struct fail *fail);
/* Reads what a task says before its exec: 1 it runs (or has told the user why not), 0 not yet, or the
   error for which the launch failed. */
int task_check_exec(struct task *t, struct fail *fail);
/* "slurmstepd: error: TEXT" to the user, where the step's standard error goes. */
void step_complain(struct step *s, const char *format, ...) _printf_(2, 3);

/* ---- stream.c ---- */
bool stream_wants_read(const struct step *s, const struct task *t, int number);
void stream_read(struct step *s, struct task *t, int number);
bool stream_wants_write(const struct task *t);
void stream_write(struct step *s, struct task *t);
/* From the client: input, its end, or credit. */
void step_io(struct step *s, const Slumber__StepIo *io);
bool step_drained(const struct step *s); /* no output is on its way any more */
void step_forget_credit(struct step *s); /* the link is new: what was under way is lost or taken */
void stream_send_text(struct step *s, struct task *t, int number, const char *text, size_t size);
void stream_done(struct stream *stream);
