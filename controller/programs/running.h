/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/running.h - programs for nodes' power that run: this controller's, and those that have outlived an earlier one */
#pragma once

#include "controller/loop/controller.h"
#include "controller/programs/program.h"

enum running_kind { RUNNING_SUSPEND, RUNNING_RESUME, RUNNING_RESUME_FAIL, RUNNING_REBOOT, RUNNING_MAX };
DECLARE_STRTAB(running_kind); /* "SuspendProgram" */

/* When one is ended, from its start: a duration.  USEC_INFINITY: it is only told of (end_programs). */
usec_t running_timeout(const struct controller *ctl);
bool running_some(const struct controller *ctl, enum running_kind kind); /* at least one of it runs */
/* req->hostlist are its nodes.  It is told of, watched to its end and ended for its time; of one that cannot be started fail says
   why. */
int running_start(struct controller *ctl, enum running_kind kind, const struct program_request *req, pid_t *ret, struct fail *fail);
