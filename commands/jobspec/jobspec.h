/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobspec/jobspec.h - what sbatch, srun and salloc can be asked for, from every source, as
 * a JobSpec
 *
 * Sources are read in this order, later ones win: job_options_init(), lines of the script, the
 * environment, the command line.  Texts are borrowed from argv and the environment, which must
 * stay. */
#pragma once

#include "commands/submit/userenv.h"
#include "lib/options.h"
#include "lib/wire.h"

#define HET_COMPONENTS_MAX 128 /* of one request, as the controller's HET_MAX */

enum job_command { /* bits: which command has an option */
        JOB_SBATCH = 1,
        JOB_SRUN = 2,
        JOB_SALLOC = 4,
};

struct job_options {
        enum job_command command;
        /* what is asked for in its words; the rest below becomes part of it in
           job_options_spec() */
        Slumber__JobSpec spec;

        /* size: jobspec_size.c */
        uint32_t min_nodes, max_nodes; /* 0 = not asked */
        bool zero_nodes;               /* srun -N0: as many as the job has, or -w or -n says */
        uint32_t num_tasks, cpus_per_task, ntasks_per_node;
        uint64_t mem, mem_per_cpu, tmp_disk; /* MB */
        /* enum plain_size: of these, and of mem_per_gpu, those without a unit */
        unsigned plain_sizes;
        bool mem_set, mem_per_cpu_set; /* one of them is: 0 is all of a node's */
        bool environment_memory;       /* mem, mem_per_cpu or mem_per_gpu is the environment's */
        uint32_t sockets_per_node, cores_per_socket, threads_per_core, ntasks_per_socket,
                        ntasks_per_core;
        const char *hint;
        /* the last: by --extra-node-info or one of its parts */
        bool overcommit, one_core_per_socket, node_info;

        /* where: jobspec_place.c */
        const char *clusters; /* for command_cluster() */
        const char *nodelist, *exclude;
        Slumber__Share share;
        bool says_exclusive, says_oversubscribe; /* and not the environment */
        uint32_t switches;
        usec_t switch_wait;
        /* as in StepSpec and JobSpec */
        uint32_t plane, pack, socket_distribution, core_distribution;
        const char *distribution;
        /* srun: the node of each task, lib/step/tasklist.h; NULL: not arbitrary */
        const char *task_nodes;
        bool arbitrary;
        /* srun's command line, and not its environment: */
        bool says_tasks, says_nodes, says_per_core, says_per_socket;
        /* NULL: it does not */
        const char *says_partition, *says_qos, *says_account, *says_reservation;
        bool cyclic, ignore_pbs;

        /* counted by name: jobspec_gres.c */
        /* "gres/gpu:a100:2" */
        const char *licenses, *gres, *gpus, *gpus_per_node, *gpus_per_socket, *gpus_per_task;
        const char *tres_per_task;                 /* of it what is no GPU: "gres/craynic:1" */
        const char *task_licenses;                 /* of it: "matlab:1" */
        const char *gpu_bind, *gpus_per_node_text; /* the latter as it was given */
        uint32_t ntasks_per_gpu;
        bool no_gres; /* srun: --gres=none, or as many as none of another name or option */
        uint32_t cpus_per_gpu;
        uint64_t mem_per_gpu; /* MB */

        /* when, and charged to which account: jobspec_queue.c */
        const char *partition, *qos;
        uint32_t warn_signal; /* --signal, as in JobSpec */
        usec_t warn_time;
        bool warn_batch, borrows;
        usec_t time_limit, begin, deadline;
        uint32_t priority;
        uint32_t requeue; /* as in JobSpec */
        bool test_only;

        /* words and streams: jobspec_words.c */
        const char *name;
        const char *chdir, *in, *out, *err, *export;
        bool append, truncate;           /* --open-mode; neither: as JobFileAppend says */
        uint32_t acct_frequency;         /* s, of tasks; 0 = not said, ACCT_FREQUENCY_NEVER = 0 */
        const char *acct_frequency_text; /* as it was given */
        uint32_t no_rlimits;             /* bits: RLIMIT_... that are not handed over */
        bool rlimits_said;               /* --propagate: PropagateResourceLimits does not count */
        struct {
                const char *user, *group; /* names or numbers; NULL = our own */
        } become;
        unsigned verbose, quiet;

        /* sbatch */
        const char *wrap;
        bool parsable, wait, login_env;
        usec_t login_patience; /* of --get-user-env */
        char login_mode;
        const char *export_file;

