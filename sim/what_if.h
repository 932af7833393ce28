/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/what_if.h - a cluster with other power-saving settings than it has */
#pragma once

#include "controller/model/cluster.h"

struct what_if; /* sim/plan.h */

/* Changes c, and with it its configuration: give it a copy.  -EINVAL, -ENOENT, -ERANGE with fail,
   which begins with the key; c is of no use then. */
int what_if_apply(struct cluster *c, const struct what_if *settings, size_t n, usec_t now,
                struct fail *fail);
