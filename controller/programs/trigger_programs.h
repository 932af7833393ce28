/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/trigger_programs.h - the programs of triggers (strigger): each starts once
 *
 * The child makes a file in StateSaveLocation before it becomes the program, and gives up if that
 * is there.  So a controller that asks again after a kill, while it is not known whether the
 * program has been started, starts no second one. */
#pragma once

#include "controller/loop/controller.h"

void trigger_program(struct controller *ctl, const struct effect *fx); /* FX_TRIGGER */
/* At the start, when the state is loaded: files of programs that are over. */
void trigger_programs_sweep(struct controller *ctl);
void trigger_programs_free(struct controller *ctl);
