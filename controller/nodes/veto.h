/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/nodes/veto.h - slumberd may veto that the node is switched off
 *
 * slumberd reports each change, so that power saving decides without asking.  An idle node stays
 * up, and the node's idle time is counted anew when the veto ends.  POWER_DOWN waits for the end of
 * the veto; POWER_DOWN_FORCE ignores the veto. */
#pragma once

#include "controller/model/cluster.h"

#define VETO_TEXT_MAX 200

/* text: the reason of the veto; NULL or "": n may be switched off. */
void node_set_veto(struct cluster *c, struct node *n, const char *text, usec_t now);
