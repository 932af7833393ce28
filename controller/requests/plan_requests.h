/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/plan_requests.h - scontrol power plan */
#pragma once

#include "controller/loop/controller.h"

void plan_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all);
void plan_free(struct controller *ctl);
