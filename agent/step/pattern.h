/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/pattern.h - names of output files: "slurm-%j.out" and the like */
#pragma once

#include "lib/base.h"

struct pattern_names { /* what the letters stand for */
        uint32_t job, step, restarts, rank, node_rank;
        uint32_t array_job, array_task; /* 0: it is no task of an array */
        const char *node, *user, *name;
};

#define PATTERN_WIDTH_MAX 10 /* of a zero-padded number, as in Slurm */

/* Borrowed names in, malloced text out.  A backslash anywhere switches patterns off and is dropped;
   a letter without a meaning stays as it is. */
char *pattern_expand(const char *pattern, const struct pattern_names *names);
