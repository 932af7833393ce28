/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/job_submit.h - a request as the arguments of job_submit.lua's functions, and their answer
 */
#pragma once

#include "submit/script.h"

extern const struct script_kind job_submit_script;

/* Calls slurm_job_submit() or slurm_job_modify(); request is changed by it.  A fault of the
   script's is in reply->failure.  reply borrows from request and said. */
void job_submit_call(struct script *s, Slumber__RuleRequest *request, struct script_said *said,
                Slumber__RuleReply *reply, struct fail *fail);
/* slumber-submit --worker: serves the controller at fd until it is gone.  The exit code. */
int submit_worker(int fd);
