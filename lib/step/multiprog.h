/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/multiprog.h - srun --multi-prog: which task runs what, as a file says
 *
 * A line is a list of tasks (3, 0-2, 1,4-6, or * for all that no line before it names), a program
 * and its arguments. %t in an argument is the task's number, %o its place in the list; %% is %.
 * Quotes and backslashes are as in a shell, a backslash at a line's end joins the next, # begins a
 * comment. */
#pragma once

#include "lib/fail.h"

/* The arguments of that task, ended by NULL, to be freed with multiprog_free(). -ENOENT: no line is
   for it. */
int multiprog_arguments(const char *text, uint32_t rank, char ***ret, struct fail *fail);
/* All lines can be read, and each of num_tasks tasks (0: not known yet) has one. */
int multiprog_check(const char *text, uint32_t num_tasks, struct fail *fail);
void multiprog_free(char **arguments);
