/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/filter/filter.h - CliFilterPlugins in sbatch, srun and salloc
 *
 * user_defaults (user_defaults.h) and syslog (submit_log.h) are implemented here, and run in the
 * order of the plugins. cli_filter.lua runs in a child process, slumber-submit --filter, with the
 * user's rights and environment. A single readlink() tells a command that no filter is configured;
 * no child is started then. The script's changes of options are kept, and applied whenever options
 * are read again. */
#pragma once

#include "commands/jobspec/jobspec.h"

/* Set in the environment of an srun which a command calls internally: the script is skipped. */
#define FILTER_PASSED_OVER "SLUMBER_FILTER_PASSED_OVER"

/* Called before reading the options of component at (from 0) of a heterogeneous job or step:
   drops the script's changes for the previous component. */
void filter_component(enum job_command command, size_t at);
/* Called after job_options_init(): calls slurm_cli_setup_defaults() (again early if options are
   read twice), and applies its settings and the user's own defaults. -EPERM: the script refuses
   the command; -EINVAL and others: invalid defaults file. */
int filter_defaults(struct job_options *o, bool early, struct fail *fail);
/* Called after the command line: applies the settings of slurm_cli_pre_submit(). */
int filter_apply(struct job_options *o, struct fail *fail);
/* Called when all options are read; argv has the operands. Calls slurm_cli_pre_submit().
 * *ret_changed true: the options must be read again. */
int filter_pre_submit(const struct job_options *o, int argc, char **argv, bool *ret_changed,
                struct fail *fail);
#define STEP_NONE (UINT32_MAX - 1)
/* Calls slurm_cli_post_submit() and writes the system log for each of n components; step:
   STEP_NONE for no step. */
void filter_post_submit(const struct job_options *const *components, size_t n, uint32_t job,
                uint32_t step);
