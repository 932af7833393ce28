/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/launch.h - launches of steps */
#pragma once

#include "agent/state/agent.h"

/* Launches a step; takes ownership of message. tree: id of the signed TreeMessage that contained
   message; 0: message has its own signature. */
void launch_step(struct agent *a, Slumber__LaunchStep *message, uint64_t tree);
/* Launches a step on slumberd's own node; takes ownership of message. The credential needs no
   check: slumberd has made or checked the credential (remote_steps.c). */
void launch_step_here(struct agent *a, Slumber__LaunchStep *message);
/* Returns true if a launch of the step with the stream token waits for j's prolog. */
bool launch_waits(struct job *j, uint32_t step, uint64_t token);
/* the step was made by the step manager of a remote node */
bool launch_is_guests(const struct launch *l);
/* Removes the first launch of a list of launches waiting for a prolog, and continues the launch.
   error: not NULL: refuses the launch instead. */
void launch_go_on(struct launch **list, const char *error);
/* Removes the first launch of the list and refuses the launch with reason why, as the job ends.
   NULL: sends no answer. */
void launch_drop(struct launch **list, const char *why);
/* Refuses the launch of the step if in the list: the step was cancelled. */
void launch_cancel(struct launch **list, uint32_t step);
/* Starts a launch without further waiting, or refuses the launch. Frees l, and frees j if j has no
   step left. */
void launch_start(struct launch *l, struct job *j);
/* Refuses a waiting launch because the job ends. why is sent to the controller; NULL: sends no
   answer. Frees l. */
void launch_refuse(struct launch *l, const char *why);
