/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/multiprog.h - srun --multi-prog: a file with the program of each task
 *
 * A line has a list of tasks (3, 0-2, 1,4-6, or * for all tasks without an earlier line), a program
 * and arguments. %t in an argument is the task's rank, %o its index in the list; %% is %. Quotes
 * and backslashes work as in a shell; a backslash at the end joins the next line; # begins a
 * comment. */
#pragma once

#include "lib/fail.h"

/* Returns a task's arguments, NULL-terminated; the caller frees by multiprog_free(). -ENOENT: no
   line for the task. */
int multiprog_arguments(const char *text, uint32_t rank, char ***ret, struct fail *fail);
/* Checks that all lines are valid and each of num_tasks tasks (0: unknown) has a line. */
int multiprog_check(const char *text, uint32_t num_tasks, struct fail *fail);
void multiprog_free(char **arguments);
