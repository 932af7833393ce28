/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/users/relay.h - connections of commands on this host */
#pragma once

#include "agent/state/agent.h"

int relay_open(struct agent *a, const char *path, struct fail *fail);
/* Publishes plugstack.conf for commands of this host. */
void relay_publish_plugins(struct agent *a);
void relay_close(struct agent *a);
bool relay_deliver(struct agent *a, Envelope *env); /* true: env was for a local client */
void relay_controller_away(struct agent *a);
