/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/srun.h - an srun with its allocation and step; shared by srun*.c and by salloc.c,
 * which gets its allocation in the same way and holds the allocation for a command instead of a
 * step */
#pragma once

#include "commands/command.h"
#include "commands/exit_lines.h"
#include "commands/jobspec/jobspec.h"
#include "commands/steps/step_signals.h"
#include "commands/steps/stepio.h"
#include "lib/environment.h"
#include "lib/wire.h"

#define SRUN "srun"

enum srun_phase {    /* never goes back, except for a repeated SUBMIT */
        SRUN_SUBMIT, /* has requested an allocation */
        SRUN_QUEUED, /* has a job id, waits for resources */
        SRUN_STEP,   /* has requested the step */
        /* The step has an id; salloc's command runs, or will when the nodes are up */
        SRUN_RUNNING,
        SRUN_COMPLETE, /* has released the allocation */
        SRUN_DONE,
        SRUN_PHASE_MAX,
};

/* The request repeated first over a new connection, after one was lost. */
enum srun_again { AGAIN_NONE, AGAIN_JOB, AGAIN_STEP, AGAIN_MAX };

struct salloc;
struct srun_viewer;

/* The copy made by --bcast on the nodes. */
struct srun_copy {
        char **argv; /* the command line with the copy's path; NULL: no copy */
        char *libs;  /* folder of the copied libraries; NULL: none copied */
};
void srun_copy_done(struct srun_copy *c); /* srun_bcast.c */

/* A component of a heterogeneous step (srun A : B) has these members for itself; all else is
   taken from the first component. */
struct srun_part {
        struct job_options o;
        int argc; /* this and the next members as in struct srun */
        char **argv;
        struct srun_copy copy;
        char *out_file, *err_file;
        int output_fd[3];
        struct step_output *output[3];
        uint32_t end; /* the component's ranks are from the previous end up to, without, this end */
        size_t line;  /* index in struct srun's lines */
        int group;    /* component of the heterogeneous job; -1: none */
};

/* A part of the command line between two ":". */
struct srun_line {
        int argc;
        char **argv;   /* starts with the program's name */
        int n_program; /* 0: no program, here or in later lines */
        /* The line's own program, or that of the next line with a program; NULL: not looked for,
           in a single line */
        char **program;
        const char *groups; /* --het-group */
};

/* Data of a task for debuggers. */
struct srun_process {
        uint32_t pid;     /* on its node; 0: unknown so far */
        const char *host; /* node name, borrowed from s->nodes */
        char *executable;
};

enum rank_end {
        RANK_RUNS,
        RANK_ENDED,
        RANK_FAILED, /* ended by a signal, or with a nonzero exit code */
};

struct srun {
        const char *program;   /* prefix of messages */
        struct salloc *salloc; /* NULL: srun */
        struct job_options o;
        /* salloc: options of the further components of a heterogeneous job */
        struct job_options *later;
        size_t n_later;
        int argc;
        char **argv; /* the program and its arguments */
        /* srun: the lines of the command line; line: index of the line being read */
        struct srun_line *lines;
        size_t n_lines, line;
        int group; /* component of the heterogeneous job being read; -1: none */
        /* The first component's o, argv and other members of struct srun_part are here in struct
           srun; parts[0] only has line, group and end. n_parts 0: the step is not heterogeneous. */
        struct srun_part *parts;
        size_t n_parts, turn; /* turn: component that is swapped in by srun_turn() */
        /* Each component of the step runs on another component of a heterogeneous job */
        bool spans;
        uint32_t leader; /* leader's id of this job, or of the job of group; 0: none */
        bool elsewhere;  /* this job is not the environment's job */
        struct srun_copy copy;
        bool bcast_done;   /* --bcast was handled: argv[0] is the copy */
        char *submit_line; /* the command line of srun or salloc */
        struct wire *w;    /* NULL: disconnected */
        int signal_fd;
        /* Identifies allocation and step to the controller after a lost connection. */
        uint64_t token;
        enum srun_again again;
        /* CLOCK_MONOTONIC; lost_since is 0 while connected */
        usec_t lost_since, retry_at, backoff;
        bool said_lost;
        /* job_due: the allocation still has to be requested again, as the controller is away.
           step_back: the step's maker has recognized the step since the connection was lost. */
        bool job_due, step_back;
        /* Requested together with the allocation: the step may exist as soon as the allocation */
        bool step_asked;

