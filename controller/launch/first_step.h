/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/first_step.h - the step that srun asks for with its allocation
 *
 * A job that starts in the turn in which it is submitted begins with its step: one commit has both,
 * and srun waits once.  In every other case, also where the step would have to wait or is refused,
 * the request is forgotten, and srun asks again when it is told of its allocation. */
#pragma once

#include "controller/loop/controller.h"

/* Copies m, which is NULL where nothing was asked for: the caller's first step in its job. */
void first_step_note(struct controller *ctl, const struct caller *caller, uint32_t job,
                const Slumber__StepRequest *m);
/* At the end of a turn, when it is known which jobs have started: begins their steps, and forgets
   the others. */
void first_steps_begin(struct controller *ctl);
void first_steps_free(struct controller *ctl);
