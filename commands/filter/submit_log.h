/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/filter/submit_log.h - submissions in the system log (CliFilterPlugins=syslog) */
#pragma once

#include "commands/jobspec/jobspec.h"

/* Returns the line
   {"type":"sbatch","job_id":7,"step_id":0,"options":{"ntasks":"4"},"argv":["a"]}; the caller
   frees. step: STEP_NONE omits step_id. */
char *submit_log_line(const struct job_options *o, char *const *argv, size_t argc, uint32_t job,
                uint32_t step);
/* Sends the line with LOG_USER and LOG_INFO, waiting at most 200 ms. Negative errno with fail
   set. */
int submit_log(const struct job_options *o, char *const *argv, size_t argc, uint32_t job,
                uint32_t step, struct fail *fail);
