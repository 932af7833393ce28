/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/launch.h - launches of steps */
#pragma once

#include "agent/state/agent.h"

/* Takes message. tree: id of the TreeMessage that it was signed in; 0: it has its own signature. */
void launch_step(struct agent *a, Slumber__LaunchStep *message, uint64_t tree);
/* Takes message, with a credential that this slumberd has made for its own node, or one that it
   has checked: guests.c. */
void launch_step_here(struct agent *a, Slumber__LaunchStep *message);
/* That step, with that stream token, waits for j's prolog. */
bool launch_waits(struct job *j, uint32_t step, uint64_t token);
bool launch_is_guests(const struct launch *l); /* another node has made it */
/* The first of a list of launches that wait for a prolog, out of it: goes on, or, with error, is
   refused. */
void launch_go_on(struct launch **list, const char *error);
/* ... is refused for why, as the job ends; NULL: without a word. */
void launch_drop(struct launch **list, const char *why);
/* The one of this step, if it is among them, is refused: the step was cancelled. */
void launch_cancel(struct launch **list, uint32_t step);
/* Starts a launch that need not wait any longer, or refuses it.  Frees l, and j if j has no step
   left. */
void launch_start(struct launch *l, struct job *j);
/* Refuses a waiting launch because its job ends; why is sent to the controller, NULL: nothing is.
   Frees l. */
void launch_refuse(struct launch *l, const char *why);
