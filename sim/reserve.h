/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/reserve.h - slumber-sim --reservations */
#pragma once

#include "controller/model/cluster.h"

/* Makes the reservations in text, one per line: words KEY=VALUE of scontrol create reservation,
   with times relative to now; # begins a comment line. -EINVAL with fail naming the line; earlier
   lines are in effect. */
int sim_reserve(struct cluster *c, const char *text, usec_t now, struct fail *fail);
