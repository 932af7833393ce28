/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/srun.h - one srun: its allocation and its step; shared by the files srun*.c and
 * salloc.c, which gets its allocation in the same way and holds it for a command instead of a
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

enum srun_phase {    /* in this order, and never back, except for a repeated SUBMIT */
        SRUN_SUBMIT, /* has requested an allocation */
        SRUN_QUEUED, /* has a job id, waits for its resources */
        SRUN_STEP,   /* has requested the step */
        /* the step has an id; the command of salloc runs, or will when the nodes are up */
        SRUN_RUNNING,
        SRUN_COMPLETE, /* has released the allocation */
        SRUN_DONE,
        SRUN_PHASE_MAX,
};

/* After a lost connection: what is requested again by the new one, the allocation first. */
enum srun_again { AGAIN_NONE, AGAIN_JOB, AGAIN_STEP, AGAIN_MAX };

struct salloc;
struct srun_viewer;

/* The copy that --bcast has made on the nodes. */
struct srun_copy {
        char **argv; /* the command line with the path of the copy; NULL: there is none */
        char *libs;  /* the folder of its libraries; NULL: they were not sent */
};
void srun_copy_done(struct srun_copy *c); /* srun_bcast.c */

/* What a component of a heterogeneous step has of its own (srun A : B).  All else is as the first
   one says. */
struct srun_part {
        struct job_options o;
        int argc; /* as struct srun's, as what follows */
        char **argv;
        struct srun_copy copy;
        char *out_file, *err_file;
        int output_fd[3];
        struct step_output *output[3];
        uint32_t end; /* its ranks are below this, and not below those of the one before */
        size_t line;  /* its place in struct srun's lines */
        int group;    /* which component of the heterogeneous job; -1: there is none */
};

/* What stands between two ":" of the command line. */
struct srun_line {
        int argc;
        char **argv;   /* from the program's name on */
        int n_program; /* 0: there is none, nor behind it */
        /* its own, or that of the next line that has one; NULL: not looked for, as it is the only
           line */
        char **program;
        const char *groups; /* --het-group */
};

/* What a debugger needs of a task. */
struct srun_process {
        uint32_t pid;     /* on its node; 0: not known yet */
        const char *host; /* the node's name, of s->nodes */
        char *executable;
};

enum rank_end {
        RANK_RUNS,
        RANK_ENDED,
        RANK_FAILED, /* by a signal, or with another exit code than 0 */
};

struct srun {
        const char *program;   /* prefix of messages */
        struct salloc *salloc; /* NULL: the allocation is for a step */
        struct job_options o;
        /* salloc: of the components of a heterogeneous job behind the first one */
        struct job_options *later;
        size_t n_later;
        int argc;
        char **argv; /* the program and its arguments */
        /* srun: its command line, and which of its lines is read at present */
        struct srun_line *lines;
        size_t n_lines, line;
        int group; /* likewise: of which component of the heterogeneous job; -1: of none */
        /* Of the first component argv, o and what struct srun_part has besides stand here, and in
           parts[0] line, group and end alone.  n_parts 0: the step is not heterogeneous. */
        struct srun_part *parts;
        size_t n_parts, turn; /* turn: which of them stands here at present */
        bool spans;           /* each of them is on another component of a heterogeneous job */
        uint32_t leader;      /* of that job, or of the one that group is in; 0: none */
        bool elsewhere;       /* that job is not the environment's */
        struct srun_copy copy;
        bool bcast_done;   /* --bcast was heeded: argv[0] is the copy */
        char *submit_line; /* the command line of srun or salloc */
        struct wire *w;    /* NULL: disconnected */
        int signal_fd;
        /* Identifies allocation and step to the controller after a lost connection. */
        uint64_t token;
        enum srun_again again;
        /* CLOCK_MONOTONIC; lost_since is 0 while all is well */
        usec_t lost_since, retry_at, backoff;
        bool said_lost;
        /* Its allocation waits for the controller; the step may be asked for without, and has been
           found where it is made since the connection was lost. */
        bool job_due, step_back;
        bool step_asked; /* with the allocation, at first: it may be there as soon as that */

