/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/job_reports.h - what agents say of the jobs on their nodes: launched, ended,
 * frozen, reclaimed from, gone
 *
 * Each handles the message of an agent that has registered. */
#pragma once

#include "controller/loop/controller.h"

void launch_reported(struct controller *ctl, struct peer *p, const Envelope *env);
/* TreeAnswer: launches that one node reports for others */
void launches_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void step_end_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void freeze_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void reclaim_reported(struct controller *ctl, struct peer *p, const Envelope *env);
void job_gone_reported(struct controller *ctl, struct peer *p, const Envelope *env);
