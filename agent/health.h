/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/health.h - HealthCheckProgram */
#pragma once

#include "agent/state/agent.h"

struct health_wish {
        const char *program; /* NULL or "": none */
        usec_t interval;     /* 0: at the start alone */
        unsigned states;     /* enum health_state bits */
        usec_t timeout;      /* then it is killed; 0: 60 s */
};
/* What slurm.conf says, at the start and later.  The first one with a program runs it at once. */
void health_configure(struct agent *a, const struct health_wish *w);
/* The controller's answer to health.c's question. */
void health_used(struct agent *a, unsigned states);
/* The check of the start runs: the node is not to be registered before it has ended, when
   upstream_connect() is called. */
bool health_first(const struct agent *a);
void health_done(struct agent *a);
