/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/rlimits.h - resource limits that a job takes over from the submitting shell (--propagate,
   PropagateResourceLimits) */
#pragma once

#include "lib/fail.h"

#define RLIMITS_ALL UINT32_MAX

/* Reads "STACK,NOFILE" in any case, or ALL or NONE; *ret has bit 1 << RLIMIT_... of each. -EDOM
   with fail: unknown name. */
int rlimits_parse(const char *list, uint32_t *ret, struct fail *fail);
