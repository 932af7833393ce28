/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/visitors.h - sruns and sattaches on other hosts, served by a step manager on this
 * node */
#pragma once

#include "agent/state/agent.h"

/* Handles a Visit from the slumberd of the command's host. */
void visitors_take(struct agent *a, struct peer *p, Slumber__Visit *m);
void visitors_lost(struct agent *a, const struct peer *p);
bool visitors_use(const struct agent *a, const struct peer *p);
/* The step manager of j ends: frees all clients of j, which have no step any more. */
void visitors_forget(struct agent *a, const struct job *j);
void visitors_done(struct agent *a);
