/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/turn.h - everything that follows from what has happened: deadlines, scheduling, gang, power saving
 *
 * The daemon calls it at the end of each turn of its loop, the simulator and the stories after each event. */
#pragma once

#include "controller/core/cluster.h"

void turn(struct cluster *c, usec_t now);
