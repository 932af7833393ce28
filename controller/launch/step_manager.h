/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_manager.h - jobs with a step manager (docs/stepmgr.md) */
#pragma once

#include "controller/launch/launch.h"
#include "controller/loop/caller.h"

/* Called before j's script is launched. Returns true if j gets a step manager now; FX_LAUNCH is
   repeated when the choice is stored. */
bool home_chosen(struct controller *ctl, struct job *j);
/* Like launch_send(), for the script of a job with a step manager. */
int home_launch(struct controller *ctl, struct launch *l);
/* Handles a StepRequest of a job that has a step manager or gets one now: the srun's slumberd is
   told the step manager's address. Returns false if the controller makes the step, unless
   home_refuses() gives a reason against the step. */
bool home_takes(struct controller *ctl, const struct address *from, struct job *j,
                Slumber__StepRequest *request);
/* Returns whether j has a step manager or may get one. */
bool home_may_make(const struct controller *ctl, const struct job *j);
/* Returns whether a step of j may wait in the controller for j's future step manager, because j
   is suspended or its nodes boot. */
bool home_may_take(const struct controller *ctl, const struct address *from, const struct job *j,
                const Slumber__StepSpec *spec);
/* Returns why the controller does not make such a step of j; NULL: the controller makes the
   step. The caller frees. */
char *home_refuses(const struct job *j, const Slumber__StepSpec *spec);
/* Tells a sattach the address of the step manager of j, which must have one. Returns an error
   with a text in fail if sattach cannot reach the step manager. */
enum slumber_error home_attaches(struct controller *ctl, const struct address *from,
                const struct job *j, uint32_t step, struct fail *fail);
/* GrantAsk: a node asks for permission to start steps for a job's step manager. */
void home_grant_asked(struct controller *ctl, struct peer *p, const Envelope *env);
/* n has registered: the step managers of n's jobs learn n's address; if n is a step manager, n
   learns the addresses of the job's other nodes. */
void home_node_back(struct controller *ctl, struct node *n);
/* p cannot be the step manager of a job without a script, and has made no steps: the controller
   makes the job's steps. For SlurmdTimeout, or until p registers again, p is not chosen for
   other jobs. */
void home_failed(struct controller *ctl, struct peer *p, const Slumber__LaunchResult *m,
                const char *why);
/* StepsReport: rows about steps made or ended. */
void home_reported(struct controller *ctl, struct peer *p, const Envelope *env);
