/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/groups.h - the supplementary groups of users, looked up by step daemons */
#pragma once

#include "agent/state/agent.h"

void groups_remember(struct agent *a, const Slumber__StepdHello *hello);
/* Sets the groups of the credential's user. If the groups are unknown, the list stays empty and the
   step daemon looks the groups up. */
void groups_fill(struct agent *a, Slumber__CredentialBody *body);
void groups_forget(struct agent *a);
