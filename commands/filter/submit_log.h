/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/filter/submit_log.h - what was submitted, for the system's log
 * (CliFilterPlugins=syslog) */
#pragma once

#include "commands/jobspec/jobspec.h"

/* {"type":"sbatch","job_id":7,"step_id":0,"options":{"ntasks":"4"},"argv":["a"]} as one line; the
   caller frees.  step: STEP_NONE leaves step_id out. */
char *submit_log_line(const struct job_options *o, char *const *argv, size_t argc, uint32_t job,
                uint32_t step);
/* Sends it, LOG_USER and LOG_INFO, and waits for no daemon longer than 200 ms.  -errno with
   fail. */
int submit_log(const struct job_options *o, char *const *argv, size_t argc, uint32_t job,
                uint32_t step, struct fail *fail);
