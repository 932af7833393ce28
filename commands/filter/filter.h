/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/filter/filter.h - CliFilterPlugins in sbatch, srun and salloc
 *
 * user_defaults (user_defaults.h) and syslog (submit_log.h) are done here, in the order of the
 * plugins.  cli_filter.lua runs in a child, slumber-submit --filter, with the user's rights and
 * environment.  A command finds by one look that there is no filter, and then starts nothing.  What
 * a script wants of the options is kept, and comes into force whenever the options are read. */
#pragma once

#include "commands/jobspec/jobspec.h"

/* In the environment of a srun that another command calls for itself: the script is not asked. */
#define FILTER_PASSED_OVER "SLUMBER_FILTER_PASSED_OVER"

/* Before the options of the at-th component of a heterogeneous job or step are read, the first one
   being 0: nothing of what the script wanted of the component before is in force for it. */
void filter_component(enum job_command command, size_t at);
/* Behind job_options_init(): slurm_cli_setup_defaults() is asked, early where the options are read
   once more, and what it has set is set, as is what the user's own file says.  -EPERM: the script
   does not let the command go on; -EINVAL and others: the file is wrong. */
int filter_defaults(struct job_options *o, bool early, struct fail *fail);
/* Behind the command line: what slurm_cli_pre_submit() has set. */
int filter_apply(struct job_options *o, struct fail *fail);
/* All options are read, argv has the operands: slurm_cli_pre_submit() is asked.  true in
 *ret_changed: they are to be read again. */
int filter_pre_submit(const struct job_options *o, int argc, char **argv, bool *ret_changed,
                struct fail *fail);
#define STEP_NONE (UINT32_MAX - 1)
/* slurm_cli_post_submit(), and a line in the system's log, for each of the n components; step:
   STEP_NONE where there is none. */
void filter_post_submit(const struct job_options *const *components, size_t n, uint32_t job,
                uint32_t step);
