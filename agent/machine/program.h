/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/machine/program.h - runs a site's program in a process group of its own with a time
   limit, without blocking the loop */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

#define PROGRAM_OUTPUT_MAX 4096
struct program;
struct program_wish {
        const char *path;
        char *argument;     /* used if arguments is NULL; NULL: no argument */
        char **arguments;   /* arguments; ends with NULL; NULL: argument is used */
        char *variables[4]; /* NAME=VALUE; NULL: unused */
        /* listen: reads the output; heard: the program's errors go to the log; alone: kills
           processes left by the program. */
        bool listen, heard, alone;
        int last_good;          /* highest exit status that counts as success */
        usec_t limit;           /* the program is killed after this time; 0: no limit */
        const char *limit_name; /* name of the limit in why; static */
        /* Called when the program has ended and is freed. output: up to PROGRAM_OUTPUT_MAX bytes;
         * why: reason of failure, to follow the program's name (NULL: success). */
        void (*ended)(void *user, char *output, int status, const char *why);
        void *user;
};
/* Starts a program. path, argument and variables need not outlive the call. NULL with fail set:
   the program cannot be started. */
struct program *program_start(sd_event *event, const struct program_wish *w, struct fail *fail);
/* kills a running program, without calling ended(); takes NULL */
struct program *program_free(struct program *p);
/* Lets the loop reap a child whose end is noticed by its socket. Negative errno with fail set:
 * impossible; pid has been killed, and reaped if already ended. */
int program_reap(sd_event *event, pid_t pid, struct fail *fail);
