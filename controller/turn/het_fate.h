/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/turn/het_fate.h - what becomes of a heterogeneous job when one of its components has
 * ended, or goes back to the queue (guide "Heterogeneous job support") */
#pragma once

#include "controller/model/cluster.h"

/* After FACT_HET_LEFT, and after a restart: by the components' states alone, so that it may be
   repeated. */
void het_settle(struct cluster *c, usec_t now);
