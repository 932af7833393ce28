/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/job_top.h - scontrol top */
#pragma once

#include "controller/loop/controller.h"

/* Puts the named jobs before all other jobs of their user (scontrol top), or changes nothing and
   returns an error. */
enum slumber_error job_top(struct controller *ctl, const struct caller *caller,
                const Slumber__JobAction *m, struct fail *fail);
