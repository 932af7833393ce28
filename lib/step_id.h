/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step_id.h - the numbers of steps, and the words for those that srun does not make */
#pragma once

#include "lib/base.h"

#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH       0xfffffffbu
#define STEP_EXTERN      0xfffffffcu
#define STEP_PROLOG      0xfffffff0u /* a launch that is the prolog alone (PrologFlags=Alloc) */
#define STEP_MAKER       0xfffffff1u /* none: LaunchResult says that a node takes no MakerBegin */
#define STEP_NUMBER_MAX  0xffffffefu /* of srun's steps; above are the special ones */
#define STEP_BCAST_FIRST 0xf0000000u /* from here on they are sbcast's: "bcast0" */
#define STEP_TEXT_MAX    16
/* Of a job whose node makes its steps those that the controller makes are numbered from here on:
   they take nothing from others. */
#define STEP_OWN_FIRST       1000000000u
#define STEP_OWN_BCAST_FIRST 100000000u /* among sbcast's */

/* An srun has it, and its streams. */
static inline bool step_is_sruns(uint32_t step) {
        return step <= STEP_NUMBER_MAX || step == STEP_INTERACTIVE;
}

/* The number of one that its job's node has made, where that makes steps. */
static inline bool step_is_home(uint32_t step) {
        return step < STEP_BCAST_FIRST
                               ? step < STEP_OWN_FIRST
                               : step <= STEP_NUMBER_MAX &&
                                                 step - STEP_BCAST_FIRST < STEP_OWN_BCAST_FIRST;
}

/* "batch", "extern", "interactive", "bcast7", or its number, which is written to buf. */
const char *step_text(uint32_t step, char buf[static STEP_TEXT_MAX]);
/* ... in a buffer of the block that it is used in. */
#define STEP_WORD(step) step_text((step), (char[STEP_TEXT_MAX]){ 0 })
/* Of a component of a heterogeneous step "4+1"; part: 1 + its place there, 0: it is none. */
const char *step_part_text(uint32_t step, uint32_t part, char buf[static STEP_TEXT_MAX]);
/* -EINVAL: it is none of these. */
int step_parse(const char *text, uint32_t *ret);
