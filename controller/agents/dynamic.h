/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/dynamic.h - nodes that slurm.conf does not name */
#pragma once

#include "controller/loop/controller.h"

/* A registration by slumberd -Z: true when it waits there or is refused, else it is an ordinary
   one. */
bool dynamic_register(struct controller *ctl, struct peer *p, const Envelope *env);
/* text: the line of new nodes, or names to be deleted; answered when the store has it. */
void dynamic_request(struct controller *ctl, const struct caller *caller, bool create,
                const char *text);
/* all that waits; nothing that names nodes may wait to leave */
void dynamic_apply(struct controller *ctl);
void dynamic_gone(struct controller *ctl, const struct peer *p);
void dynamic_free(struct controller *ctl);
/* The record of the nodes; free with dynamic_fill_done(). */
void dynamic_fill(const struct config *config, Slumber__DynamicNodes *m);
void dynamic_fill_done(Slumber__DynamicNodes *m);
/* before nodes and jobs are loaded */
int dynamic_restore(struct controller *ctl, const Slumber__DynamicNodes *m, struct fail *fail);
/* A configuration that was read from files gets the dynamic nodes of the old one. */
int dynamic_keep(const struct config *old, struct config *config, struct fail *fail);
