/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/plugins/spank.h - plug-ins of plugstack.conf in a program: loading, calls, options
 *
 * Only the dynamically linked programs slumberstepd and slumber-dynamic use this file. A process
 * has one stack of plug-ins, used by the functions of slurm/spank.h (spank_api.c) that plug-ins
 * call.
 *
 * A crash in a callback ends the process, whose memory the plug-in may have damaged. The plug-in is
 * named on standard error and in struct spank_doing, which the program may share with another
 * process. */
#pragma once

#include "lib/plugins/plugstack.h"

#include <slurm/spank.h>

enum spank_call {
        SPANK_INIT,
        SPANK_INIT_POST_OPT,
        SPANK_LOCAL_USER_INIT,
        SPANK_USER_INIT,
        SPANK_TASK_INIT_PRIVILEGED,
        SPANK_TASK_POST_FORK,
        SPANK_TASK_INIT,
        SPANK_TASK_EXIT,
        SPANK_EXIT,
        SPANK_SLURMD_INIT,
        SPANK_SLURMD_EXIT,
        SPANK_JOB_PROLOG,
        SPANK_JOB_EPILOG,
        SPANK_CALL_MAX,
};

enum spank_level { /* level of a plug-in's message */
        SPANK_SAY_ERROR,
        SPANK_SAY_LOG,
        SPANK_SAY_INFO,
        SPANK_SAY_VERBOSE,
        SPANK_SAY_DEBUG,
        SPANK_SAY_DEBUG2,
        SPANK_SAY_DEBUG3,
        SPANK_SAY_MAX,
};

/* The running callback, for a process that survives a crash. */
struct spank_doing {
        int32_t pid;
        int32_t signal; /* signal of a crash in a callback; 0: none */
        char text[512]; /* "plug-in PATH: slurm_spank_init()"; "": no callback is running */
};

/* The program using plug-ins. NULL functions are not supported there. */
struct spank_host {
        enum spank_context context;
        const char *program; /* for messages: "srun" */
        void (*say)(void *user, enum spank_level level, const char *text);
        /* Reads an item; task: as passed to spank_call(). */
        spank_err_t (*item)(void *user, void *task, spank_item_t item, va_list ap);
        const char *(*get_env)(void *user, const char *name);
        void (*set_env)(void *user, const char *name, const char *value); /* NULL: unset */
        const char *(*get_control)(void *user, const char *name); /* for spank_job_control_...() */
        void (*set_control)(void *user, const char *name, const char *value);
        int (*prepend)(void *user, int argc, const char *const *argv);
        /* True if the option was given; *ret_value: NULL without an argument. */
        bool (*given)(void *user, const char *plugin, const char *option, const char **ret_value);
        bool (*is_taken)(void *user, const char *option); /* option of the program itself */
        struct spank_doing *doing;                        /* NULL: not shared */
        uid_t owner;                                      /* of files trusted like root's */
        void *user;
};

struct spank;

/* Loads all plug-ins; calls only the callbacks of options given (host->given). host and stack are
   borrowed. Negative errno with fail: a required plug-in is unusable. */
int spank_load(const struct plugstack *stack, const struct spank_host *host, struct spank **ret,
                struct fail *fail);
struct spank *spank_free(struct spank *s); /* the plug-ins stay loaded */
/* Calls a function of all plug-ins in order. Negative errno with fail: a required plug-in has
   failed; later plug-ins are not called, except for task_exit and exit. */
int spank_call(struct spank *s, enum spank_call call, void *task, struct fail *fail);
bool spank_has(const struct spank *s, enum spank_call call); /* true: a plug-in has the function */
/* Tells the stack that it runs in a forked child: a crash is not reported as the program's. */
void spank_in_child(struct spank *s);

/* A registered option; the list is in order of registration. */
struct spank_registered {
        const char *plugin;
        struct spank_option *option;
        bool given;
        char *value; /* NULL: no argument */
};
const struct spank_registered *spank_options_of(const struct spank *s, size_t *ret_n);
/* Sets option number to value and calls its callback. */
int spank_option_take(struct spank *s, size_t number, const char *value, struct fail *fail);
/* Returns "_SLURM_SPANK_OPTION_PLUGIN_OPTION", the variable by which commands inside the job get
   the option; the caller frees. */
char *spank_option_variable(const char *plugin, const char *option);

/* ---- for spank_api.c ---- */
struct spank_handle;
struct spank *spank_current(void); /* NULL: no stack loaded */
struct spank_handle *spank_handle_of(struct spank *s);
const struct spank_host *spank_host_of(const struct spank *s);
void *spank_task_of(const struct spank *s);
bool spank_calls(const char *name); /* true: name is the name of a callback */
/* True if the running plug-in's option was given, according to the host. */
bool spank_given(const struct spank *s, const char *name, const char **ret_value);
int spank_register(struct spank *s, struct spank_option *option);
const struct spank_registered *spank_find_option(const struct spank *s, const char *name);
void spank_say(enum spank_level level, const char *format, va_list ap)
                __attribute__((format(printf, 2, 0)));
