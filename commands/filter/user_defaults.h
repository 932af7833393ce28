/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/filter/user_defaults.h - ~/.slurm/defaults (CliFilterPlugins=user_defaults)
 *
 * A line is [COMMAND:[CLUSTER:]]OPTION[=VALUE], white space around each of them and lines of #
 * apart;
 * "*" and "" are all commands or clusters. */
#pragma once

#include "commands/jobspec/jobspec.h"

#define USER_DEFAULTS_SIZE 65536 /* bytes of the file */
#define USER_DEFAULTS_ROWS 1000  /* its lines that say something */

struct user_default {
        unsigned line;
        unsigned commands;                    /* bits of enum job_command */
        bool named;                           /* one command is */
        const char *cluster, *option, *value; /* cluster NULL: all; value "": it has none */
};

struct user_defaults {
        char *file, *text; /* which the rows are of */
        struct user_default *rows;
        size_t n;
};

/* -EINVAL, -E2BIG with fail: "FILE line N: ..." */
int user_defaults_parse(const char *file, const char *text, size_t size, struct user_defaults *ret,
                struct fail *fail);
/* The user's own; no rows where there is none. */
int user_defaults_read(struct user_defaults *ret, struct fail *fail);
/* As if o's command had been told them.  What is another command's, or another cluster's, is passed
   over; an option that there is not, or a wrong value, is -EINVAL with fail. */
int user_defaults_set(const struct user_defaults *d, const char *cluster, struct job_options *o,
                struct fail *fail);
void user_defaults_done(struct user_defaults *d);
