/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/command.h - runs a site's program for one node, with limits of time and output */
#pragma once

#include "power/power.h"

/* Bytes of the first line of output; the rest is read and dropped. */
#define COMMAND_ANSWER_MAX 255

/* Runs argv[0] (absolute path) with a fixed PATH and SLURM_CONF from the environment. answer: first
   line of stdout, printable. Returns 0 for exit code 0. Otherwise a negative errno with *cause:
   POWER_FAULT_BUSY for exit code 75 (EX_TEMPFAIL); POWER_FAULT_CONFIG for 77 and 78 (EX_NOPERM,
   EX_CONFIG) or a program that cannot start; POWER_FAULT_SILENT after limit, when the process group
   was killed; POWER_FAULT_REFUSED otherwise, with the first line of stderr. */
int power_command_run(char *const argv[], usec_t limit, char answer[COMMAND_ANSWER_MAX + 1],
                struct power_cause *cause);
