/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/agents.h - what agents say and are told */
#pragma once

#include "controller/loop/controller.h"

/* Nodes have other numbers: what is found by them follows. */
void controller_nodes_changed(struct controller *ctl);

/* As request_name(), of what agents say for themselves; NULL: they may not send it. */
const char *agent_message_name(unsigned body, const char **ret_rpc, unsigned *ret_number);
bool agent_may_send(unsigned body, bool registered);
/* What an agent says for itself.  What it may not say is refused by name, and logged. */
void agent_handle(struct controller *ctl, struct peer *p, const Envelope *env);
void agent_closed(struct controller *ctl, struct peer *p);
/* RegisterReply; n is told how to be configured if e is SLUMBER_OK, else it may be NULL. */
void agent_answer(struct controller *ctl, const struct address *to, const struct node *n,
                enum slumber_error e, const char *text);
/* gres_agent.c: what it has found of its part of gres.conf. */
void agent_gres_report(struct controller *ctl, struct node *n, const Slumber__GresReport *m);
