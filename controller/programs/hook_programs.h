/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/hook_programs.h - PrologSlurmctld and EpilogSlurmctld */
#pragma once

#include "controller/loop/controller.h"

void hook_program(struct controller *ctl, const struct effect *fx);      /* FX_HOOK */
void hook_program_over(struct controller *ctl, const struct effect *fx); /* FX_HOOK_OVER */
/* The jobs are restored: what is kept of hooks that are over, or of jobs long gone, is removed. */
void hook_programs_restored(struct controller *ctl);
void hook_programs_free(struct controller *ctl); /* those that run go on */
