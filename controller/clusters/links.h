/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/clusters/links.h - connections to the controllers of other clusters */
#pragma once

#include "controller/clusters/far.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

/* Applies the configuration in force; connections with unchanged settings stay, together with
   pending requests.  A cluster whose key cannot be read stays listed, and requests to it get that
   error. */
void links_configure(struct controller *ctl);
void links_free(struct controller *ctl);
/* Sends a request to the cluster for the caller, whose user is known; the caller gets the answer,
   or an error when none arrives in time. env's own id and caller are ignored. */
void links_ask(struct controller *ctl, const char *cluster, const struct caller *caller,
                const struct far_request *row, const Envelope *env);
/* Drops pending requests of a command that ended, or (all) of every command connected through p. */
void links_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
/* Returns why the cluster does not answer, borrowed; "": it answers, or was not asked.  *ret_host:
 * host of its controller. */
const char *links_away(const struct controller *ctl, const char *cluster, const char **ret_host);
