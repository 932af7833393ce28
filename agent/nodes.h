/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/nodes.h - connections with slumberds of remote nodes */
#pragma once

#include "agent/state/agent.h"

/* Listens at the node's Port=, or at a free port if taken. Called after jobs_adopt(): if steps run,
   the last slumberd's port is preferred, as known to remote nodes. */
int nodes_listen(struct agent *a, struct fail *fail);
void nodes_done(struct agent *a);
