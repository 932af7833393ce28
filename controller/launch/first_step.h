/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/first_step.h - the step srun requests together with an allocation
 *
 * If a job starts in the turn of its submission, its first step begins at once: one commit stores
 * both, and srun waits once. In all other cases, also if the step would have to wait or is refused,
 * the request is forgotten; srun repeats the request when srun gets its allocation. */
#pragma once

#include "controller/loop/controller.h"

/* Copies m, the caller's request for the first step of job; no-op if m is NULL. */
void first_step_note(struct controller *ctl, const struct caller *caller, uint32_t job,
                const Slumber__StepRequest *m);
/* Called at the end of a turn, when the started jobs are known: begins the first steps of
   started jobs and forgets the other requests. */
void first_steps_begin(struct controller *ctl);
void first_steps_free(struct controller *ctl);
