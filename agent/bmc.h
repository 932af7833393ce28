/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/bmc.h - power operations that the controller asks of this host */
#pragma once

#include "agent/state/agent.h"

/* the id of env names the request; env stays the caller's */
void bmc_request(struct agent *a, Envelope *env);
void bmc_stop(struct agent *a, uint64_t id); /* does nothing for an unknown id */
void bmc_stop_all(struct agent *a);

char *agent_power_program(void); /* slumber-power's path; the caller frees */
