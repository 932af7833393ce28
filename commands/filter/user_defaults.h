/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/filter/user_defaults.h - ~/.slurm/defaults (CliFilterPlugins=user_defaults)
 *
 * A line is [COMMAND:[CLUSTER:]]OPTION[=VALUE]; white space around each part and lines beginning
 * with # are ignored. "*" and "" mean all commands or clusters. */
#pragma once

#include "commands/jobspec/jobspec.h"

#define USER_DEFAULTS_SIZE 65536 /* maximum size of the file, bytes */
#define USER_DEFAULTS_ROWS 1000  /* maximum number of defaults */

struct user_default {
        unsigned line;
        unsigned commands;                    /* bits of enum job_command */
        bool named;                           /* the line names a command */
        const char *cluster, *option, *value; /* cluster NULL: all; value "": none */
};

struct user_defaults {
        char *file, *text; /* text: memory of the rows' texts */
        struct user_default *rows;
        size_t n;
};

/* -EINVAL, -E2BIG with fail set: "FILE line N: ..." */
int user_defaults_parse(const char *file, const char *text, size_t size, struct user_defaults *ret,
                struct fail *fail);
/* Reads the user's file; no rows if missing. */
int user_defaults_read(struct user_defaults *ret, struct fail *fail);
/* Sets defaults as if given to o's command. Lines for other commands or clusters are skipped; an
   unknown option or a wrong value is -EINVAL with fail set. */
int user_defaults_set(const struct user_defaults *d, const char *cluster, struct job_options *o,
                struct fail *fail);
void user_defaults_done(struct user_defaults *d);
