/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/gather.h - nodes that are wanted within a moment share one run of Resume- or
 * SuspendProgram
 *
 * The first nodes to be switched on have their program at once; those to be switched off wait for
 * others for GATHER_SUSPEND, or a quarter of their SuspendTimeout.  Nodes that come within
 * GATHER_PAUSE of its start, or while one of the kind still runs, gather for the next run; while
 * one runs the pause doubles up to GATHER_PAUSE_MAX, so that one that hangs on a dead BMC delays
 * none for longer. power_save_min_interval, where set, has kept starts that far apart before they
 * come here (power_save.c). */
#pragma once

#include "controller/programs/running.h"

#define GATHER_PAUSE     (100 * USEC_PER_MSEC)
#define GATHER_PAUSE_MAX USEC_PER_SEC
#define GATHER_SUSPEND   USEC_PER_SEC

/* For fx->nodes: now or in a moment.  kind is RUNNING_RESUME or RUNNING_SUSPEND. */
void gather_add(struct controller *ctl, enum running_kind kind, const struct effect *fx);
/* One of its programs has ended: what waited only for that goes. */
void gather_ended(struct controller *ctl, enum running_kind kind);
/* What waits is run now: nodes get other numbers, or the controller stops. */
void gather_flush(struct controller *ctl);
void gather_free(struct controller *ctl);
