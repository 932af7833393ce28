/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/plugins.h - plug-ins of plugstack.conf in sbatch, srun and salloc
 *
 * The usual commands have no shared libraries, and so load none.  Where there is a plugstack.conf
 * they become slumber-dynamic, the same program with plugins.c, before they do anything else
 * (main.c).  command_plugins is NULL everywhere else. */
#pragma once

#include "lib/fail.h"
#include "lib/wire.h"

/* What plug-ins may ask of a command; 0 and NULL: not known, or not yet. */
struct command_view {
        int argc; /* the program and its arguments */
        char **argv;
        uint32_t job, step, nodes, tasks;
        bool has_step;
        unsigned verbose, quiet;
};
extern struct command_view command_view;

struct command_plugins {
        /* All options are read: init_post_opt.  0 or a negative errno with fail. */
        int (*options_read)(struct fail *fail);
        /* srun has its step: local_user_init; likewise. */
        int (*step_begins)(struct fail *fail);
        /* The options that were given: lives until the end of the process. */
        Slumber__PluginOption **(*options)(size_t *ret_n);
        /* JobSpec.hook_variables: likewise. */
        char *(*hook_variables)(void);
};
extern const struct command_plugins *command_plugins;

/* These where there are plug-ins; else nothing. */
int command_options_read(struct fail *fail);
Slumber__PluginOption **command_plugin_options(size_t *ret_n);
char *command_hook_variables(void); /* "": none */

/* plugins.c: loads them and calls init; registers their options with the command ("srun"...).  A
   failure is said. */
int plugins_begin(const char *program);
void plugins_end(void); /* exit */
