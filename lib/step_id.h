/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step_id.h - the numbers of steps, and the words for those that srun does not make */
#pragma once

#include "lib/base.h"

#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH       0xfffffffbu
#define STEP_EXTERN      0xfffffffcu
#define STEP_PROLOG      0xfffffff0u /* a launch that is the prolog alone (PrologFlags=Alloc) */
#define STEP_NUMBER_MAX  0xffffffefu /* of srun's steps; above are the special ones */
#define STEP_TEXT_MAX    16

/* "batch", "extern", "interactive", or its number, which is written to buf. */
const char *step_text(uint32_t step, char buf[static STEP_TEXT_MAX]);
/* -EINVAL: it is none of these. */
int step_parse(const char *text, uint32_t *ret);
