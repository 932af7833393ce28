/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/script.h - a batch script: reading it, and the options that stand in its #SBATCH
   lines */
#pragma once

#include "lib/fail.h"

#define SCRIPT_MAX (4u << 20) /* bytes: Slurm's default limit, and a bound for the store */

/* Reads a whole script; path NULL is standard input. *ret ends with a NUL that *ret_size does not
   count. */
int script_read(const char *path, char **ret, size_t *ret_size, struct fail *fail);
/* The file that a script's name means: here, else in PATH; the caller frees. NULL when there is
   none. */
char *script_find(const char *name);
/* Does it look like a script?  fail may hold several lines. */
int script_check(const char *script, size_t size, struct fail *fail);

/* The words of the #SBATCH lines, up to the first line that is no comment; and, as Slurm, of the
   #PBS and #BSUB lines up to the end of the script. */
enum script_kind {
        SCRIPT_SBATCH,
        SCRIPT_PBS,
        SCRIPT_BSUB,
        SCRIPT_KIND_MAX,
};
const char *script_prefix(enum script_kind kind); /* "#SBATCH" */

struct script_line {
        enum script_kind kind;
        unsigned number; /* in the script, from 1 */
        bool plain;      /* its first word stands there without quotes */
        int argc;
        char **argv; /* argv[0] is "sbatch"; ends with NULL */
        char **kept; /* texts that script_foreign() has made of them */
        size_t n_kept;
};
struct script_lines {
        struct script_line *lines;
        size_t n;
};
int script_lines(const char *script, size_t size, const char *name, struct script_lines *ret,
                struct fail *fail);
void script_lines_done(struct script_lines *l);
