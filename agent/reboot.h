/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/reboot.h - the controller reboots this node */
#pragma once

#include "agent/state/agent.h"

void agent_reboot(struct agent *a, const Slumber__RebootNode *m);
/* A PowerAction with Location=slurmd: for a reboot, or to lose its power. */
void agent_node_action(struct agent *a, const Slumber__NodeAction *m);
