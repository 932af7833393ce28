/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/turn/het_fate.h - the fate of a heterogeneous job after a component has ended or
 * returned to the queue (heterogeneous job guide) */
#pragma once

#include "controller/model/cluster.h"

/* Called after FACT_HET_LEFT and after a restart; depends on the components' states alone, so that
   repetition is harmless. */
void het_settle(struct cluster *c, usec_t now);
