/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/request_check.h - what no request may have, whatever it asks for
 *
 * false: the sender was told so. */
#pragma once

#include "controller/loop/controller.h"

struct caller;

/* None of its lists and texts is longer than any may be; names_nodes: a text may be a list of
   all nodes, as an administrator's or operator's. */
bool request_is_short(struct controller *ctl, const struct caller *caller, const Envelope *env,
                bool names_nodes);
/* None of its texts has a control character. */
bool request_is_plain(struct controller *ctl, const struct caller *caller, const Envelope *env);
