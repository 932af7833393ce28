/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/swap.h - detects swap being switched on or off */
#pragma once

#include "agent/state/agent.h"

void swap_watch(struct agent *a); /* sends a heartbeat at once when swap is switched on or off */
void swap_done(struct agent *a);
