/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/command.h - runs a site's own program for one node, within a time and with an answer of
   limited size */
#pragma once

#include "power/power.h"

/* bytes of its first line of output; the rest is read and dropped */
#define COMMAND_ANSWER_MAX 255

/* Runs argv[0] (an absolute path) with a fixed PATH and, of our environment, SLURM_CONF.  answer:
   the first line that it wrote to its stdout, printable.  0: it ended with exit code 0.  Otherwise
   negative errno with *cause: exit code 75 (EX_TEMPFAIL) is POWER_FAULT_BUSY, 77 and 78 (EX_NOPERM,
   EX_CONFIG) POWER_FAULT_CONFIG, and so is a program that cannot be started; past limit it and its
   process group are killed: POWER_FAULT_SILENT; all else is POWER_FAULT_REFUSED, and the sentence
   has the first line of its stderr. */
int power_command_run(char *const argv[], usec_t limit, char answer[COMMAND_ANSWER_MAX + 1],
                struct power_cause *cause);
