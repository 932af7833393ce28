/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/clock.h - reacts to a change of the wall clock
 *
 * The cluster's now follows the wall clock, and all points in time of past or due events move
 * along: intervals stay the same.  Only times that users give by the clock stay: --begin and
 * StartTime. */
#pragma once

#include "controller/model/cluster.h"

/* Moves all times of c by `by`, back if negative; now is the new time. */
void cluster_clock_set(struct cluster *c, int64_t by, usec_t now);
/* Moves the times of a record written before the clock was set. */
void job_clock_set(struct job *j, int64_t by);
void node_clock_set(struct node *n, int64_t by);
/* Returns t moved by `by`; an unset time stays unset, and a set time never becomes unset. */
usec_t clock_moved(usec_t t, int64_t by);
