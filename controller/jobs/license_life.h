/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/license_life.h - what other licenses and layers of the configuration mean for
 * jobs that are there already */
#pragma once

#include "controller/model/cluster.h"

/* At the start, and after a new configuration: jobs on nodes are charged for layers that have come
   since, jobs that wait for a license that is gone are held, and those released whose licenses are
   there again. */
void licenses_settle(struct cluster *c, usec_t now);
