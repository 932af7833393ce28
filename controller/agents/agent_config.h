/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/agent_config.h - the configuration that a slumberd receives */
#pragma once

#include "controller/loop/controller.h"

/* Fills *c for n.  The texts belong to the configuration; hw belongs to the caller and becomes part
   of *c. */
void agent_config_fill(const struct controller *ctl, const struct node *n, Slumber__AgentConfig *c,
                Slumber__Hardware *hw);
void agent_config_done(Slumber__AgentConfig *c); /* frees allocations of agent_config_fill() */
/* Logs the settings of cgroup.conf that n's slumberd, of an earlier build, does not support. */
void agent_say_unheeded(const struct controller *ctl, const struct node *n);

/* gres_agent.c: fills n's part of gres.conf; agent_gres_done() frees it. */
void agent_gres_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m);
void agent_gres_done(Slumber__AgentConfig *m);
/* agent_gres_detect(): the method of detecting n's GPUs, "" = no detection.  agent_gpus_asked():
   whether the registering slumberd has asked the library. */
const char *agent_gres_detect(const struct cluster *c, const struct node *n);
bool agent_gpus_asked(const struct cluster *c, const struct node *n, const Slumber__Register *m);

/* helpers_agent.c: fills n's part of helpers.conf; agent_helpers_run(): whether the registering
   slumberd has run exactly these helpers. */
void agent_helpers_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m);
void agent_helpers_done(Slumber__AgentConfig *m);
bool agent_helpers_run(const struct cluster *c, const struct node *n, const Slumber__Register *m);
