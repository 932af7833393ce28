/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/programs.h - programs that are started for nodes */
#pragma once

#include "controller/loop/controller.h"

void program_suspend(struct controller *ctl, const struct effect *fx);
void program_resume(struct controller *ctl, const struct effect *fx);
/* Returns SLUMBER_DEADLINE for a SuspendTimeout or ResumeTimeout; 0: none. */
usec_t program_deadline(usec_t timeout);
void program_resume_fail(struct controller *ctl, const struct effect *fx);
/* working folder of programs; the caller frees */
char *programs_folder(const struct config *config);
void program_reboot(struct controller *ctl, const struct effect *fx);
/* n could not run the PowerAction for switching n off; text says why. */
void program_node_failed(struct controller *ctl, struct node *n, const char *text);
