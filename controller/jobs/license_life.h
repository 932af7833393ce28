/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/license_life.h - licenses and layers that change under existing jobs */
#pragma once

#include "controller/model/cluster.h"

/* Runs at the start and after a new configuration: charges jobs on nodes for layers that are new,
   holds queued jobs whose license is gone, and releases jobs whose licenses are back. */
void licenses_settle(struct cluster *c, usec_t now);
