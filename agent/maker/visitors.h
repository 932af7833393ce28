/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/visitors.h - commands of other hosts, for whose jobs this node makes the steps */
#pragma once

#include "agent/state/agent.h"

/* A Visit of the slumberd of their host. */
void visitors_take(struct agent *a, struct peer *p, Slumber__Visit *m);
void visitors_lost(struct agent *a, const struct peer *p);
bool visitors_use(const struct agent *a, const struct peer *p);
/* j makes no steps here any more, and has none that is theirs. */
void visitors_forget(struct agent *a, const struct job *j);
void visitors_done(struct agent *a);