        enum srun_phase phase;
        /* The allocation was made by this command and ends with it. */
        bool own;
        bool said_queued;               /* the message about the waiting job was printed */
        bool cancel_wanted;             /* Ctrl-C before the job id was known */
        bool revoked;                   /* the job has ended by itself */
        bool not_immediate;             /* --immediate could not be satisfied */
        uint32_t ends;                  /* last terminating signal passed on; 0: none */
        bool gave_up;                   /* the time of --immediate=SECONDS has expired */
        bool failed;                    /* an error other than a task's status */
        uint64_t last_request, awaited; /* ids of Envelopes */
        uint32_t job, step;
        uint32_t status;     /* worst wait status of the tasks */
        bool aborted;        /* status is from the task that has ended the step (MPI_Abort) */
        int failure;         /* exit code of errors before the first request */
        usec_t queue_notice; /* CLOCK_MONOTONIC: time of the message that the job waits; 0: none */
        usec_t step_notice;  /* time of the message that the step waits; 0: none */
        char *waits_for;     /* nodes being waited for; "": other steps, or ports */
        bool waits_for_ports;
        uint64_t place; /* StepNotice.place of the waiting request; 0: none */
        bool said_waits;
        usec_t interrupted; /* time of the last Ctrl-C */
        /* --immediate=SECONDS: deadline for the allocation; 0: none */
        usec_t give_up_at;
        usec_t wait_until; /* --wait: deadline for the remaining tasks; 0: none */
        usec_t launch_by;  /* --msg-timeout: deadline for all nodes' launches; 0: none */
        bool launch_late;  /* the deadline is over, except for messages not read yet */
        /* Deadline for any message of this host's daemon after a request to end; 0: none. */
        usec_t answer_by;
        usec_t deadline;     /* end of waiting for a step that was requested to end; 0: none */
        uint32_t end_signal; /* SIGKILL, or 0: SIGTERM and, after KillWait, SIGKILL */
        usec_t kill_at;      /* after Ctrl-C was passed on: when the step is killed; 0: no Ctrl-C */
        /* Since when the job has been suspended, which halts wait_until, launch_by, deadline and
           kill_at; 0: not suspended */
        usec_t stopped_at;
        /* Time for which srun was stopped while a timer was set, excluded like suspended time;
           the last check, CLOCK_MONOTONIC */
        usec_t stood_still, looked_at;

        uint32_t kill_wait;    /* seconds, from the controller */
        bool kill_on_bad_exit; /* from the controller */
        char *multi_prog;      /* --multi-prog: the text of the file */

        /* Members of a running step */
        struct hostlist *nodes;
        uint32_t num_tasks;
        uint32_t *tasks_left;       /* by node */
        enum rank_end *ended;       /* by rank */
        struct exit_lines failures; /* waiting to be printed */
        uint32_t *node_of;          /* by rank: index in nodes */
        /* Lists of ranks by node: first_of is 1 + the node's first rank, next_of by rank 1 + the
           next rank; 0: end */
        uint32_t *first_of, *next_of;
        /* Reports of nodes, by rank; NULL: no report yet. */
        struct srun_process *processes;
        uint32_t n_processes;          /* reported so far */
        struct step_output *output[3]; /* by stream; 0 is unused */
        int output_fd[3];              /* -1: standard output or error */
        char *out_file, *err_file;     /* patterns of files written by srun itself; NULL: none */
        struct step_input *input;
        struct step_signals *signals;
        struct srun_viewer *viewers; /* sattaches that have sent input */
        size_t n_viewers, a_viewers;
        int input_fd;
        /* Streams pass through this host's daemon without the controller, and continue in its
           absence. */
        bool direct;
        size_t untold; /* bytes since all ranks' nodes were sent acknowledgements */
        bool no_files; /* a file could not be opened: the command fails */
        bool refused;  /* a plug-in or the prolog has refused the step: the command fails */
        bool input_open;

        /* SrunProlog, SrunEpilog, --prolog, --epilog */
        struct environment *job_env; /* environment of the own allocation; NULL: none */
        char *epilog;                /* SrunEpilog */
        char *away;     /* text of the error of an absent daemon; NULL: the controller */
        pid_t hook;     /* leads its process group; 0: none runs */
        int hook_fd;    /* pidfd of the hook; -1: none */
        bool hook_told; /* the hook was sent SIGTERM */
        bool held;      /* the step is not launched: the prolog runs, or has failed */
        bool go;        /* the prolog has succeeded */
};

/* srun_ask.c: functions return 0 or a negative errno, mostly of a lost connection */
/* answered: s->awaited becomes the request's id. */
int srun_send(struct srun *s, Envelope *env, bool answered);
const char *srun_job_name(const struct srun *s); /* the step's name, too */
int srun_ask_job(struct srun *s);
int srun_ask_step(struct srun *s); /* logs errors, except of the connection */
/* value: a signal, or the exit status for COMPLETE. */
int srun_act(struct srun *s, Slumber__JobActionKind kind, uint32_t value, bool of_step,
                bool answered);

