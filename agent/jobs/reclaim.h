/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/reclaim.h - moving the memory of a frozen job to swap */
#pragma once

#include "agent/state/agent.h"

void job_reclaim(struct agent *a, const Slumber__ReclaimJob *m);
/* Stops moving memory of j to swap, without a report. No-op if none is under way. */
void reclaim_stop(struct job *j);
/* stops, and reports the memory moved so far; may be a no-op too */
void reclaim_answer(struct job *j);
