/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/x11.h - X11 of jobs (docs/launch.md): what forwards it, and what goes by this
 * controller where the daemons do not reach each other */
#pragma once

#include "controller/loop/controller.h"

/* X11_ATTACH */
void handle_x11_attach(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* The extern step of j is about to be launched. */
void x11_launched(struct controller *ctl, const struct job *j);
/* LaunchStep.x11 of the i-th node of j's allocation. */
uint32_t x11_here(const struct controller *ctl, const struct job *j, size_t i);
/* As relay_address(), of the command that forwards, or will. */
char *x11_home(const struct controller *ctl, const struct job *j);
/* What slumberds show each other for j's X11; 0: not all of them know that. */
uint64_t x11_token(const struct controller *ctl, const struct job *j, const struct step *s);
/* StepIo of an extern step: from the command, and from a node. */
void x11_client_io(struct controller *ctl, const struct caller *caller, const Envelope *env);
void x11_node_io(struct controller *ctl, const struct node *n, const Envelope *env);
/* A command's connection is closed: programs on the nodes have no X server then.  all: all of p's,
   and if that is an agent, they may come back by the next one.  Before watches_client_gone(). */
void x11_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
/* j runs since before this controller: what forwards its X11 comes back, or is gone. */
void x11_restored(struct controller *ctl, struct job *j);
/* The command that holds j has come back: so does what it has started, or that is gone. */
void x11_holder_back(struct controller *ctl, struct job *j);
void x11_done(struct controller *ctl);
/* The extern step of j on n has begun, perhaps in place of another one. */
void x11_extern_there(struct controller *ctl, const struct job *j, const struct node *n);
void x11_node_back(struct controller *ctl, const struct node *n); /* by a new connection */
