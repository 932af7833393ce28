/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/plugins/spank.h - the plug-ins of plugstack.conf in a program: loaded, called, their options
 *
 * Only dynamic programs have this file: slumberstepd and slumber-dynamic.  There is one stack in a
 * process, and the functions of slurm/spank.h (spank_api.c), which plug-ins call, are about that.
 *
 * A callback that crashes takes the process with it: a plug-in has had its memory.  Which one it
 * was is said on standard error and stands in struct spank_doing, which the program may share with
 * another one. */
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

enum spank_level { /* of what plug-ins say */
        SPANK_SAY_ERROR,
        SPANK_SAY_LOG,
        SPANK_SAY_INFO,
        SPANK_SAY_VERBOSE,
        SPANK_SAY_DEBUG,
        SPANK_SAY_DEBUG2,
        SPANK_SAY_DEBUG3,
        SPANK_SAY_MAX,
};

/* What runs now, for a process that outlives this one. */
struct spank_doing {
        int32_t pid;
        int32_t signal; /* that a callback has crashed by; 0: it has not */
        char text[512]; /* "plug-in PATH: slurm_spank_init()"; "": no callback runs */
};

/* The program that the plug-ins are in.  A function that is NULL: not possible there. */
struct spank_host {
        enum spank_context context;
        const char *program; /* of messages: "srun" */
        void (*say)(void *user, enum spank_level level, const char *text);
        /* task: as spank_call() was told. */
        spank_err_t (*item)(void *user, void *task, spank_item_t item, va_list ap);
        const char *(*get_env)(void *user, const char *name);
        void (*set_env)(void *user, const char *name, const char *value); /* NULL: unset it */
        const char *(*get_control)(void *user, const char *name); /* as spank_job_control_...() */
        void (*set_control)(void *user, const char *name, const char *value);
        int (*prepend)(void *user, int argc, const char *const *argv);
        /* Was the option given?  *ret_value: NULL without an argument. */
        bool (*given)(void *user, const char *plugin, const char *option, const char **ret_value);
        bool (*is_taken)(void *user, const char *option); /* by the program itself */
        struct spank_doing *doing;                        /* NULL: of this process alone */
        uid_t owner; /* of files that are trusted like root's */
        void *user;
};

struct spank;

/* Loads all of them; nothing is called yet but the callbacks of options that were given (host
   says).  host and stack are borrowed.  Negative errno with fail: a required one cannot be used. */
int spank_load(const struct plugstack *stack, const struct spank_host *host, struct spank **ret,
                struct fail *fail);
struct spank *spank_free(struct spank *s); /* the plug-ins stay in memory */
/* Calls this function of all plug-ins that have it, in their order.  Negative errno with fail: a
   required one has failed; those behind it are not called, but for task_exit and exit. */
int spank_call(struct spank *s, enum spank_call call, void *task, struct fail *fail);
bool spank_has(const struct spank *s, enum spank_call call); /* a plug-in has this function */
/* This is a child of the program: what it does is not the program's. */
void spank_in_child(struct spank *s);

/* Options, in the order of their registration. */
struct spank_registered {
        const char *plugin;
        struct spank_option *option;
        bool given;
        char *value; /* NULL: none */
};
const struct spank_registered *spank_options_of(const struct spank *s, size_t *ret_n);
/* The option of that number was given. */
int spank_option_take(struct spank *s, size_t number, const char *value, struct fail *fail);
/* "_SLURM_SPANK_OPTION_PLUGIN_OPTION": a command in the job takes the option from it; the caller
   frees. */
char *spank_option_variable(const char *plugin, const char *option);

/* ---- for spank_api.c ---- */
struct spank_handle;
struct spank *spank_current(void); /* NULL: none */
struct spank_handle *spank_handle_of(struct spank *s);
const struct spank_host *spank_host_of(const struct spank *s);
void *spank_task_of(const struct spank *s);
bool spank_calls(const char *name); /* a callback of that name is called */
/* The running plug-in's option of that name was given, as the host says. */
bool spank_given(const struct spank *s, const char *name, const char **ret_value);
int spank_register(struct spank *s, struct spank_option *option);
const struct spank_registered *spank_find_option(const struct spank *s, const char *name);
void spank_say(enum spank_level level, const char *format, va_list ap)
                __attribute__((format(printf, 2, 0)));
