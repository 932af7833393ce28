/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/login.h - slumberd --login: the daemon of a host that is no node, and relays
 * the commands of its users */
#pragma once

#include "controller/loop/controller.h"

/* Takes or refuses the registration of such a daemon. */
void login_register(struct controller *ctl, struct peer *p, const Envelope *env);
/* All of them hear of the configuration that is in force from now on. */
void login_configs_send(struct controller *ctl);
void login_done(struct controller *ctl); /* none is asked any more whether it is there */
/* Its heartbeat is answered. */
void login_heard(struct controller *ctl, struct peer *p);
