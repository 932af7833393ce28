/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/turn/turn.h - everything that follows from what has happened: deadlines, scheduling,
 * gang, power saving
 *
 * The daemon calls it at the end of each turn of its loop, the simulator and the stories after each
 * event. */
#pragma once

#include "controller/model/cluster.h"

void turn(struct cluster *c, usec_t now);
/* The first of it alone: deadlines that have come, without what is concluded from them.  A
   simulator lets everything end that ends at one instant, and only then has decisions made. */
void turn_deadlines(struct cluster *c, usec_t now);
