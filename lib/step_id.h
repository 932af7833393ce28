/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step_id.h - the numbers of steps, and the words for those that srun does not make */
#pragma once

#include "lib/base.h"

#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH       0xfffffffbu
#define STEP_EXTERN      0xfffffffcu
#define STEP_PROLOG      0xfffffff0u /* a launch that is the prolog alone (PrologFlags=Alloc) */
#define STEP_NUMBER_MAX  0xffffffefu /* of srun's steps; above are the special ones */
#define STEP_BCAST_FIRST 0xf0000000u /* from here on they are sbcast's: "bcast0" */
#define STEP_TEXT_MAX    16

/* An srun has it, and its streams. */
static inline bool step_is_sruns(uint32_t step) {
        return step <= STEP_NUMBER_MAX || step == STEP_INTERACTIVE;
}

/* "batch", "extern", "interactive", "bcast7", or its number, which is written to buf. */
const char *step_text(uint32_t step, char buf[static STEP_TEXT_MAX]);
/* ... in a buffer of the block that it is used in. */
#define STEP_WORD(step) step_text((step), (char[STEP_TEXT_MAX]){ 0 })
/* -EINVAL: it is none of these. */
int step_parse(const char *text, uint32_t *ret);
