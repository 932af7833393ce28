/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/newer.h - agents that know a newer state (records/identity.h) */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "lib/wire.h"

/* Before a registration has any effect.  true: it has been refused, since its agent or another one
   knows more of the state than the controller has, which stands still from then on: no agent is
   registered, nothing is started, changed or timed out. */
bool newer_refuses(struct controller *ctl, struct peer *p, const Envelope *env);
