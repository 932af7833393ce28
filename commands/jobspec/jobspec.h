/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobspec/jobspec.h - the options of sbatch, srun and salloc, from all sources, as a
 * JobSpec
 *
 * Sources are read in this order, and later sources win: job_options_init(), lines of the script,
 * the environment, the command line. Texts are borrowed from argv and the environment, which must
 * not change. */
#pragma once

#include "commands/submit/userenv.h"
#include "lib/options.h"
#include "lib/wire.h"

#define HET_COMPONENTS_MAX 128 /* components of a request; equals the controller's HET_MAX */

enum job_command { /* bits: commands with an option */
        JOB_SBATCH = 1,
        JOB_SRUN = 2,
        JOB_SALLOC = 4,
};

struct job_options {
        enum job_command command;
        /* Options with a field of the message; the members below are added by
           job_options_spec(). */
        Slumber__JobSpec spec;

        /* ---- size: jobspec_size.c ---- */
        uint32_t min_nodes, max_nodes; /* 0 = not given */
        bool zero_nodes; /* srun -N0: as many as the job has, or as -w or -n implies */
        uint32_t num_tasks, cpus_per_task, ntasks_per_node;
        uint64_t mem, mem_per_cpu, tmp_disk; /* MB */
        /* enum plain_size: sizes without a unit among these, and mem_per_gpu */
        unsigned plain_sizes;
        /* The option was given: a value of 0 means all of a node's memory */
        bool mem_set, mem_per_cpu_set;
        bool environment_memory; /* mem, mem_per_cpu or mem_per_gpu comes from the environment */
        uint32_t sockets_per_node, cores_per_socket, threads_per_core, ntasks_per_socket,
                        ntasks_per_core;
        const char *hint;
        /* node_info: --extra-node-info or a part of it was given */
        bool overcommit, one_core_per_socket, node_info;

        /* ---- nodes and layout: jobspec_place.c ---- */
        const char *clusters; /* for command_cluster() */
        const char *nodelist, *exclude;
        Slumber__Share share;
        bool says_exclusive, says_oversubscribe; /* given as options, not in the environment */
        uint32_t switches;
        usec_t switch_wait;
        /* Values of StepSpec and JobSpec */
        uint32_t plane, pack, socket_distribution, core_distribution;
        const char *distribution;
        /* srun: node of each task, see lib/step/tasklist.h; NULL: not arbitrary */
        const char *task_nodes;
        bool arbitrary;
        /* Given on srun's command line, not in its environment: */
        bool says_tasks, says_nodes, says_per_core, says_per_socket;
        /* NULL: not given */
        const char *says_partition, *says_qos, *says_account, *says_reservation;
        bool cyclic, ignore_pbs;

        /* ---- resources counted by name: jobspec_gres.c ---- */
        /* Lists such as "gres/gpu:a100:2" */
        const char *licenses, *gres, *gpus, *gpus_per_node, *gpus_per_socket, *gpus_per_task;
        const char *tres_per_task;                 /* resources other than GPUs: "gres/craynic:1" */
        const char *task_licenses;                 /* licenses of --tres-per-task: "matlab:1" */
        const char *gpu_bind, *gpus_per_node_text; /* text: as given */
        uint32_t ntasks_per_gpu;
        bool no_gres; /* srun: --gres=none, or a count of 0 in another option */
        uint32_t cpus_per_gpu;
        uint64_t mem_per_gpu; /* MB */

        /* ---- queue, times and account: jobspec_queue.c ---- */
        const char *partition, *qos;
        uint32_t warn_signal; /* --signal, as in JobSpec */
        usec_t warn_time;
        bool warn_batch, borrows;
        usec_t time_limit, begin, deadline;
        uint32_t priority;
        uint32_t requeue; /* as in JobSpec */
        bool test_only;

        /* ---- names and streams: jobspec_words.c ---- */
        const char *name;
        const char *chdir, *in, *out, *err, *export;
        bool append, truncate; /* --open-mode; neither: JobFileAppend decides */
        /* Seconds between samples of tasks; 0 = not given, ACCT_FREQUENCY_NEVER = 0 given */
        uint32_t acct_frequency;
        const char *acct_frequency_text; /* as given */
        uint32_t no_rlimits;             /* bits of RLIMIT_...: limits not passed on */
        bool rlimits_said; /* --propagate was given: PropagateResourceLimits is not used */
        struct {
                const char *user, *group; /* names or numbers; NULL = this process's */
        } become;
        unsigned verbose, quiet;

        /* ---- sbatch ---- */
        const char *wrap;
        bool parsable, wait, login_env;
        usec_t login_patience; /* --get-user-env */
        char login_mode;
        const char *export_file;

