/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/login.h - slumberd --login: the daemon of a host that is no node, which relays
 * the commands of the host's users */
#pragma once

#include "controller/loop/controller.h"

/* Accepts or refuses the registration of a login host. */
void login_register(struct controller *ctl, struct peer *p, const Envelope *env);
/* Sends the new configuration to all login hosts. */
void login_configs_send(struct controller *ctl);
void login_done(struct controller *ctl); /* stops asking login hosts */
/* Answers the heartbeat of a login host. */
void login_heard(struct controller *ctl, struct peer *p);
