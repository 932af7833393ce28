/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_stats.h - usage of running steps, queried from their nodes (sstat) */
#pragma once

#include "controller/loop/controller.h"

void handle_step_stat(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* StepStat of an agent; unexpected answers are ignored. */
void step_stat_answered(struct controller *ctl, struct peer *p, const Envelope *env);
void step_stats_free(struct controller *ctl);
