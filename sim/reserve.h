/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/reserve.h - slumber-sim --reservations */
#pragma once

#include "controller/model/cluster.h"

/* Makes the reservations that text has, one a line: words KEY=VALUE of scontrol create reservation,
   with times from now on; # begins a comment line.  -EINVAL with fail, which names the line; those
   before it have been made. */
int sim_reserve(struct cluster *c, const char *text, usec_t now, struct fail *fail);
