/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/gres.h - generic resources of the node */
#pragma once

#include "agent/state/agent.h"

/* Applies the controller's settings of generic resources, and reports the existing number of
   each. */
void gres_apply(struct agent *a, const Slumber__AgentConfig *config);
void gres_done(struct agent *a);
