/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/groups.h - the groups of users, as step daemons have looked them up */
#pragma once

#include "agent/state/agent.h"

void groups_remember(struct agent *a, const Slumber__StepdHello *hello);
/* unknown: the step daemon looks them up. */
void groups_fill(struct agent *a, Slumber__CredentialBody *body);
void groups_forget(struct agent *a);
