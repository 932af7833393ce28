/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/x11_forward.h - srun --x11, salloc --x11: forwards X11 connections from the nodes
 * of a job to the X server of this command's DISPLAY */
#pragma once

#include "lib/fail.h"

/* Finds the X server and its cookie. Returns a negative errno with fail set if there is none. */
int x11_prepare(struct fail *fail);
/* Starts a process forwarding X11 connections of the allocated job until the calling process
   ends. To be called once; does nothing without x11_prepare(). */
void x11_forward(const char *program, uint32_t job);
