/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/job_top.h - scontrol top */
#pragma once

#include "controller/loop/controller.h"

/* job_top.c: scontrol top; what is named waits before the other jobs of its user, or nothing has
   happened. */
enum slumber_error job_top(struct controller *ctl, const struct caller *caller,
                const Slumber__JobAction *m, struct fail *fail);
