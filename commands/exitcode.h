/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/exitcode.h - wait statuses in the words and exit codes of Slurm's commands */
#pragma once

#include "lib/base.h"

/* Returns the exit code for status (code << 8 | signal, as in Job.exit_code): 128 + signal, or
   the code. */
int exit_code_of(uint32_t status);
/* Returns the graver status: signals beat codes, then the higher number wins. */
uint32_t exit_worse(uint32_t a, uint32_t b);
#define EXIT_TEXT_MAX 64
/* Returns "Exited with exit code 3", "Killed", "Segmentation fault (core dumped)", "Out Of
   Memory"; may use buf. */
const char *exit_text(uint32_t status, char buf[EXIT_TEXT_MAX]);
/* Returns "task 0" or "tasks 0-1,4" and sorts ranks; the caller frees. */
char *exit_tasks_text(uint32_t *ranks, size_t n);
