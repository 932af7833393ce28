/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/what_if.h - changes power-saving settings of a cluster */
#pragma once

#include "controller/model/cluster.h"

struct what_if; /* sim/plan.h */

/* Changes c and its configuration: pass a copy. -EINVAL, -ENOENT, -ERANGE with fail, beginning with
   the key; c is unusable then. */
int what_if_apply(struct cluster *c, const struct what_if *settings, size_t n, usec_t now,
                struct fail *fail);
