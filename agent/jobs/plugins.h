/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/plugins.h - plugstack.conf */
#pragma once

#include "agent/state/agent.h"

bool agent_has_plugins(const struct agent *a); /* the file is there now */
/* The settings of it are known: slurmd_init of its plug-ins, once; where a required one fails,
   slumberd ends. */
void plugins_begin(struct agent *a);
void plugins_end(struct agent *a); /* slurmd_exit; waits for that for 10 s at most */
