/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm/spank.h - the interface of plug-ins for the launch of jobs, source compatible with SPANK
 *
 * A plug-in is a shared object that plugstack.conf names (plugstack.conf(5)).  It is compiled
 * against this header:
 *
 *     cc -shared -fPIC -I /usr/include/slumber -o hello.so hello.c
 *
 * and contains SPANK_PLUGIN() once and any of the callbacks below.  Names are the documented ones;
 * numbers are Slumber's own, so a plug-in that was compiled for Slurm has to be compiled again, and
 * is refused until then. */
#ifndef SLUMBER_SLURM_SPANK_H
#define SLUMBER_SLURM_SPANK_H

#include "slurm.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a plug-in has to be compiled again. */
#define SLUMBER_SPANK_INTERFACE 1u

/* Names the plug-in: NAME without quotes, VERSION a number of its own; with a semicolon behind it
   or without. */
#define SPANK_PLUGIN(NAME, VERSION)                                                                \
        extern const char plugin_name[], plugin_type[];                                            \
        extern const unsigned int plugin_version, spank_plugin_version, slumber_spank_interface;   \
        const char plugin_name[] = #NAME;                                                          \
        const char plugin_type[] = "spank";                                                        \
        const unsigned int plugin_version = SLURM_VERSION_NUMBER;                                  \
        const unsigned int spank_plugin_version = (VERSION);                                       \
        const unsigned int slumber_spank_interface = SLUMBER_SPANK_INTERFACE;

/* What a callback is given; it is valid during the call alone. */
typedef struct spank_handle *spank_t;

/* argc, argv: the arguments behind the plug-in's path in plugstack.conf.  0: success. */
typedef int spank_f(spank_t spank, int argc, char *argv[]);

/* After loading, before options: in srun, sbatch, salloc and the step daemon (root there). */
extern spank_f slurm_spank_init;
/* After the options: in the same. */
extern spank_f slurm_spank_init_post_opt;
/* In srun, as the user, when the step has its number and before its tasks are known to run. */
extern spank_f slurm_spank_local_user_init;
/* In the step daemon, with the rights of the user put on for it. */
extern spank_f slurm_spank_user_init;
/* In each task's process, as root, in the step's cgroup. */
extern spank_f slurm_spank_task_init_privileged;
/* In each task's process, as the user, last before its program. */
extern spank_f slurm_spank_task_init;
/* In the step daemon, for each task: all are forked, and none has begun its program. */
extern spank_f slurm_spank_task_post_fork;
/* In the step daemon, for each task that has ended. */
extern spank_f slurm_spank_task_exit;
/* At the end of the step daemon's step, of srun, sbatch and salloc. */
extern spank_f slurm_spank_exit;
/* In processes of their own, as root. */
extern spank_f slurm_spank_slurmd_init;
extern spank_f slurm_spank_slurmd_exit;
extern spank_f slurm_spank_job_prolog;
extern spank_f slurm_spank_job_epilog;

typedef enum spank_err {
        ESPANK_SUCCESS = 0,
        ESPANK_ERROR,      /* anything else */
        ESPANK_BAD_ARG,    /* an argument is wrong, or the call is not allowed here */
        ESPANK_NOT_TASK,   /* the item is of a task, and this callback is not */
        ESPANK_ENV_EXISTS, /* the variable is there, and overwrite was 0 */
        ESPANK_ENV_NOEXIST,
        ESPANK_NOSPACE,    /* the buffer is too small */
        ESPANK_NOT_REMOTE, /* only in the step daemon */
        ESPANK_NOEXIST,    /* no such process, task or rank */
        ESPANK_NOT_EXECD,  /* the task has not begun its program */
        ESPANK_NOT_AVAIL,  /* not known here, or not yet */
        ESPANK_NOT_LOCAL,  /* only in srun, sbatch and salloc */
} spank_err_t;

typedef enum spank_context {
        S_CTX_ERROR,
        S_CTX_LOCAL,     /* srun */
        S_CTX_REMOTE,    /* the step daemon */
        S_CTX_ALLOCATOR, /* sbatch, salloc */
        S_CTX_SLURMD,
        S_CTX_JOB_SCRIPT, /* slurm_spank_job_prolog, slurm_spank_job_epilog */
} spank_context_t;

enum spank_context spank_context(void);
int spank_remote(spank_t spank); /* 1: in the step daemon, 0: not, -1: spank is no handle */
/* 1: a callback of that name is called, 0: none is, -1: symbol is NULL. */
int spank_symbol_supported(const char *symbol);
const char *spank_strerror(spank_err_t error);

