/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/newer.h - slumberds that know a newer state (records/identity.h) */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "lib/wire.h"

/* Checks a registration before any effect.  Returns true if refused, because this slumberd or an
   earlier slumberd knows more of the state than slumberctld, which is halted then: no slumberd is
   registered, no job is started, changed or timed out. */
bool newer_refuses(struct controller *ctl, struct peer *p, const Envelope *env);
