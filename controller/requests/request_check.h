/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/request_check.h - limits for all requests
 *
 * On false the sender has got an error. */
#pragma once

#include "controller/loop/controller.h"

struct caller;

/* Checks the lengths of lists and texts; names_nodes: a text may list all nodes, in requests of
   administrators and operators. */
bool request_is_short(struct controller *ctl, const struct caller *caller, const Envelope *env,
                bool names_nodes);
/* Checks that no text has a control character. */
bool request_is_plain(struct controller *ctl, const struct caller *caller, const Envelope *env);
