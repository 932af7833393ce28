/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/users/commands.h - the processes of sruns and sallocs of this host
 *
 * A controller that is started again waits SlurmdTimeout for the commands that hold allocations and
 * steps. What has ended meanwhile, or just before, without its being heard is told to it here: the
 * kernel says so by a pidfd. A command that only looks for the controller again lives. */
#pragma once

#include "agent/state/agent.h"

/* If env asks for an allocation or a step by a token, c's process is watched from now on; nothing
   where it cannot be: it is in another pid namespace, or descriptors are used up. */
void commands_note(struct client *c, const Envelope *env);
/* The controller is lost: it may not have heard of those that end from now on. */
void commands_controller_away(struct agent *a);
/* The controller is told of all that have ended in the last SlurmdTimeout. */
void commands_welcome(struct agent *a);
void commands_free(struct agent *a);