        /* srun */
        uint32_t job_id;           /* --jobid or SLURM_JOB_ID: run in this allocation */
        const char *het_group;     /* --het-group: "0,2-3"; NULL: not said */
        const char *job_component; /* --jobid=12+1, which is job_id's component; NULL: job_id itself
                                    */
        bool fill_nodes;           /* -c, and not the job's: as in StepSpec */
        bool immediate, interactive, label, unbuffered, overlap, exact, whole, disable_status,
                        quit_on_interrupt;
        bool kill_on_bad_exit, keep_on_bad_exit, pty, multi_prog, relative_set, cpu_bind_verbose,
                        cpu_bind_quiet;
        bool preserve_env;
        bool debugger_test;                    /* --debugger-test */
        uint32_t debug_level;                  /* --slurmd-debug, as in StepSpec */
        const char *task_prolog, *task_epilog; /* absolute paths; NULL or "" = none */
        const char *srun_prolog, *srun_epilog; /* "none" or a path; NULL = as slurm.conf says */
        /* --bcast and its like, "" without a value; NULL: not said */
        const char *bcast, *send_libs, *compress, *bcast_exclude;
        const char *mpi;                      /* --mpi: "none", "pmi2", "pmix_v4"; NULL: not said */
        uint32_t relative;                    /* the step's first node */
        uint32_t resv_ports, tree_width;      /* as in StepSpec */
        const char *cpu_bind, *cpu_bind_text; /* without verbose or quiet, and as it was given */
        /* as StepSpec.mem_bind, and as it was given; NULL: it was not */
        const char *mem_bind, *mem_bind_text;
        bool mem_bind_verbose, mem_bind_prefer, mem_bind_sort;
        uint32_t wait_seconds;   /* after the first task's end; 0 = for ever */
        uint32_t launch_seconds; /* --msg-timeout; 0 = for ever */
        bool external_launcher, no_ports;
        bool wait_said;             /* else WaitTime counts */
        uint32_t immediate_seconds; /* 0 = at once */

        /* salloc */
        bool no_shell;
        uint32_t bell; /* 0 = after a long wait, 1 always, 2 never */
        /* --kill-command: for the command when the allocation ends; 0 = none */
        uint32_t kill_signal;

        const char *seen[OPTION_ROWS_MAX]; /* job_options_read(): as the table's */
};

/* Nothing is said of any option any more. */
void job_options_init(struct job_options *o, enum job_command command);
/* All sources are read: what they have said stays with o. */
void job_options_read(struct job_options *o);
/* That, for -v. */
void job_options_say(const struct job_options *o, FILE *out);
/* Made on first use, lives as long as the process. */
const struct option_table *job_options_table(enum job_command command);
/* Adds rows of plug-ins (OPTION_PLUGIN...), whose texts stay; plugin as in option_table. */
void job_options_plugins(enum job_command command, const struct option_row *rows, size_t n,
                int (*plugin)(size_t number, const char *value, struct fail *fail));
/* For filters.  What was said of an option last, by any source, as -v shows it, after
   job_options_read(): the caller's; NULL: nothing.  As if it was said now.  From now on it is as if
   it were never said, but for job_options_set(). */
char *job_options_value(const struct job_options *o, const char *name);
int job_options_set(struct job_options *o, const char *name, const char *value, struct fail *fail);
void job_options_skip(enum job_command command, const char *name);
void job_options_skip_none(enum job_command command);             /* obey all options again */
bool job_options_has(enum job_command command, const char *name); /* no --help and the like */
/* As options_take_no_value(). */
bool job_options_take_no_value(enum job_command command, const char *name, const char *value);
/* What a job's steps are to go by, as srun is not told it otherwise: variables of the job, or of a
   component of it (below 0: it has none). */
void job_options_tell_steps(const struct job_options *o, int component, struct environment *e);
/* SBATCH_... or SLURM_..., one variable after the other.  0; OPTIONS_DONE where the value of one
   asks for help, which is printed then (SLURM_MPI_TYPE=list); or a negative errno. */
int job_options_environment(struct job_options *o, struct fail *fail);
/* srun, before and behind its command line: what says_... in o is set, and for a step in a job that
   is there options are refused that it cannot have.  What the environment says is often the job's.
 */
void job_options_line_begins(void);
int job_options_line_ends(struct job_options *o, struct fail *fail);
/* Adds the components that a list like "1,3-5" or "[1,3-5]" names to ret, of HET_COMPONENTS_MAX;
   -EINVAL: it is none. */
int job_het_groups(const char *text, bool *ret);
/* For a later component of a heterogeneous request, before its own options: those of the command
   line of one before it that are carried over.  That line was read without an error. */
int job_options_carry(struct job_options *o, int argc, char **argv);
/* false: a later component begins anew with it */
bool job_options_is_carried(enum job_command command, const char *name);
/* What only shows when all sources are read.  Numbers that follow from others are filled in.
   Returns 0 or a negative errno; a warning that goes with success is left in fail. */
int job_options_check(struct job_options *o, struct fail *fail);
/* Part of it: GPUs. */
int job_options_check_gres(struct job_options *o, struct fail *fail);
/* --gres and --gpus-per-node together; --gpus-per-task and the rest of --tres-per-task. */
const char *job_options_per_node(const struct job_options *o);
const char *job_options_licenses(const struct job_options *o); /* with those of each of its tasks */
/* What --hint, --ntasks-per-core or --ntasks-per-socket binds tasks to: StepSpec.cpu_bind_hint. */
const char *job_bind_hint(const struct job_options *o);
const char *job_options_per_task(const struct job_options *o);
const char *job_options_tres_bind(const struct job_options *o); /* NULL: not said */
/* How sbatch and srun end when options_parse() or job_options_environment() says r: as Slurm's,
   255; 1 for a bad count. */
int job_options_exit(int r);
/* Fills *ret with pointers into o: to be packed, not freed. */
void job_options_spec(const struct job_options *o, Slumber__JobSpec *ret);
/* Sets what srun's options write into the message of a job (WIRE...) and a step has, too. */
void job_options_step(const struct job_options *o, Slumber__StepSpec *ret);
