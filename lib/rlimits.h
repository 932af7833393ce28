/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/rlimits.h - which resource limits a job has from where it was submitted (--propagate,
   PropagateResourceLimits) */
#pragma once

#include "lib/fail.h"

#define RLIMITS_ALL UINT32_MAX

/* "STACK,NOFILE", in any case, ALL or NONE: *ret has bit 1 << RLIMIT_... of each. -EDOM with fail:
   there is no such name. */
int rlimits_parse(const char *list, uint32_t *ret, struct fail *fail);
