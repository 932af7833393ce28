/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/trigger_programs.h - runs the programs of triggers (strigger), each once
 *
 * The child creates a file in StateSaveLocation before executing the program, and gives up if the
 * file exists.  So a controller that repeats the request after a kill, not knowing whether the
 * program has been started, starts no second program. */
#pragma once

#include "controller/loop/controller.h"

void trigger_program(struct controller *ctl, const struct effect *fx); /* FX_TRIGGER */
/* Removes the files of programs that are over; called when the state has been loaded. */
void trigger_programs_sweep(struct controller *ctl);
void trigger_programs_free(struct controller *ctl);
