/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/debugflags.h - DebugFlags: parts of the controller with more log lines */
#pragma once

#include "lib/fail.h"

enum debug_flag {        /* bits */
        DEBUG_POWER = 1, /* each decision of power saving, with its reason */
        DEBUG_GANG = 2,  /* each answer of a slumberd to suspend or resume a job */
};

/* Reads "Power,..."; -EINVAL names a flag unknown to Slurm. *ret_unused: Slurm's flags without
 * effect in Slumber, a comma list (NULL: none); the caller frees. */
int debug_flags_parse(const char *text, unsigned *ret, char **ret_unused, struct fail *fail);
/* Returns "Gang,Power", or NULL; the caller frees. */
char *debug_flags_text(unsigned flags);
