/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/x11_forward.h - srun --x11, salloc --x11: connections of X11 that come from the
 * nodes of a job go on to the X server of this command's DISPLAY */
#pragma once

#include "lib/fail.h"

/* Finds that server and its cookie.  A negative errno with fail: there is none. */
int x11_prepare(struct fail *fail);
/* The job, which was asked for with --x11, is allocated: starts a process that forwards until this
   one ends.  Once; without x11_prepare() it does nothing. */
void x11_forward(const char *program, uint32_t job);
