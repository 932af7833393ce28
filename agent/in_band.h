/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/in_band.h - the host's own BMC */
#pragma once

#include "agent/state/agent.h"

void in_band_start(struct agent *a); /* no-op without a device */
void in_band_beat(struct agent *a);  /* requests a new reading */
void in_band_done(struct agent *a);
