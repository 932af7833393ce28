/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/health.h - HealthCheckProgram */
#pragma once

#include "agent/state/agent.h"

struct health_wish {
        const char *program; /* NULL or "": none */
        usec_t interval;     /* 0: only at the start */
        unsigned states;     /* enum health_state bits */
        usec_t timeout;      /* a check running longer is killed; 0: 60 s */
};
/* Applies slurm.conf's settings, at the start and after changes. The first settings with a program
   run the program at once. */
void health_configure(struct agent *a, const struct health_wish *w);
/* Handles the controller's answer to NODE_USE; states: enum health_state bits. */
void health_used(struct agent *a, unsigned states);
/* Returns true if the check at the start still runs: upstream_connect() is called when the check
   has ended, as the node must not register before. */
bool health_first(const struct agent *a);
void health_done(struct agent *a);