/* srun_step.c */
/* Decides which of -o, -e, -i srun opens itself; the others are opened by the nodes and go into
   spec. */
void srun_streams(struct srun *s, Slumber__StepSpec *spec);
/* Opens srun's own files; step: also files with the step id in their name. Logs failures. */
int srun_open_files(struct srun *s, bool step);
/* The step has started: opens the remaining files, makes streams. Logs errors. */
int srun_step_begin(struct srun *s, const Slumber__StepReply *reply);
void srun_step_notice(struct srun *s, const Slumber__StepNotice *notice);
void srun_step_io(struct srun *s, const Slumber__StepIo *io);
/* Sends a signal to the tasks of a node; "": of all nodes. */
void srun_send_signal(struct srun *s, const char *node, uint32_t number, uint32_t signal);
/* Acknowledges received bytes, so that nodes send more; all: also small amounts. */
void srun_tell_taken(struct srun *s, bool all);
bool srun_wants_input(const struct srun *s);
void srun_read_input(struct srun *s);
void srun_print_status(struct srun *s);
void srun_step_done(struct srun *s);

/* node "": all nodes. */
void srun_send_input(struct srun *s, const char *node, const struct step_input_part *part);

/* srun_parts.c: components of a heterogeneous step */
/* Swaps the component's members in s->parts with those in s; a second call swaps back. No-op for
   the first component. */
void srun_turn(struct srun *s, size_t part);
/* Reads the components after the first; returns like srun_read_options(). */
int srun_read_parts(struct srun *s, struct fail *fail);
/* Returns the output for a rank's stream. */
struct step_output *srun_output(const struct srun *s, uint32_t stream, uint32_t rank);
/* Returns the output of a component. */
struct step_output *srun_part_output(const struct srun *s, size_t part, uint32_t stream);
/* Called in the component's turn: returns a duplicate descriptor of the file of this pattern
   that an earlier component has open; -1: none. */
int srun_shared_file(const struct srun *s, size_t part, const char *pattern);
/* Takes the numbers of tasks of each component; logs errors. */
int srun_parts_begin(struct srun *s, const Slumber__StepReply *reply);
void srun_parts_free(struct srun *s);
/* Returns the component of the heterogeneous job on which the part runs. */
static inline uint32_t srun_component(const struct srun *s, size_t part) {
        return s->parts[part].group < 0 ? (uint32_t)part : (uint32_t)s->parts[part].group;
}
/* Returns the id of the step's job, or of the part's component of the job. */
static inline uint32_t srun_job_of(const struct srun *s, size_t part) {
        return s->job + (s->spans ? srun_component(s, part) : 0);
}
/* Returns the number of components, at least 1. */
static inline size_t srun_count_parts(const struct srun *s) {
        return s->n_parts ? s->n_parts : 1;
}

/* srun_lines.c: the command line, split into components */
/* Finds s->lines and their components: s->parts, in the job's order, or s->group for a single
   one. Returns 0, OPTIONS_DONE, or an error with exit code s->failure. */
int srun_split(struct srun *s, int argc, char **argv, struct fail *fail);
/* Makes the environment that of the component of the job, if the environment belongs to the job;
   -1: no-op. */
void srun_take_group(const struct srun *s, int group);

/* srun.c */
/* CLOCK_MONOTONIC without the time for which srun was stopped. All times of struct srun except
   interrupted use this clock. */
usec_t srun_now(const struct srun *s);
void srun_job_stopped(struct srun *s);  /* the job is suspended; may be called twice */
void srun_job_goes_on(struct srun *s);  /* no-op unless suspended */
void srun_limit_launch(struct srun *s); /* starts --msg-timeout; srun_answers.c */

/* srun_viewers.c: input of sattaches, added to the step's own input */
void srun_viewer_input(struct srun *s, const Slumber__View *m);
void srun_viewers_room(struct srun *s); /* tasks have taken input: requests dropped input again */
void srun_viewers_done(struct srun *s);

/* salloc.c */
/* The allocation exists: s->phase becomes RUNNING or a later phase. */
void salloc_allocated(struct srun *s, const Slumber__Allocation *allocation);
void salloc_ready(struct srun *s, const Slumber__Allocation *allocation); /* the nodes are up */
void salloc_revoked(struct srun *s, const Slumber__Job *job);
bool salloc_signal(struct srun *s, int signal); /* false: handle as in srun */
void salloc_time(struct srun *s);
/* Next time for salloc_time(), as of srun_now(); USEC_INFINITY: none */
usec_t salloc_deadline(const struct srun *s);

/* srun_options.c */
/* Reads the command line. Returns 0, OPTIONS_DONE, or an error with exit code s->failure; fail
   is empty if the error was already printed. */
