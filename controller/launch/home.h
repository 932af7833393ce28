/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/home.h - jobs whose node makes their steps (docs/launch.md, "The first node
   makes the steps") */
#pragma once

#include "controller/launch/launch.h"
#include "controller/loop/caller.h"

/* Before j's script is launched.  true: its node makes its steps from now on, which is stored
   before FX_LAUNCH comes again. */
bool home_chosen(struct controller *ctl, struct job *j);
/* As launch_send(), of the script of a job that has a home. */
int home_launch(struct controller *ctl, struct launch *l);
/* StepRequest of a job that has a home, or has one from now on: its srun's slumberd is told where
   that is.  false: the controller makes the step, or home_refuses() says why it does not. */
bool home_takes(struct controller *ctl, const struct address *from, struct job *j,
                Slumber__StepRequest *request);
/* The node of j makes its steps, or may be chosen to. */
bool home_may_make(const struct controller *ctl, const struct job *j);
/* j stands still, or its nodes boot: one of that kind waits, to be taken when j goes on. */
bool home_may_take(const struct controller *ctl, const struct address *from, const struct job *j,
                const Slumber__StepSpec *spec);
/* Why the controller does not make a step of j that asks for this; NULL: it does.  The caller
   frees. */
char *home_refuses(const struct job *j, const Slumber__StepSpec *spec);
/* A sattach for step of j, which has a home, is told where that is.  Otherwise why not, with words
   in fail. */
enum slumber_error home_attaches(struct controller *ctl, const struct address *from,
                const struct job *j, uint32_t step, struct fail *fail);
/* GrantAsk: a node wants to start steps for a job's home. */
void home_grant_asked(struct controller *ctl, struct peer *p, const Envelope *env);
/* n has registered: where its slumberd listens is told the homes of its jobs, to a home where those
   of the others do. */
void home_node_back(struct controller *ctl, struct node *n);
/* p cannot make the steps of a job without a script, and has made none: the controller makes them,
   and those of all jobs whose home p would be for SlurmdTimeout, or until it registers again. */
void home_failed(struct controller *ctl, struct peer *p, const Slumber__LaunchResult *m,
                const char *why);
/* StepsReport */
void home_reported(struct controller *ctl, struct peer *p, const Envelope *env);
