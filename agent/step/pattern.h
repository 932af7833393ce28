/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/pattern.h - names of output files: "slurm-%j.out" and the like */
#pragma once

#include "lib/base.h"

struct pattern_names { /* values of the letters */
        uint32_t job, step, restarts, rank, node_rank;
        uint32_t array_job, array_task; /* array_job 0: not an array task */
        const char *node, *user, *name;
};

#define PATTERN_WIDTH_MAX 10 /* maximum width of a zero-padded number, as in Slurm */

/* Expands a pattern; names are borrowed, the caller frees the result. A backslash anywhere disables
   patterns and is dropped; unknown letters are kept. */
char *pattern_expand(const char *pattern, const struct pattern_names *names);
