/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/plugins.h - plugstack.conf */
#pragma once

#include "agent/state/agent.h"

bool agent_has_plugins(const struct agent *a); /* plugstack.conf is configured and exists */
/* Called when the path of plugstack.conf is known: runs slurmd_init of the plug-ins, once. If a
   required plug-in fails, slumberd ends. */
void plugins_begin(struct agent *a);
void plugins_end(struct agent *a); /* runs slurmd_exit of the plug-ins; waits 10 s at most */
