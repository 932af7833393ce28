/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/agent_config.h - what a slumberd is told of the configuration */
#pragma once

#include "controller/loop/controller.h"

/* The texts are the configuration's; hw is the caller's, too, and becomes a part of c. */
void agent_config_fill(const struct controller *ctl, const struct node *n, Slumber__AgentConfig *c,
                Slumber__Hardware *hw);
void agent_config_done(Slumber__AgentConfig *c); /* what that has allocated */
/* The log names what of cgroup.conf n's slumberd, of an earlier build, does not heed. */
void agent_say_unheeded(const struct controller *ctl, const struct node *n);

/* gres_agent.c: n's part of gres.conf; agent_gres_done() frees it. */
void agent_gres_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m);
void agent_gres_done(Slumber__AgentConfig *m);
/* How its GPUs are found, "" = they are not; whether the agent that registers has asked the
   library. */
const char *agent_gres_detect(const struct cluster *c, const struct node *n);
bool agent_gpus_asked(const struct cluster *c, const struct node *n, const Slumber__Register *m);

/* helpers_agent.c: the same of helpers.conf; whether the agent that registers has run just these.
 */
void agent_helpers_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m);
void agent_helpers_done(Slumber__AgentConfig *m);
bool agent_helpers_run(const struct cluster *c, const struct node *n, const Slumber__Register *m);
