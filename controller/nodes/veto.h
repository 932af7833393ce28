/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/veto.h - a node's agent may say that the node must not be switched off now
 *
 * Agents tell when that changes, so that power saving decides at once by what is known.  An idle
 * node stays, and its idle clock starts anew when the veto ends; POWER_DOWN that is wanted waits
 * until then; power_down_force does not ask. */
#pragma once

#include "controller/model/cluster.h"

#define VETO_TEXT_MAX 200

/* Why not; NULL or "": it may. */
void node_set_veto(struct cluster *c, struct node *n, const char *text, usec_t now);
