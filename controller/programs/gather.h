/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/gather.h - combines nodes wanted within a moment into a single run of
 * ResumeProgram or SuspendProgram
 *
 * The first nodes to be switched on get a program at once; nodes to be switched off wait for
 * further nodes for GATHER_SUSPEND, or a quarter of their SuspendTimeout.  Nodes that come within
 * GATHER_PAUSE of a start, or while a program of the kind is running, gather for the next run;
 * while a program is running the pause doubles up to GATHER_PAUSE_MAX, so that a program hanging on
 * a dead BMC delays no node for longer.  power_save_min_interval, where set, has already been
 * applied in power_save.c. */
#pragma once

#include "controller/programs/running.h"

#define GATHER_PAUSE     (100 * USEC_PER_MSEC)
#define GATHER_PAUSE_MAX USEC_PER_SEC
#define GATHER_SUSPEND   USEC_PER_SEC

/* Starts a program for fx->nodes, now or after gathering.  kind is RUNNING_RESUME or
   RUNNING_SUSPEND. */
void gather_add(struct controller *ctl, enum running_kind kind, const struct effect *fx);
/* A program of the kind has ended: starts nodes that waited only for the end. */
void gather_ended(struct controller *ctl, enum running_kind kind);
/* Starts all waiting nodes now, because node indexes change or the controller stops. */
void gather_flush(struct controller *ctl);
void gather_free(struct controller *ctl);
