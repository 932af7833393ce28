/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/x11.h - X11 forwarding of jobs (docs/launch.md): the forwarding process, and
 * data that pass through the controller if daemons cannot reach each other */
#pragma once

#include "controller/loop/controller.h"

/* X11Attach: a forwarding process wants the job's X11 connections. */
void handle_x11_attach(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* Called when the extern step of j is about to be launched. */
void x11_launched(struct controller *ctl, const struct job *j);
/* Returns LaunchStep.x11 for the i-th node of j's allocation. */
uint32_t x11_here(const struct controller *ctl, const struct job *j, size_t i);
/* Returns relay_address() for the forwarding process, now or in future; the caller frees. */
char *x11_home(const struct controller *ctl, const struct job *j);
/* Returns the token that slumberds show each other for j's X11; 0: some slumberds cannot. */
uint64_t x11_token(const struct controller *ctl, const struct job *j, const struct step *s);
/* Pass StepIo of an extern step: from the forwarding process, and from a node. */
void x11_client_io(struct controller *ctl, const struct caller *caller, const Envelope *env);
void x11_node_io(struct controller *ctl, const struct node *n, const Envelope *env);
/* A connection is closed: programs on the nodes then have no X server. all: all clients of p; if
   p is an agent, they may come back over its next connection. Called before
   watches_client_gone(). */
void x11_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
/* j has been running since before this controller's start: its forwarding process comes back, or
   has gone. */
void x11_restored(struct controller *ctl, struct job *j);
/* The command that holds j has come back: its forwarding process comes back soon, or has gone. */
void x11_holder_back(struct controller *ctl, struct job *j);
void x11_done(struct controller *ctl);
/* The extern step of j on n has started, perhaps in place of an earlier one. */
void x11_extern_there(struct controller *ctl, const struct job *j, const struct node *n);
/* n has registered over a new connection */
void x11_node_back(struct controller *ctl, const struct node *n);
