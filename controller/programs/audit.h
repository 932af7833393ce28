/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/audit.h - reads the nodes' BMCs for the power audit */
#pragma once

#include "controller/loop/controller.h"

int audit_new(struct controller *ctl);
void audit_free(struct controller *ctl);
void audit_clock_set(struct controller *ctl, int64_t by);
void audit_reconfigured(struct controller *ctl); /* node indexes may have changed */
void audit_look(struct controller *ctl, const struct effect *fx); /* FX_LOOK */
void handle_audit(struct controller *ctl, const struct caller *caller, const Envelope *env);
