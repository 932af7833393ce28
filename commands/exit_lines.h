/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/exit_lines.h - messages about failed tasks: tasks of a node with equal ends at about the
 * same time share a line */
#pragma once

#include "lib/base.h"

struct exit_line;

/* Must be zeroed first. */
struct exit_lines {
        struct exit_line *lines;
        size_t n, allocated;
        usec_t due; /* CLOCK_MONOTONIC time to print the first line; 0: none */
};

/* Adds tasks that have ended with status on node; "": node not shown. */
void exit_lines_add(struct exit_lines *l, const char *node, uint32_t status, const uint32_t *ranks,
                size_t n);
/* Prints lines as errors of program on standard error; node: only its lines; NULL: all. */
void exit_lines_print(struct exit_lines *l, const char *program, const char *node);
/* Frees unprinted lines. */
void exit_lines_done(struct exit_lines *l);