        /* ---- srun ---- */
        uint32_t job_id;           /* --jobid or SLURM_JOB_ID: run in this allocation */
        const char *het_group;     /* --het-group: "0,2-3"; NULL: not given */
        const char *job_component; /* --jobid=12+1, a component of job_id; NULL: job_id itself */
        bool fill_nodes;           /* -c given for the step, as in StepSpec */
        bool immediate, interactive, label, unbuffered, overlap, exact, whole, disable_status,
                        quit_on_interrupt;
        bool kill_on_bad_exit, keep_on_bad_exit, pty, multi_prog, relative_set, cpu_bind_verbose,
                        cpu_bind_quiet;
        bool preserve_env;
        bool debugger_test;                    /* --debugger-test */
        uint32_t debug_level;                  /* --slurmd-debug, as in StepSpec */
        const char *task_prolog, *task_epilog; /* absolute paths; NULL or "" = none */
        const char *srun_prolog, *srun_epilog; /* path or "none"; NULL = from slurm.conf */
        /* --bcast and related options, "" without a value; NULL: not given */
        const char *bcast, *send_libs, *compress, *bcast_exclude;
        const char *mpi;                 /* --mpi: "none", "pmi2", "pmix_v4"; NULL: not given */
        uint32_t relative;               /* first node of the step */
        uint32_t resv_ports, tree_width; /* as in StepSpec */
        const char *cpu_bind, *cpu_bind_text; /* words except verbose and quiet; text: as given */
        /* Values of StepSpec.mem_bind; text: as given; NULL: not given */
        const char *mem_bind, *mem_bind_text;
        bool mem_bind_verbose, mem_bind_prefer, mem_bind_sort;
        uint32_t wait_seconds;   /* wait after the first task's end; 0 = no limit */
        uint32_t launch_seconds; /* --msg-timeout; 0 = no limit */
        bool external_launcher, no_ports;
        bool wait_said;             /* --wait was given; otherwise WaitTime is used */
        uint32_t immediate_seconds; /* 0 = at once */

        /* ---- salloc ---- */
        bool no_shell;
        uint32_t bell; /* when to ring: 0 = after a long wait, 1 = always, 2 = never */
        /* --kill-command: signal to the command at the end of the allocation; 0 = none */
        uint32_t kill_signal;

        const char *seen[OPTION_ROWS_MAX]; /* values for -v, see job_options_read() */
};

/* Initializes *o without any option given. */
void job_options_init(struct job_options *o, enum job_command command);
/* Call after reading all sources: stores the given values in o->seen. */
void job_options_read(struct job_options *o);
/* Prints the given options for -v. */
void job_options_say(const struct job_options *o, FILE *out);
/* Returns the command's table, made on first use and valid until the process ends. */
const struct option_table *job_options_table(enum job_command command);
/* Adds rows of plug-ins (OPTION_PLUGIN...), whose texts must stay; plugin as in option_table. */
void job_options_plugins(enum job_command command, const struct option_row *rows, size_t n,
                int (*plugin)(size_t number, const char *value, struct fail *fail));
/* Functions for filters. job_options_value() returns the value given last for an option, as
   shown by -v, after job_options_read() (the caller frees; NULL: not given). job_options_set()
   sets an option as if given now. job_options_skip() ignores an option from now on, except in
   job_options_set(). */
char *job_options_value(const struct job_options *o, const char *name);
int job_options_set(struct job_options *o, const char *name, const char *value, struct fail *fail);
void job_options_skip(enum job_command command, const char *name);
void job_options_skip_none(enum job_command command);             /* ignore no options any more */
bool job_options_has(enum job_command command, const char *name); /* except --help and the like */
/* As options_take_no_value(). */
bool job_options_take_no_value(enum job_command command, const char *name, const char *value);
/* Sets variables of a job (component < 0) or component for options that its steps should use, as
   srun does not get these otherwise. */
void job_options_tell_steps(const struct job_options *o, int component, struct environment *e);
/* Reads SBATCH_... or SLURM_... variables in turn. Returns 0, OPTIONS_DONE if a value asked for
   help, now printed (SLURM_MPI_TYPE=list), or a negative errno. */
int job_options_environment(struct job_options *o, struct fail *fail);
/* srun calls these before and after reading its command line: set says_... in o, and for a step
   of an existing job refuse options that a step cannot have. Options in the environment are
   often the job's, and not refused. */
void job_options_line_begins(void);
int job_options_line_ends(struct job_options *o, struct fail *fail);
/* Sets the components of a list like "1,3-5" or "[1,3-5]" in ret[HET_COMPONENTS_MAX]; -EINVAL:
   not a list. */
int job_het_groups(const char *text, bool *ret);
/* Called for a later component of a heterogeneous request, before its own options: applies
   options carried from an earlier component's command line, which was read without error. */
int job_options_carry(struct job_options *o, int argc, char **argv);
/* false: later components ignore the option of earlier components */
bool job_options_is_carried(enum job_command command, const char *name);
/* Checks options against each other after reading all sources, and fills in derived numbers.
   Returns 0 or a negative errno; on success fail may have a warning. */
int job_options_check(struct job_options *o, struct fail *fail);
/* Part of job_options_check(): GPUs. */
int job_options_check_gres(struct job_options *o, struct fail *fail);
/* Return --gres with --gpus-per-node, and --gpus-per-task with the remaining --tres-per-task. */
const char *job_options_per_node(const struct job_options *o);
const char *job_options_licenses(const struct job_options *o); /* includes licenses of tasks */
/* Returns the unit to which --hint, --ntasks-per-core or --ntasks-per-socket binds tasks:
   StepSpec.cpu_bind_hint. */
const char *job_bind_hint(const struct job_options *o);
const char *job_options_per_task(const struct job_options *o);
const char *job_options_tres_bind(const struct job_options *o); /* NULL: not given */
/* Returns the exit code of sbatch and srun for an error r of options_parse() or
   job_options_environment(): 255 like Slurm; 1 for an invalid count. */
int job_options_exit(int r);
/* Fills *ret with pointers into o: for packing, must not be freed. */
void job_options_spec(const struct job_options *o, Slumber__JobSpec *ret);
/* Copies srun's options of the job message (WIRE...) which StepSpec has, too. */
void job_options_step(const struct job_options *o, Slumber__StepSpec *ret);
