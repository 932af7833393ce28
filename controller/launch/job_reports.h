/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/job_reports.h - reports of agents about the jobs on their nodes: launched,
 * ended, frozen, reclaimed from, gone
 *
 * Each function handles a message of a registered agent. */
#pragma once

#include "controller/loop/controller.h"

void launch_reported(struct controller *ctl, struct peer *p, const Envelope *env);
/* TreeAnswer: launches that one node reports for other nodes. */
void launches_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void step_end_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void freeze_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void reclaim_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void job_gone_reported(struct controller *ctl, struct peer *p, const Envelope *env);
