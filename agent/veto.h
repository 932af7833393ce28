/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/veto.h - why this node must not be switched off now: a user is logged in, a program holds a
 * lock against shutdown or sleep, the site's own program says so.  The controller is told whenever
 * that changes. */
#pragma once

#include "agent/agent.h"

/* As the controller wants it; may be called again. */
void veto_configure(struct agent *a, const Slumber__AgentConfig *c);
/* What is known, "" = nothing is against it, NULL = not known yet. */
const char *veto_text(const struct agent *a);
void veto_idle(struct agent *a); /* the last job is gone: the site's program is asked at once */
void veto_done(struct agent *a);
