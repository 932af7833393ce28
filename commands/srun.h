/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/srun.h - one srun: its allocation, its step, what it has seen of both; shared by srun.c, srun_step.c and
 * salloc.c, which gets its allocation in the same way and then holds it for a command instead of a step */
#pragma once

#include "commands/command.h"
#include "commands/jobspec.h"
#include "commands/stepio.h"
#include "lib/wire.h"

#define SRUN "srun"

enum srun_phase {      /* in this order, and never back, but for SUBMIT that is said again */
        SRUN_SUBMIT,   /* asked for an allocation */
        SRUN_QUEUED,   /* has a job id, waits for its resources */
        SRUN_STEP,     /* asked for the step */
        SRUN_RUNNING,  /* the step has an id; the command of salloc runs, or will when the nodes are up */
        SRUN_COMPLETE, /* told the controller that the allocation may go */
        SRUN_DONE,
        SRUN_PHASE_MAX,
};

/* The connection broke: what it held is asked for again by a new one, the allocation first. */
enum srun_again { AGAIN_NONE, AGAIN_JOB, AGAIN_STEP, AGAIN_MAX };

struct salloc;

/* What a debugger wants to know of a task. */
struct srun_process {
        uint32_t pid;     /* on its node; 0: not known yet */
        const char *host; /* the node's name, of s->nodes */
        char *executable;
};

struct srun {
        const char *program;   /* what messages begin with */
        struct salloc *salloc; /* NULL: the allocation is for a step */
        struct job_options o;
        int argc;
        char **argv; /* the program and its arguments */
        char *submit_line; /* how srun or salloc was called */
        struct wire *w; /* NULL: lost */
        int signal_fd;
        uint64_t token; /* by which the controller knows our allocation and our step again */
        enum srun_again again;
        usec_t lost_since, retry_at, backoff; /* CLOCK_MONOTONIC; lost_since is 0 while all is well */
        bool said_lost;

        enum srun_phase phase;
        bool own;                       /* the job is ours: it ends with us */
        bool said_queued;               /* the user knows that the job waits */
        bool cancel_wanted;             /* Ctrl-C before there was a job to cancel */
        bool revoked;                   /* the job has ended by itself */
        bool not_immediate;             /* --immediate was in vain */
        bool ends;                      /* it has passed on a signal that ends programs */
        bool gave_up;                   /* --immediate=SECONDS are over */
        bool failed;                    /* something went wrong that is no task's status */
        uint64_t last_request, awaited; /* ids of Envelopes */
        uint32_t job, step;
        uint32_t status;     /* the worst of the tasks' */
        int failure;         /* exit code of what fails before anything is asked for */
        usec_t queue_notice; /* CLOCK_MONOTONIC: say then that the job waits; 0 = not */
        usec_t step_notice;  /* ... that the step does */
        char *waits_for;     /* for these nodes; "": for other steps */
        bool said_waits;
        usec_t interrupted;  /* of the last Ctrl-C */
        usec_t give_up_at;   /* --immediate=SECONDS: until when to wait for the allocation; 0 = for ever */
        usec_t wait_until;   /* --wait: for the tasks that are left; 0 = for ever */
        usec_t answer_by;    /* it was to end: until when the daemon of this host must have said anything; 0 = it need not */
        usec_t deadline;     /* of a step that was told to end; 0 = none */

        uint32_t kill_wait;  /* s, as the controller has it */
        bool kill_on_bad_exit; /* likewise */
        char *multi_prog;    /* --multi-prog: the text of the file */

        /* the step, once it runs */
        struct hostlist *nodes;
        uint32_t num_tasks;
        uint32_t *tasks_left;          /* of each node */
        bool *ended;                   /* of each rank */
        uint32_t *node_of;             /* of each rank: its place in nodes */
        struct srun_process *processes; /* of each rank, as nodes tell them; NULL: none has told */
        uint32_t n_processes;           /* known */
        struct step_output *output[3]; /* by stream; 0 is unused */
        int output_fd[3];              /* -1 = standard output or error */
        char *out_file, *err_file;     /* patterns of files that srun writes itself; NULL = none */
        struct step_input *input;
        int input_fd;
        bool no_files; /* one could not be opened: nothing else counts */
        bool input_open;
};

