/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/nodes.h - other slumberds */
#pragma once

#include "agent/state/agent.h"

/* Listens at the node's Port=, or at another one if that cannot be had.  After jobs_adopt(): where
   steps run, other nodes know the port that the last slumberd had. */
int nodes_listen(struct agent *a, struct fail *fail);
void nodes_done(struct agent *a);
