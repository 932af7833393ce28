/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/origin.h - which job a session comes from, where that is on another node: asked
 * by the slumberd that pam_slumber_adopt asks */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "lib/wire.h"

/* ORIGIN: a question goes to the nodes of the user's jobs on p's node that have the address that
   the connection comes from, an answer to the node that has asked.  Nothing is kept here. */
void origin_asked(struct controller *ctl, struct peer *p, const Envelope *env);
