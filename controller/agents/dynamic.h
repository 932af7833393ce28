/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/dynamic.h - nodes that slurm.conf does not name */
#pragma once

#include "controller/loop/controller.h"

/* Handles a registration by slumberd -Z: true if the registration waits here or is refused, else
   the registration is ordinary. */
bool dynamic_register(struct controller *ctl, struct peer *p, const Envelope *env);
/* text: the line of new nodes, or names of nodes to delete; answered when stored. */
void dynamic_request(struct controller *ctl, const struct caller *caller, bool create,
                const char *text);
/* Applies all waiting changes; no waiting reply or effect may name nodes. */
void dynamic_apply(struct controller *ctl);
void dynamic_gone(struct controller *ctl, const struct peer *p);
void dynamic_free(struct controller *ctl);
/* Fills the record of the dynamic nodes; freed by dynamic_fill_done(). */
void dynamic_fill(const struct config *config, Slumber__DynamicNodes *m);
void dynamic_fill_done(Slumber__DynamicNodes *m);
/* called before nodes and jobs are loaded */
int dynamic_restore(struct controller *ctl, const Slumber__DynamicNodes *m, struct fail *fail);
/* Copies the dynamic nodes of old to a configuration read from files. */
int dynamic_keep(const struct config *old, struct config *config, struct fail *fail);
