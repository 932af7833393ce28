/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/debugflags.h - DebugFlags: which parts of the controller tell more than usual */
#pragma once

#include "lib/fail.h"

enum debug_flag {        /* bits */
        DEBUG_POWER = 1, /* each decision of power saving and its reason */
        DEBUG_GANG = 2,  /* each answer of an agent that was to stop a job, or have it go on */
};

/* "Power,..."; -EINVAL names what Slurm does not know either.  Flags that Slurm has and Slumber
 *does not are put into ret_unused, a comma list (NULL: none); the caller frees. */
int debug_flags_parse(const char *text, unsigned *ret, char **ret_unused, struct fail *fail);
/* "Gang,Power", or NULL; the caller frees. */
char *debug_flags_text(unsigned flags);
