/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/plugins.h - plug-ins of plugstack.conf in sbatch, srun and salloc
 *
 * The usual commands are linked statically and cannot load plug-ins. If a plugstack.conf exists,
 * the commands first replace themselves by slumber-dynamic, the same program with plugins.c and
 * shared libraries (main.c). command_plugins is NULL in all other programs. */
#pragma once

#include "lib/environment.h"
#include "lib/fail.h"
#include "lib/wire.h"

/* Values that plug-ins may query from a command; 0 and NULL: unknown so far. */
struct command_view {
        int argc; /* the program and its arguments */
        char **argv;
        uint32_t job, step, nodes, tasks;
        bool has_step;
        unsigned verbose, quiet;
};
extern struct command_view command_view;

struct command_plugins {
        /* Starts reading the options of component `at` of a heterogeneous job or step (0: the
           first); forgets options read for the component before. */
        void (*options_begin)(size_t at);
        /* Options of n components are complete: calls the option callbacks and init_post_opt for
           component `at`. Called in the order of components: as in Slurm, options of earlier
           components hold for later ones, too, unless overridden. group: for srun in a
           heterogeneous job the job's component, whose options the environment has; -1: none.
           Returns 0 or a negative errno with fail; -EINVAL: a callback refused its option. */
        int (*options_read)(size_t at, size_t n, int group, struct fail *fail);
        /* srun has its step: calls local_user_init. Returns 0 or a negative errno with fail. */
        int (*step_begins)(struct fail *fail);
        /* Returns the options given for component `at`, borrowed until the end of the process. */
        Slumber__PluginOption **(*options)(size_t at, size_t *ret_n);
        /* Returns JobSpec.hook_variables of component `at`, borrowed. */
        char *(*hook_variables)(size_t at);
        /* Sets the variables by which commands in tasks of component `at` get the same options. */
        void (*environment)(size_t at, struct environment *e);
};
extern const struct command_plugins *command_plugins;

/* Call the functions of command_plugins; no-ops without plug-ins. */
void command_options_begin(size_t at);
int command_options_read(size_t at, size_t n, int group, struct fail *fail);
Slumber__PluginOption **command_plugin_options(size_t at, size_t *ret_n);
char *command_hook_variables(size_t at); /* "": none */
void command_plugin_environment(size_t at, struct environment *e);

/* plugins.c: loads the plug-ins, calls their init and registers their options for program
   ("srun", "sbatch" or "salloc"). Returns a negative errno after logging the error. */
int plugins_begin(const char *program);
void plugins_end(void); /* calls SPANK's exit callbacks */
