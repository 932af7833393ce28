/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/reclaim.h - a frozen job's memory is pushed out */
#pragma once

#include "agent/state/agent.h"

void job_reclaim(struct agent *a, const Slumber__ReclaimJob *m);
/* Stops pushing memory out, without a report; if none is under way does nothing. */
void reclaim_stop(struct job *j);
void reclaim_answer(struct job *j); /* stops it and reports what was reached; likewise */
