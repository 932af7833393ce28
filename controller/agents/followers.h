/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/followers.h - tells slumberds that this controller has become primary
 *
 * A slumberd whose connection has ended finds the new primary by itself. A former primary that is
 * stopped, or cut off from the database alone, keeps the connections of its slumberds: this
 * controller calls the slumberds that have not registered some time after its start. */
#pragma once

#include "controller/loop/controller.h"

/* Begins to call; no-op for a cluster with one controller. */
int followers_call(struct controller *ctl);
void followers_free(struct controller *ctl);
