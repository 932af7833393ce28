/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/clusters/links.h - the connections to other clusters' controllers */
#pragma once

#include "controller/clusters/far.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

/* As the configuration in force says; where it says nothing else, connections and what waits on
   them stay.  A cluster whose key cannot be read is there, and says so to those that ask it. */
void links_configure(struct controller *ctl);
void links_free(struct controller *ctl);
/* Asks that cluster for the caller, whose user is known; it is answered as soon as there is an
   answer, or none has come in time.  env's own id and caller say nothing. */
void links_ask(struct controller *ctl, const char *cluster, const struct caller *caller,
                const struct far_request *row, const Envelope *env);
/* Nothing waits for the answers of that command, or of all that spoke through p. */
void links_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
/* Why it does not answer, borrowed; "": it does, or was not asked.  *ret_host: of its controller.
 */
const char *links_away(const struct controller *ctl, const char *cluster, const char **ret_host);