        enum srun_phase phase;
        /* The allocation was made by this command and ends with it. */
        bool own;
        bool said_queued;               /* a message has said that the job waits */
        bool cancel_wanted;             /* Ctrl-C before there was a job to cancel */
        bool revoked;                   /* the job has ended by itself */
        bool not_immediate;             /* --immediate could not be satisfied */
        uint32_t ends;                  /* the last signal passed on that ends programs; 0: none */
        bool gave_up;                   /* --immediate=SECONDS are over */
        bool failed;                    /* an error other than a task's status */
        uint64_t last_request, awaited; /* ids of Envelopes */
        uint32_t job, step;
        uint32_t status;     /* the worst of the tasks' */
        bool aborted;        /* ... or that of the one that has ended the step (MPI_Abort) */
        int failure;         /* exit code of errors before the first request */
        usec_t queue_notice; /* CLOCK_MONOTONIC: time of the message that the job waits; 0 = none */
        usec_t step_notice;  /* ... that the step waits */
        char *waits_for;     /* nodes that are waited for; "": other steps, or ports */
        bool waits_for_ports;
        uint64_t place; /* of its request, as StepNotice.place; 0: none */
        bool said_waits;
        usec_t interrupted; /* of the last Ctrl-C */
        /* --immediate=SECONDS: until when to wait for the allocation; 0 = for ever */
        usec_t give_up_at;
        usec_t wait_until; /* --wait: for the tasks that are left; 0 = for ever */
        usec_t launch_by;  /* --msg-timeout: all nodes are to have launched it; 0 = none is late */
        bool launch_late;  /* it is over, but for what has not been read yet */
        /* After a request to end: deadline for any message of this host's daemon; 0 = none. */
        usec_t answer_by;
        usec_t deadline;     /* for a step that was told to end; 0 = none */
        uint32_t end_signal; /* ... by SIGKILL at once, or 0: by SIGTERM, and after KillWait */
        usec_t kill_at; /* Ctrl-C has been passed on: when the step is killed; 0 = it has not */
        /* since when its job is suspended: wait_until, launch_by, deadline and kill_at stand still;
           0 = it is not */
        usec_t stopped_at;
        /* so long this process stood still where something was due, as with its job; the last look
           at that, CLOCK_MONOTONIC */
        usec_t stood_still, looked_at;

        uint32_t kill_wait;    /* s, from the controller */
        bool kill_on_bad_exit; /* likewise */
        char *multi_prog;      /* --multi-prog: the text of the file */

        /* the step, once it runs */
        struct hostlist *nodes;
        uint32_t num_tasks;
        uint32_t *tasks_left;       /* of each node */
        enum rank_end *ended;       /* of each rank */
        struct exit_lines failures; /* that are to be told */
        uint32_t *node_of;          /* of each rank: its place in nodes */
        /* the ranks of each node: 1 + its first one, and of each rank 1 + the next; 0: none */
        uint32_t *first_of, *next_of;
        /* of each rank, as nodes report them; NULL: no report yet. */
        struct srun_process *processes;
        uint32_t n_processes;          /* known */
        struct step_output *output[3]; /* by stream; 0 is unused */
        int output_fd[3];              /* -1 = standard output or error */
        char *out_file, *err_file;     /* patterns of files that srun writes itself; NULL = none */
        struct step_input *input;
        struct step_signals *signals;
        struct srun_viewer *viewers; /* sattaches that have said something */
        size_t n_viewers, a_viewers;
        int input_fd;
        /* Its streams go to this host's daemon without the controller: they go on without that. */
        bool direct;
        size_t untold; /* bytes since all ranks' nodes were told what was taken */
        bool no_files; /* a file could not be opened: the command fails */
        bool refused;  /* by a plug-in or the prolog: likewise */
        bool input_open;

        /* SrunProlog, SrunEpilog and their like */
        struct environment *job_env; /* of its own allocation; NULL: it has none */
        char *epilog;                /* SrunEpilog */
        char *away;                  /* what does not answer, and how; NULL: the controller */
        pid_t hook;                  /* leads its group; 0: none runs */
        int hook_fd;                 /* its pidfd; -1 */
        bool hook_told;              /* it was told to end */
        bool held;                   /* the step is not launched: the prolog runs, or has failed */
        bool go;                     /* the prolog has ended well */
};

/* srun_ask.c: 0 or a negative errno, mostly that of a connection that is lost */
/* answered: s->awaited becomes its id */
int srun_send(struct srun *s, Envelope *env, bool answered);
const char *srun_job_name(const struct srun *s); /* the step's too */
int srun_ask_job(struct srun *s);
int srun_ask_step(struct srun *s); /* logs errors other than of the connection */
/* value: of a signal, or the exit status that COMPLETE tells. */
int srun_act(struct srun *s, Slumber__JobActionKind kind, uint32_t value, bool of_step,
                bool answered);

/* srun_step.c */
/* Decides which of -o, -e, -i are srun's own files and which are the nodes'; the latter go into
   spec. */
