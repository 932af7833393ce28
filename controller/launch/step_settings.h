/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_settings.h - settings and names by which step requests are checked */
#pragma once

#include "controller/model/cluster.h"
#include "controller/steps/step_request.h"

/* Returns slurm.conf's settings for steps; texts are borrowed from config. */
Slumber__StepSettings step_settings(const struct config *config);
struct step_job step_job_of(const struct job *j); /* texts are borrowed from j */
