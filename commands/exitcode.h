/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/exitcode.h - wait statuses as Slurm's commands say them and pass them on */
#pragma once

#include "lib/base.h"

/* A status is code << 8 | signal, as in Job.exit_code. What a program exits with for it: 128 +
   signal, or the code. */
int exit_code_of(uint32_t status);
/* The graver of two: a signal beats every code, then the higher number. */
uint32_t exit_worse(uint32_t a, uint32_t b);
#define EXIT_TEXT_MAX 64
/* "Exited with exit code 3", "Killed", "Segmentation fault (core dumped)", "Out Of Memory"; returns
   buf. */
const char *exit_text(uint32_t status, char buf[EXIT_TEXT_MAX]);
/* "task 0", "tasks 0-1,4"; the caller frees.  ranks is sorted by this. */
char *exit_tasks_text(uint32_t *ranks, size_t n);
