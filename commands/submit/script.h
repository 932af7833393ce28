/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/script.h - reads a batch script and the options in its #SBATCH lines */
#pragma once

#include "lib/fail.h"

#define SCRIPT_MAX (4u << 20) /* bytes: Slurm's default limit, and a bound for the store */

/* Reads a whole script; path NULL: standard input. The caller frees *ret, which ends with a null
   byte not counted in *ret_size. */
int script_read(const char *path, char **ret, size_t *ret_size, struct fail *fail);
/* Returns the path of a script: the name itself if such a file exists here or PATH has no such
   file, else the file in PATH. The caller frees. */
char *script_find(const char *name);
/* Returns -EINVAL if the text is no script; fail may have several lines. */
int script_check(const char *script, size_t size, struct fail *fail);

/* Words of the #SBATCH lines up to the first line that is no comment, and, as in Slurm, of the
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
        unsigned number; /* line number in the script, from 1 */
        bool plain;      /* the first word is not quoted */
        int argc;
        char **argv; /* argv[0] is "sbatch"; ends with NULL */
        char **kept; /* texts made by script_foreign(), borrowed by options */
        size_t n_kept;
};
struct script_lines {
        struct script_line *lines;
        size_t n;
};
int script_lines(const char *script, size_t size, const char *name, struct script_lines *ret,
                struct fail *fail);
void script_lines_done(struct script_lines *l);
