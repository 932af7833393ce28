/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/hook_programs.h - PrologSlurmctld and EpilogSlurmctld */
#pragma once

#include "controller/loop/controller.h"

void hook_program(struct controller *ctl, const struct effect *fx);      /* FX_HOOK */
void hook_program_over(struct controller *ctl, const struct effect *fx); /* FX_HOOK_OVER */
/* The jobs are restored or forgotten: creates the folder of the hooks' results and removes results
   of hooks that are over or of unknown jobs.  An error means that no hook could run. */
int hook_programs_open(struct controller *ctl, struct fail *fail);
void hook_programs_free(struct controller *ctl); /* running hooks continue */
