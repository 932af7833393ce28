/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/login.h - slumberd --login */
#pragma once

#include "agent/state/agent.h"

/* checks for options excluded by --login */
int login_check(const struct agent_options *o, struct fail *fail);
void login_register(struct agent *a);
void login_apply_config(struct agent *a, const Slumber__AgentConfig *c);
void login_beat(struct agent *a);