/* srun_ask.c: 0 or a negative errno, mostly that of a connection that is lost */
int srun_send(struct srun *s, Envelope *env, bool answered); /* answered: s->awaited becomes its id */
const char *srun_job_name(const struct srun *s); /* the step's too */
int srun_ask_job(struct srun *s);
int srun_ask_step(struct srun *s); /* failures other than the connection's are said */
/* value: of a signal, or the exit status that COMPLETE tells. */
int srun_act(struct srun *s, Slumber__JobActionKind kind, uint32_t value, bool of_step, bool answered);

/* srun_step.c */
/* Which of -o, -e, -i are files of ours and which are the nodes'; the latter go into spec. */
void srun_streams(struct srun *s, Slumber__StepSpec *spec);
/* Opens srun's own files; step: also those with the step's number in their name.  Logs failures. */
int srun_open_files(struct srun *s, bool step);
/* The step has started: opens the rest of the files, makes streams.  Failures are said. */
int srun_step_begin(struct srun *s, const Slumber__StepReply *reply);
void srun_step_notice(struct srun *s, const Slumber__StepNotice *notice);
void srun_step_io(struct srun *s, const Slumber__StepIo *io);
/* Says what has come of the streams, so that more may; all: also little. */
void srun_tell_taken(struct srun *s, bool all);
bool srun_wants_input(const struct srun *s);
void srun_read_input(struct srun *s);
void srun_print_status(const struct srun *s);
void srun_step_done(struct srun *s);

/* salloc.c */
/* The allocation is there: s->phase becomes RUNNING, or what comes after. */
void salloc_allocated(struct srun *s, const Slumber__Allocation *allocation);
void salloc_ready(struct srun *s, const Slumber__Allocation *allocation); /* its nodes are up */
void salloc_revoked(struct srun *s, const Slumber__Job *job);
bool salloc_signal(struct srun *s, int signal); /* false: as srun */
void salloc_time(struct srun *s);
usec_t salloc_deadline(const struct srun *s); /* of salloc_time; CLOCK_MONOTONIC, USEC_INFINITY */

/* srun.c */
/* Connects, asks for the allocation or the step and goes on until all is over. */
int srun_begin(struct srun *s);
void srun_run(struct srun *s);
void srun_free(struct srun *s);
int srun_failure(const struct srun *s); /* the exit code of what failed here */
void srun_finish(struct srun *s); /* the allocation is not needed any more */
void srun_cancel(struct srun *s); /* ends it, whatever runs in it */
/* The step was told to end where nothing answers, nodes a list: it is left. */
void srun_nodes_silent(struct srun *s, const char *nodes);
void srun_end_step(struct srun *s); /* kills it, once */
void srun_signal_step(struct srun *s, uint32_t signal);

/* srun_verbose.c: lines of -v; without it they say nothing. */
/* allocation is NULL where the job was there before, and what runs in it has its environment. */
void srun_say_allocated(const struct srun *s, const Slumber__Allocation *allocation);
void srun_say_launch(const struct srun *s, const Slumber__StepReply *reply);
void srun_say_started(const struct srun *s);
void srun_say_exited(const struct srun *s, const Slumber__StepNotice *notice);

/* srun_pty.c */
/* The size of this terminal, or of none; NULL without --pty.  Lives until the next call. */
Slumber__Window *srun_pty_window(const struct srun *s);
/* From now on every key is the task's: raw, until srun_pty_end(), which may come twice, or the process ends. */
void srun_pty_begin(struct srun *s);
void srun_pty_resized(struct srun *s);
void srun_pty_end(struct srun *s);

/* srun_multi.c */
/* Reads the file that argv[0] names; wrong lines, and tasks that no line is for, are refused. */
int srun_read_multi_prog(struct srun *s, struct fail *fail);
