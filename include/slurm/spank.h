/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm/spank.h - interface of plug-ins for job launches, source compatible with SPANK
 *
 * A plug-in is a shared object listed in plugstack.conf (plugstack.conf(5)), compiled against this
 * header:
 *
 *     cc -shared -fPIC -I /usr/include/slumber -o hello.so hello.c
 *
 * It contains SPANK_PLUGIN() once and any of the callbacks below. Names are as documented for
 * SPANK; numbers are specific to Slumber. A plug-in compiled for Slurm is refused until
 * recompiled. */
#ifndef SLUMBER_SLURM_SPANK_H
#define SLUMBER_SLURM_SPANK_H

#include "slurm.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever plug-ins must be recompiled. */
#define SLUMBER_SPANK_INTERFACE 1u

/* Names the plug-in: NAME without quotes, VERSION a number chosen by the plug-in. A semicolon may
   follow. */
#define SPANK_PLUGIN(NAME, VERSION)                                                                \
        extern const char plugin_name[], plugin_type[];                                            \
        extern const unsigned int plugin_version, spank_plugin_version, slumber_spank_interface;   \
        const char plugin_name[] = #NAME;                                                          \
        const char plugin_type[] = "spank";                                                        \
        const unsigned int plugin_version = SLURM_VERSION_NUMBER;                                  \
        const unsigned int spank_plugin_version = (VERSION);                                       \
        const unsigned int slumber_spank_interface = SLUMBER_SPANK_INTERFACE;

/* Handle passed to callbacks; valid during the call only. */
typedef struct spank_handle *spank_t;

/* argc, argv: arguments after the plug-in's path in plugstack.conf. Returns 0 for success. */
typedef int spank_f(spank_t spank, int argc, char *argv[]);

/* Called after loading, before options are read: in srun, sbatch, salloc and the step daemon (there
   as root). */
extern spank_f slurm_spank_init;
/* Called after options were read, in the programs of slurm_spank_init. */
extern spank_f slurm_spank_init_post_opt;
/* Called in srun as the user: the step has a number, its tasks may not run yet. */
extern spank_f slurm_spank_local_user_init;
/* Called in the step daemon, with the user's identity. */
extern spank_f slurm_spank_user_init;
/* Called in each task's process, as root, inside the step's cgroup. */
extern spank_f slurm_spank_task_init_privileged;
/* Called in each task's process, as the user, just before the program starts. */
extern spank_f slurm_spank_task_init;
/* Called in the step daemon for each task, when all tasks are forked and no program has started. */
extern spank_f slurm_spank_task_post_fork;
/* Called in the step daemon for each ended task. */
extern spank_f slurm_spank_task_exit;
/* Called at the end of the step in the step daemon, and at the end of srun, sbatch and salloc. */
extern spank_f slurm_spank_exit;
/* Called in separate processes, as root. */
extern spank_f slurm_spank_slurmd_init;
extern spank_f slurm_spank_slurmd_exit;
extern spank_f slurm_spank_job_prolog;
extern spank_f slurm_spank_job_epilog;

