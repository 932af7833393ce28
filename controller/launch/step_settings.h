/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_settings.h - what a request for a step is judged by, besides what it says
 */
#pragma once

#include "controller/model/cluster.h"
#include "controller/steps/step_request.h"

/* What slurm.conf says of steps; texts are config's. */
Slumber__StepSettings step_settings(const struct config *config);
struct step_job step_job_of(const struct job *j); /* texts are j's */