void srun_streams(struct srun *s, Slumber__StepSpec *spec);
/* Opens srun's own files; step: also those with the step's number in their name.  Logs failures. */
int srun_open_files(struct srun *s, bool step);
/* The step has started: opens the rest of the files, makes streams.  Logs errors. */
int srun_step_begin(struct srun *s, const Slumber__StepReply *reply);
void srun_step_notice(struct srun *s, const Slumber__StepNotice *notice);
void srun_step_io(struct srun *s, const Slumber__StepIo *io);
/* To the tasks of a node, or of all: "". */
void srun_send_signal(struct srun *s, const char *node, uint32_t number, uint32_t signal);
/* Acknowledges received bytes of the streams, so that more are sent; all: also few. */
void srun_tell_taken(struct srun *s, bool all);
bool srun_wants_input(const struct srun *s);
void srun_read_input(struct srun *s);
void srun_print_status(struct srun *s);
void srun_step_done(struct srun *s);

/* node: "" = to all */
void srun_send_input(struct srun *s, const char *node, const struct step_input_part *part);

/* srun_parts.c: components of a heterogeneous step */
/* What is the component's own, and stands in s->parts, changes places with what stands in s; the
   same again undoes it.  Nothing for the first one. */
void srun_turn(struct srun *s, size_t part);
/* Reads the components behind the first, which is read; as srun_read_options(). */
int srun_read_parts(struct srun *s, struct fail *fail);
/* The number of the component that a rank is of. */
size_t srun_part_of(const struct srun *s, uint32_t rank);
/* Where what it writes on that stream goes. */
struct step_output *srun_output(const struct srun *s, uint32_t stream, uint32_t rank);
/* Of a component. */
struct step_output *srun_part_output(const struct srun *s, size_t part, uint32_t stream);
/* In its turn: what a component before it has open under the same name already, as a copy of its
   descriptor; -1: none has. */
int srun_shared_file(const struct srun *s, size_t part, const char *pattern);
/* Takes the tasks of each; logs errors. */
int srun_parts_begin(struct srun *s, const Slumber__StepReply *reply);
void srun_parts_free(struct srun *s);
/* The component of the heterogeneous job that the part is on. */
static inline uint32_t srun_component(const struct srun *s, size_t part) {
        return s->parts[part].group < 0 ? (uint32_t)part : (uint32_t)s->parts[part].group;
}
/* The job of the step, or of that component of it. */
static inline uint32_t srun_job_of(const struct srun *s, size_t part) {
        return s->job + (s->spans ? srun_component(s, part) : 0);
}
/* Only one component, or the first: 1. */
static inline size_t srun_count_parts(const struct srun *s) {
        return s->n_parts ? s->n_parts : 1;
}

/* srun_lines.c: the command line, by components */
/* Finds the lines, s->lines, and which parts of a step they are for: s->parts, in their order, or
   s->group of the only one.  0, OPTIONS_DONE, or an error, of which s->failure is the exit code. */
int srun_split(struct srun *s, int argc, char **argv, struct fail *fail);
/* The environment is that of the component from here on, if it is of that job; -1: as it is. */
void srun_take_group(const struct srun *s, int group);

/* srun.c */
/* CLOCK_MONOTONIC without the time in which this process stood still: all times of struct srun but
   interrupted are of this clock. */
usec_t srun_now(const struct srun *s);
void srun_job_stopped(struct srun *s);  /* the job is suspended; may be told again */
void srun_job_goes_on(struct srun *s);  /* does nothing where it was not suspended */
void srun_limit_launch(struct srun *s); /* --msg-timeout, from now on; srun_answers.c */

/* srun_viewers.c: the input of sattaches, which is added to the step's own */
void srun_viewer_input(struct srun *s, const Slumber__View *m);
void srun_viewers_room(struct srun *s); /* some was taken: what had no room is asked for */
void srun_viewers_done(struct srun *s);

/* salloc.c */
/* The allocation is there: s->phase becomes RUNNING, or what comes after. */
void salloc_allocated(struct srun *s, const Slumber__Allocation *allocation);
void salloc_ready(struct srun *s, const Slumber__Allocation *allocation); /* its nodes are up */
void salloc_revoked(struct srun *s, const Slumber__Job *job);
bool salloc_signal(struct srun *s, int signal); /* false: as srun */
void salloc_time(struct srun *s);
usec_t salloc_deadline(const struct srun *s); /* of salloc_time; srun_now(), USEC_INFINITY */

/* srun_options.c */
/* The command line, or OPTIONS_DONE; else s->failure is the exit code, and fail says why where that
   has not been said. */