typedef enum spank_err {
        ESPANK_SUCCESS = 0,
        ESPANK_ERROR,      /* any other error */
        ESPANK_BAD_ARG,    /* invalid argument, or call not allowed in this callback */
        ESPANK_NOT_TASK,   /* item of a task, in a callback without task */
        ESPANK_ENV_EXISTS, /* the variable exists, and overwrite was 0 */
        ESPANK_ENV_NOEXIST,
        ESPANK_NOSPACE,    /* the buffer is too small */
        ESPANK_NOT_REMOTE, /* allowed in the step daemon only */
        ESPANK_NOEXIST,    /* no such process, task or rank */
        ESPANK_NOT_EXECD,  /* the task's program has not started */
        ESPANK_NOT_AVAIL,  /* unknown here, or not known yet */
        ESPANK_NOT_LOCAL,  /* allowed in srun, sbatch and salloc only */
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
/* True (1): in the step daemon; 0: elsewhere; -1: invalid handle. */
int spank_remote(spank_t spank);
/* Returns 1 if Slumber calls a callback of that name, 0 if not, -1 if symbol is NULL. */
int spank_symbol_supported(const char *symbol);
const char *spank_strerror(spank_err_t error);

/* Items of spank_get_item(), with the types of the pointers to pass. */
typedef enum spank_item {
        S_JOB_UID,                /* uid_t * */
        S_JOB_GID,                /* gid_t * */
        S_JOB_ID,                 /* uint32_t * */
        S_JOB_STEPID,             /* uint32_t *: SLURM_BATCH_SCRIPT for a batch script */
        S_JOB_NNODES,             /* uint32_t * */
        S_JOB_NODEID,             /* uint32_t * */
        S_JOB_LOCAL_TASK_COUNT,   /* uint32_t * */
        S_JOB_TOTAL_TASK_COUNT,   /* uint32_t * */
        S_JOB_NCPUS,              /* uint16_t *: CPUs of the step on this node */
        S_JOB_ARGV,               /* int *, char ***: program and arguments */
        S_JOB_ENV,                /* char ***: valid until the environment changes */
        S_TASK_ID,                /* int *: rank on the node */
        S_TASK_GLOBAL_ID,         /* uint32_t * */
        S_TASK_EXIT_STATUS,       /* int *: as from wait(); in slurm_spank_task_exit */
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
        S_JOB_ALLOC_CORES,        /* char **: cores of the job on this node, "0-3" */
        S_JOB_ALLOC_MEM,          /* uint64_t *: memory of the job on this node, MB */
        S_STEP_ALLOC_CORES,       /* char ** */
        S_STEP_ALLOC_MEM,         /* uint64_t * */
        S_SLURM_RESTART_COUNT,    /* uint32_t * */
        S_JOB_ARRAY_ID,           /* uint32_t *: 0 if the job is not an array task */
        S_JOB_ARRAY_TASK_ID,      /* uint32_t * */
} spank_item_t;

spank_err_t spank_get_item(spank_t spank, spank_item_t item, ...);

/* Environment of the job's tasks, in the step daemon; of one task, in the task's process. */
spank_err_t spank_getenv(spank_t spank, const char *name, char *buf, int len);
spank_err_t spank_setenv(spank_t spank, const char *name, const char *value, int overwrite);
spank_err_t spank_unsetenv(spank_t spank, const char *name);

/* Variables that prologs and epilogs get as SPANK_NAME; set in srun, sbatch and salloc. */
spank_err_t spank_job_control_getenv(spank_t spank, const char *name, char *buf, int len);
spank_err_t spank_job_control_setenv(spank_t spank, const char *name, const char *value,
                int overwrite);
spank_err_t spank_job_control_unsetenv(spank_t spank, const char *name);

/* Inserts arguments before the task's; in slurm_spank_task_init or earlier callbacks. */
spank_err_t spank_prepend_task_argv(spank_t spank, int argc, const char *argv[]);

/* Called for a given option. value: option->val; optarg: NULL without argument; remote: 1 in the
   step daemon. */
typedef int (*spank_opt_cb_f)(int value, const char *optarg, int remote);

struct spank_option {
        char *name;
        char *arginfo; /* argument's name in --help; NULL: no argument */
        char *usage;   /* description in --help */
        int has_arg;   /* 0: no argument; 1: required; 2: optional */
        int val;
        spank_opt_cb_f cb; /* may be NULL */
};

/* Options of srun, exported by a plug-in. */
extern struct spank_option spank_options[];
#define SPANK_OPTIONS_TABLE_END                                                                    \
        { NULL, NULL, NULL, 0, 0, NULL }

/* Registers an option; only in slurm_spank_init, in each context that needs the option. */
spank_err_t spank_option_register(spank_t spank, struct spank_option *option);
/* Looks an option up after options were read. ESPANK_SUCCESS: the option was given; *argument: its
   argument or NULL. */
spank_err_t spank_option_getopt(spank_t spank, struct spank_option *option, char **argument);

/* Write messages like those of the running program. */
void slurm_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_debug2(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_debug3(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Always shown, without the prefix "error:". */
void slurm_spank_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
