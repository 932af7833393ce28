/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/agents.h - messages from and to slumberds */
#pragma once

#include "controller/loop/controller.h"

/* Node indexes have changed: updates everything found by index. */
void controller_nodes_changed(struct controller *ctl);

/* request_name() for slumberd's own messages; NULL: slumberd may not send the message. */
const char *agent_message_name(unsigned body, const char **ret_rpc, unsigned *ret_number);
bool agent_may_send(unsigned body, bool registered);
/* Handles slumberd's own message.  A forbidden message is refused by name, and logged. */
void agent_handle(struct controller *ctl, struct peer *p, const Envelope *env);
void agent_closed(struct controller *ctl, struct peer *p);
/* Sends RegisterReply: with the configuration for n if e is SLUMBER_OK, else n may be NULL. */
void agent_answer(struct controller *ctl, const struct address *to, const struct node *n,
                enum slumber_error e, const char *text);
/* gres_agent.c: handles slumberd's report on n's part of gres.conf. */
void agent_gres_report(struct controller *ctl, struct node *n, const Slumber__GresReport *m);