int srun_read_options(struct srun *s, int argc, char **argv, struct fail *fail);
/* user_become() as the options say, of srun and salloc: s->failure for a name that there is not. */
int srun_become(struct srun *s, struct fail *fail);
/* What s->o says does not go together; of any component. */
int srun_options_check(struct srun *s, struct fail *fail);
/* The sources of srun's or salloc's options in their order, and again after cli_filter.lua has
   changed them: as srun_read_options(), which checks them, too. */
/* salloc, behind it: ":" in the place of the program begins another component; argc, argv: the
   whole command line. */
int srun_read_components(struct srun *s, int argc, char **argv, struct fail *fail);
int srun_sources_read(struct srun *s, enum job_command command, int argc, char **argv,
                struct fail *fail);
/* The command line is read: plug-ins are told, and may refuse it with fail. */
int srun_options_read(struct srun *s, struct fail *fail);
/* Of the step, or of the job that salloc asks for: 1 where it is not heterogeneous. */
size_t srun_components(const struct srun *s);
const struct job_options *srun_options_of(const struct srun *s, size_t at);
void srun_tell_filter(const struct srun *s, uint32_t step); /* slurm_cli_post_submit() */

/* srun.c */
/* Connects, asks for the allocation or the step and goes on until all is over. */
int srun_begin(struct srun *s);
void srun_run(struct srun *s);
void srun_say_queued(struct srun *s); /* that its job waits */
void srun_go(struct srun *s);         /* what is held is to be launched, when it can be said */
bool srun_signal_ends(int signal);    /* SIGINT and the like */
void srun_free(struct srun *s);
int srun_failure(const struct srun *s); /* the exit code of what failed here */
void srun_finish(struct srun *s);       /* releases the allocation */
void srun_cancel(struct srun *s);       /* ends it, whatever runs in it */
/* Leaves a step that was told to end on nodes that do not answer. */
void srun_nodes_silent(struct srun *s, const char *nodes);
void srun_end_step(struct srun *s); /* kills it, once */
void srun_signal_step(struct srun *s, uint32_t signal);
void srun_abort_step(struct srun *s); /* the same, and says that it waits for its end */
void srun_give_up(struct srun *s);    /* the command has failed */
/* Nothing runs yet: our allocation goes, another's stays. */
void srun_cancel_waiting(struct srun *s);
/* The connection broke, or what was asked is to be asked once more by a new one. */
void srun_retry_later(struct srun *s);
/* This host's daemon is there, and passes the streams of a step that runs without the controller.
 */
void srun_controller_lost(struct srun *s);
void srun_is_back(struct srun *s); /* it has answered again */
/* Likewise of the step alone, while the controller is away; held: it is asked for again with go. */
void srun_step_is_back(struct srun *s, bool held);

/* srun_answers.c */
void srun_message(struct srun *s, const Envelope *env); /* has come for s */

/* srun_hooks.c */
void srun_keep_allocation(struct srun *s, const Slumber__Allocation *allocation);
/* Of a step that is held.  Logs errors, which end the step. */
void srun_prolog_begin(struct srun *s, const Slumber__StepReply *reply);
void srun_prolog_over(struct srun *s); /* hook_fd is readable */
void srun_hook_signal(struct srun *s); /* ends it, the second time at once */
void srun_hook_leave(struct srun *s);  /* ends it and waits; nothing where none runs */
void srun_epilog(struct srun *s);      /* all else is over; waits for its end, logs errors */

/* srun_verbose.c: lines of -v; without it they say nothing. */
/* What was said of each component of the job, or of the step. */
void srun_say_options(const struct srun *s);
/* allocation is NULL in an existing job, which has set the environment. */
void srun_say_allocated(const struct srun *s, const Slumber__Allocation *allocation);
void srun_say_launch(const struct srun *s, const Slumber__StepReply *reply);
void srun_say_started(const struct srun *s);
void srun_say_exited(const struct srun *s, const Slumber__StepNotice *notice);

/* srun_pty.c */
/* The size of this terminal, or of none; NULL without --pty.  Lives until the next call. */
Slumber__Window *srun_pty_window(const struct srun *s);
/* Sets the terminal raw, until srun_pty_end(), which may be called twice, or the end of the
   process. */
void srun_pty_begin(struct srun *s);
/* node: "" is all of them */
void srun_pty_resized(struct srun *s, const char *node);
void srun_pty_end(struct srun *s);

/* srun_multi.c */
/* Reads the file that argv[0] names; invalid lines, and tasks without a line, are refused. */
int srun_read_multi_prog(struct srun *s, struct fail *fail);
