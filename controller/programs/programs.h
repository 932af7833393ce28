/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/programs.h - programs that are started for nodes */
#pragma once

#include "controller/loop/controller.h"

void program_suspend(struct controller *ctl, const struct effect *fx);
void program_resume(struct controller *ctl, const struct effect *fx);
/* SLUMBER_DEADLINE of a Suspend- or ResumeTimeout; 0: none */
usec_t program_deadline(usec_t timeout);
void program_resume_fail(struct controller *ctl, const struct effect *fx);
char *programs_folder(const struct config *config); /* where they begin; the caller frees */
void program_reboot(struct controller *ctl, const struct effect *fx);
/* n could not run the PowerAction that was to switch it off; text says why. */
void program_node_failed(struct controller *ctl, struct node *n, const char *text);
