/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/machine/program.h - a program of the site's: started in a process group of its own, for so
   long at most, while the loop goes on */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

#define PROGRAM_OUTPUT_MAX 4096
struct program;
struct program_wish {
        const char *path;
        char *argument;     /* NULL: none */
        char **arguments;   /* instead of that; ends with NULL */
        char *variables[4]; /* NAME=VALUE; NULL: none */
        /* Its output is read; its errors are logged; processes that it leaves are killed. */
        bool listen, heard, alone;
        int last_good;          /* highest exit status that is no failure */
        usec_t limit;           /* it is killed after that; 0: no limit */
        const char *limit_name; /* name of the limit for why; static */
        /* output: so much of it; why: what is against it (NULL: it has succeeded), to be said after
         * its name.  The program is gone then. */
        void (*ended)(void *user, char *output, int status, const char *why);
        void *user;
};
/* NULL with fail: it cannot be started.  path, argument and variables are not looked at any more.
 */
struct program *program_start(sd_event *event, const struct program_wish *w, struct fail *fail);
/* one that runs is killed, and nothing is told; NULL: nothing */
struct program *program_free(struct program *p);
/* A child whose end is heard by its socket: the loop only reaps it.  Negative errno with fail: that
 * is not possible; pid has been killed, and is reaped if it has gone at once. */
int program_reap(sd_event *event, pid_t pid, struct fail *fail);