int srun_read_options(struct srun *s, int argc, char **argv, struct fail *fail);
/* user_become() for --uid and --gid of srun and salloc; an unknown name sets s->failure. */
int srun_become(struct srun *s, struct fail *fail);
/* Checks conflicts between the options in s->o, of any component. */
int srun_options_check(struct srun *s, struct fail *fail);
/* srun_sources_read() reads the options of srun or salloc from all sources, and again after a
   change by cli_filter.lua; returns like srun_read_options(). */
/* Reads salloc's further components, started by ":" in the place of the program. argc, argv: the
   whole command line. */
int srun_read_components(struct srun *s, int argc, char **argv, struct fail *fail);
int srun_sources_read(struct srun *s, enum job_command command, int argc, char **argv,
                struct fail *fail);
/* The command line is read: calls plug-ins, which may refuse options, with fail. */
int srun_options_read(struct srun *s, struct fail *fail);
/* Returns the number of components of the step, or of the job requested by salloc, at least 1. */
size_t srun_components(const struct srun *s);
const struct job_options *srun_options_of(const struct srun *s, size_t at);
void srun_tell_filter(const struct srun *s, uint32_t step); /* slurm_cli_post_submit() */

/* srun.c */
/* Connects and requests the allocation or the step; srun_run() loops until the end. */
int srun_begin(struct srun *s);
void srun_run(struct srun *s);
void srun_say_queued(struct srun *s); /* prints that the job waits */
void srun_go(struct srun *s);         /* requests the launch of the held step, when possible */
bool srun_signal_ends(int signal);    /* SIGINT and the like */
void srun_free(struct srun *s);
int srun_failure(const struct srun *s); /* the exit code of errors in srun */
void srun_finish(struct srun *s);       /* releases the allocation */
void srun_cancel(struct srun *s);       /* ends the allocation with all its steps */
/* Stops waiting for a step that was requested to end, as the listed nodes do not answer. */
void srun_nodes_silent(struct srun *s, const char *nodes);
void srun_end_step(struct srun *s); /* kills the step; no-op if called again */
void srun_signal_step(struct srun *s, uint32_t signal);
void srun_abort_step(struct srun *s); /* kills the step and prints that srun waits for the end */
void srun_give_up(struct srun *s);    /* the command has failed */
/* No task runs yet: ends srun's own allocation; another allocation stays. */
void srun_cancel_waiting(struct srun *s);
/* The connection broke, or the request has to be repeated over a new one. */
void srun_retry_later(struct srun *s);
/* The controller is away; this host's daemon still passes the streams of a running step. */
void srun_controller_lost(struct srun *s);
void srun_is_back(struct srun *s); /* the controller answers again */
/* The step's maker answers again while the controller is away; held: the step has to be
   requested again with go. */
void srun_step_is_back(struct srun *s, bool held);

/* srun_answers.c */
void srun_message(struct srun *s, const Envelope *env); /* a message for s */

/* srun_hooks.c */
void srun_keep_allocation(struct srun *s, const Slumber__Allocation *allocation);
/* Runs the prolog of a held step. Logs errors, which end the step. */
void srun_prolog_begin(struct srun *s, const Slumber__StepReply *reply);
void srun_prolog_over(struct srun *s); /* hook_fd is readable */
void srun_hook_signal(struct srun *s); /* ends the hook, at the second call by SIGKILL */
void srun_hook_leave(struct srun *s);  /* ends the hook and waits; no-op if none runs */
void srun_epilog(struct srun *s);      /* runs the epilog after the step and waits; logs errors */

/* srun_verbose.c: lines of -v; no-ops without -v */
/* Prints the options of each component of the job or step. */
void srun_say_options(const struct srun *s);
/* allocation NULL: an existing job, whose environment is srun's. */
void srun_say_allocated(const struct srun *s, const Slumber__Allocation *allocation);
void srun_say_launch(const struct srun *s, const Slumber__StepReply *reply);
void srun_say_started(const struct srun *s);
void srun_say_exited(const struct srun *s, const Slumber__StepNotice *notice);

/* srun_pty.c */
/* Returns the terminal's size, zeros without a terminal; NULL without --pty. Valid until the
   next call. */
Slumber__Window *srun_pty_window(const struct srun *s);
/* Makes the terminal raw until srun_pty_end(), which may be called twice, or the end of the
   process. */
void srun_pty_begin(struct srun *s);
/* node "": all nodes. */
void srun_pty_resized(struct srun *s, const char *node);
void srun_pty_end(struct srun *s);

/* srun_multi.c */
/* Reads the file named by argv[0]; refuses invalid lines and tasks without a line. */
int srun_read_multi_prog(struct srun *s, struct fail *fail);
