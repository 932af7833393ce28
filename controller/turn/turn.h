/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/turn/turn.h - all consequences of events: deadlines, scheduling, gang, power saving
 *
 * The daemon calls turn() at the end of each turn of the event loop, the simulator and the stories
 * after each event. */
#pragma once

#include "controller/model/cluster.h"

void turn(struct cluster *c, usec_t now);
/* Handles the due deadlines only, without scheduling decisions.  A simulator ends all jobs that end
   at an instant before any decision is made. */
void turn_deadlines(struct cluster *c, usec_t now);
