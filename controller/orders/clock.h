/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/clock.h - the wall clock was set
 *
 * Core's now follows it, and with it move all points in time that something has happened at or is
 * due: they were so long ago, or will be in so long, whatever a clock says.  Only what a person has
 * asked for by the clock stays: --begin and StartTime. */
#pragma once

#include "controller/model/cluster.h"

/* by: forward, or back if negative.  now: the new one. */
void cluster_clock_set(struct cluster *c, int64_t by, usec_t now);
/* Of one record that was written before the clock was set. */
void job_clock_set(struct job *j, int64_t by);
void node_clock_set(struct node *n, int64_t by);
/* t later by so much; what is not set stays so, and nothing becomes so. */
usec_t clock_moved(usec_t t, int64_t by);
