/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/bmc_requests.h - power operations carried out by slumberds */
#pragma once

#include "controller/loop/controller.h"

void handle_bmc_request(struct controller *ctl, const struct caller *caller, const Envelope *env);
void bmc_results(struct controller *ctl, struct peer *p, const Envelope *env);
/* an answer of slumberd */
void bmc_error(struct controller *ctl, struct peer *p, const Envelope *env);
void bmc_agent_gone(struct controller *ctl, const char *node);
void bmc_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void bmc_requests_free(struct controller *ctl);
