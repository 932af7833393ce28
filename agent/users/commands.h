/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/users/commands.h - processes of sruns and sallocs on this host
 *
 * A restarted controller waits up to SlurmdTimeout for the commands that hold allocations and
 * steps. The controller is told of commands which ended while the controller was away, or just
 * before: a pidfd reports the end of a process. A running command reconnects to the controller on
 * its own. */
#pragma once

#include "agent/state/agent.h"

/* If env requests an allocation or step with a token, watches c's process from now on; not
   possible in another pid namespace, or without free descriptors. */
void commands_note(struct client *c, const Envelope *env);
/* The controller is lost, and may not have heard of commands ending from now on. */
void commands_controller_away(struct agent *a);
/* Tells the controller of all commands ended within the last SlurmdTimeout. */
void commands_welcome(struct agent *a);
void commands_free(struct agent *a);
