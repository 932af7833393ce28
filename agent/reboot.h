/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/reboot.h - reboots of the node by the controller */
#pragma once

#include "agent/state/agent.h"

void agent_reboot(struct agent *a, const Slumber__RebootNode *m);
/* Runs a PowerAction with Location=slurmd, a reboot or a power-off. */
void agent_node_action(struct agent *a, const Slumber__NodeAction *m);
