/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/origin.h - finds the job that started a session from a different node, for the
 * slumberd that pam_slumber_adopt asks */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "lib/wire.h"

/* ORIGIN: passes a question to the nodes of the user's jobs on p's node with the address of the
   connection's origin, and an answer to the asking node.  No state is kept. */
void origin_asked(struct controller *ctl, struct peer *p, const Envelope *env);
