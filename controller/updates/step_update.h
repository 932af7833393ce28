/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/step_update.h - scontrol update StepId= */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"
#include "lib/errors.h"

/* Updates step, or all running steps (NULL), for a user that may change j.  TimeLimit only: counted
   from the start of the step; "+5" and "-5" are relative. */
enum slumber_error step_update(struct cluster *c, struct job *j, const uint32_t *step,
                const struct update_setting *settings, size_t n, struct fail *fail);
