/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/step_update.h - scontrol update stepid=: what may be changed of a step */
#pragma once

#include "controller/model/cluster.h"
#include "controller/updates/setting.h"
#include "lib/errors.h"

/* Of step, or of all that run (NULL), by a user that may change j.  TimeLimit alone: counted from
   the step's start, "+5" and "-5" change it by so much. */
enum slumber_error step_update(struct cluster *c, struct job *j, const uint32_t *step,
                const struct update_setting *settings, size_t n, struct fail *fail);
