/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/devices.h - which device files a step may not use */
#pragma once

#include "agent/state/agent.h"

/* Device files of the node's resources except those of step_gres ("gpu:2(IDX:0-1)"); the caller
   frees. */
struct cg_device *devices_not_of(const struct agent *a, const char *step_gres, size_t *ret_n);
