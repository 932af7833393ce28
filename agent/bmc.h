/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/bmc.h - power operations requested by the controller from the host */
#pragma once

#include "agent/state/agent.h"

/* Starts a power operation; the id of env identifies the request. env stays the caller's. */
void bmc_request(struct agent *a, Envelope *env);
void bmc_stop(struct agent *a, uint64_t id); /* no-op for an unknown id */
void bmc_stop_all(struct agent *a);

char *agent_power_program(void); /* path of slumber-power; the caller frees */
