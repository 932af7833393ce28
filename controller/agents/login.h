/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/login.h - slumberd --login: the daemon of a host that is no node, and relays
 * the commands of its users */
#pragma once

#include "controller/loop/controller.h"

/* Takes or refuses the registration of such a daemon. */
void login_register(struct controller *ctl, struct peer *p, const Envelope *env);
/* All of them hear of the configuration that is in force from now on. */
void login_configs_send(struct controller *ctl);
/* Those that nothing was heard of for longer than limit, us, are dropped. */
void login_drop_silent(struct controller *ctl, usec_t limit);
/* Their silence is counted from now on. */
void login_expect(struct controller *ctl);
/* Its heartbeat is answered. */
void login_heard(struct controller *ctl, struct peer *p);