/* What spank_get_item() tells, and into what. */
typedef enum spank_item {
        S_JOB_UID,                /* uid_t * */
        S_JOB_GID,                /* gid_t * */
        S_JOB_ID,                 /* uint32_t * */
        S_JOB_STEPID,             /* uint32_t *: SLURM_BATCH_SCRIPT of a batch script */
        S_JOB_NNODES,             /* uint32_t * */
        S_JOB_NODEID,             /* uint32_t * */
        S_JOB_LOCAL_TASK_COUNT,   /* uint32_t * */
        S_JOB_TOTAL_TASK_COUNT,   /* uint32_t * */
        S_JOB_NCPUS,              /* uint16_t *: of the step on this node */
        S_JOB_ARGV,               /* int *, char ***: the program and its arguments */
        S_JOB_ENV,                /* char ***: valid until the environment is changed */
        S_TASK_ID,                /* int *: on the node */
        S_TASK_GLOBAL_ID,         /* uint32_t * */
        S_TASK_EXIT_STATUS,       /* int *: as of wait(); in slurm_spank_task_exit */
        S_TASK_PID,               /* pid_t * */
        S_JOB_PID_TO_GLOBAL_ID,   /* pid_t, uint32_t * */
        S_JOB_PID_TO_LOCAL_ID,    /* pid_t, uint32_t * */
        S_JOB_LOCAL_TO_GLOBAL_ID, /* uint32_t, uint32_t * */
        S_JOB_GLOBAL_TO_LOCAL_ID, /* uint32_t, uint32_t * */
        S_JOB_SUPPLEMENTARY_GIDS, /* gid_t **, int * */
        S_SLURM_VERSION,          /* char ** */
        S_SLURM_VERSION_MAJOR,    /* char ** */
        S_SLURM_VERSION_MINOR,    /* char ** */
        S_SLURM_VERSION_MICRO,    /* char ** */
        S_STEP_CPUS_PER_TASK,     /* uint64_t * */
        S_JOB_ALLOC_CORES,        /* char **: of the job on this node, "0-3" */
        S_JOB_ALLOC_MEM,          /* uint64_t *: likewise, MB */
        S_STEP_ALLOC_CORES,       /* char ** */
        S_STEP_ALLOC_MEM,         /* uint64_t * */
        S_SLURM_RESTART_COUNT,    /* uint32_t * */
        S_JOB_ARRAY_ID,           /* uint32_t *: 0: the job is of no array */
        S_JOB_ARRAY_TASK_ID,      /* uint32_t * */
} spank_item_t;

spank_err_t spank_get_item(spank_t spank, spank_item_t item, ...);

/* The environment of the job's tasks, in the step daemon; of one task in its own process. */
spank_err_t spank_getenv(spank_t spank, const char *name, char *buf, int len);
spank_err_t spank_setenv(spank_t spank, const char *name, const char *value, int overwrite);
spank_err_t spank_unsetenv(spank_t spank, const char *name);

/* In srun, sbatch and salloc: variables that prologs and epilogs have as SPANK_NAME. */
spank_err_t spank_job_control_getenv(spank_t spank, const char *name, char *buf, int len);
spank_err_t spank_job_control_setenv(spank_t spank, const char *name, const char *value,
                int overwrite);
spank_err_t spank_job_control_unsetenv(spank_t spank, const char *name);

/* Puts arguments before those of the task, in slurm_spank_task_init and what comes before it. */
spank_err_t spank_prepend_task_argv(spank_t spank, int argc, const char *argv[]);

/* value: the val of the option; optarg: NULL without one; remote: 1 in the step daemon. */
typedef int (*spank_opt_cb_f)(int value, const char *optarg, int remote);

struct spank_option {
        char *name;
        char *arginfo; /* its argument in --help; NULL: it has none */
        char *usage;   /* its line in --help */
        int has_arg;   /* 0 no, 1 yes, 2 it may be left out */
        int val;
        spank_opt_cb_f cb; /* may be NULL */
};

/* Exported by a plug-in: options of srun. */
extern struct spank_option spank_options[];
#define SPANK_OPTIONS_TABLE_END                                                                    \
        { NULL, NULL, NULL, 0, 0, NULL }

/* From slurm_spank_init alone, in each context that knows the option. */
spank_err_t spank_option_register(spank_t spank, struct spank_option *option);
/* After the options: ESPANK_SUCCESS: it was given, *argument is its argument or NULL. */
spank_err_t spank_option_getopt(spank_t spank, struct spank_option *option, char **argument);

/* Messages as of the program that the plug-in runs in. */
void slurm_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_debug2(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_debug3(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Always shown, and without "error:". */
void slurm_spank_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
