/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/plugins.h - plug-ins of plugstack.conf in sbatch, srun and salloc
 *
 * The usual commands have no shared libraries, and so load none.  Where there is a plugstack.conf
 * they become slumber-dynamic, the same program with plugins.c, before they do anything else
 * (main.c).  command_plugins is NULL everywhere else. */
#pragma once

#include "lib/environment.h"
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
        /* The options of the at-th component of a heterogeneous job or step are read now, 0 being
           the first one's; what was read of it before is forgotten. */
        void (*options_begin)(size_t at);
        /* All options are read, of n components: the callbacks of those of the at-th one, and its
           init_post_opt.  In the order of the components: what was given for those before holds for
           it, too, unless it says otherwise, as in Slurm.  group: of a srun in a heterogeneous job
           the component of that, whose options stand in the environment; -1: none.  0 or a
           negative errno with fail, -EINVAL where a callback refuses its option. */
        int (*options_read)(size_t at, size_t n, int group, struct fail *fail);
        /* srun has its step: local_user_init; likewise. */
        int (*step_begins)(struct fail *fail);
        /* The options that were given for the at-th component: lives until the end of the
           process. */
        Slumber__PluginOption **(*options)(size_t at, size_t *ret_n);
        /* JobSpec.hook_variables: likewise. */
        char *(*hook_variables)(size_t at);
        /* The same options, for commands in its tasks. */
        void (*environment)(size_t at, struct environment *e);
};
extern const struct command_plugins *command_plugins;

/* These where there are plug-ins; else nothing. */
void command_options_begin(size_t at);
int command_options_read(size_t at, size_t n, int group, struct fail *fail);
Slumber__PluginOption **command_plugin_options(size_t at, size_t *ret_n);
char *command_hook_variables(size_t at); /* "": none */
void command_plugin_environment(size_t at, struct environment *e);

/* plugins.c: loads them and calls init; registers their options with the command ("srun"...).  A
   failure is said. */
int plugins_begin(const char *program);
void plugins_end(void); /* exit */
