/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step_id.h - step numbers and names of special steps */
#pragma once

#include "lib/base.h"

#define STEP_INTERACTIVE 0xfffffffau
#define STEP_BATCH       0xfffffffbu
#define STEP_EXTERN      0xfffffffcu
#define STEP_PROLOG      0xfffffff0u /* a launch of the prolog only (PrologFlags=Alloc) */
/* no step: in LaunchResult, the node does not take MakerBegin */
#define STEP_MAKER       0xfffffff1u
#define STEP_NUMBER_MAX  0xffffffefu /* maximum of srun's steps; special steps are above */
#define STEP_BCAST_FIRST 0xf0000000u /* first number of sbcast's steps: "bcast0" */
#define STEP_TEXT_MAX    16
/* Numbers of steps made by the controller begin here in a job with a step manager, apart from the
   step manager's numbers. */
#define STEP_OWN_FIRST       1000000000u
#define STEP_OWN_BCAST_FIRST 100000000u /* likewise within sbcast's numbers */

/* True for steps with an srun and its streams. */
static inline bool step_is_sruns(uint32_t step) {
        return step <= STEP_NUMBER_MAX || step == STEP_INTERACTIVE;
}

/* True if, in a job with a step manager, the step manager made the step. */
static inline bool step_is_home(uint32_t step) {
        return step < STEP_BCAST_FIRST
                               ? step < STEP_OWN_FIRST
                               : step <= STEP_NUMBER_MAX &&
                                                 step - STEP_BCAST_FIRST < STEP_OWN_BCAST_FIRST;
}

/* Returns "batch", "extern", "interactive", "bcast7", or the number, written to buf. */
const char *step_text(uint32_t step, char buf[static STEP_TEXT_MAX]);
/* step_text() with a buffer of the enclosing block. */
#define STEP_WORD(step) step_text((step), (char[STEP_TEXT_MAX]){ 0 })
/* Returns "4+1" for a component of a heterogeneous step; part: 1 + index of the component, 0: no
   component. */
const char *step_part_text(uint32_t step, uint32_t part, char buf[static STEP_TEXT_MAX]);
/* Reads text as written by step_text(). -EINVAL: not a step. */
int step_parse(const char *text, uint32_t *ret);
