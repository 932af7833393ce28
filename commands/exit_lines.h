/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/exit_lines.h - which tasks have failed, and how: those of a node that end alike at about
 * the same time are in one line */
#pragma once

#include "lib/base.h"

struct exit_line;

/* Zero at first. */
struct exit_lines {
        struct exit_line *lines;
        size_t n, allocated;
        usec_t due; /* CLOCK_MONOTONIC: when the first of them is to be printed; 0: there is none */
};

/* The tasks of these ranks have ended with this status, on node; "": that is not said. */
void exit_lines_add(struct exit_lines *l, const char *node, uint32_t status, const uint32_t *ranks,
                size_t n);
/* On standard error, as errors of program; node: of that one alone; NULL: all. */
void exit_lines_print(struct exit_lines *l, const char *program, const char *node);
/* Frees what is left without a word. */
void exit_lines_done(struct exit_lines *l);
