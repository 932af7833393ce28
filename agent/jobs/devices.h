/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/devices.h - the device files denied to a step */
#pragma once

#include "agent/state/agent.h"

/* Returns the device files of the node's generic resources except the files of step_gres
   ("gpu:2(IDX:0-1)"); the caller frees. */
struct cg_device *devices_not_of(const struct agent *a, const char *step_gres, size_t *ret_n);
