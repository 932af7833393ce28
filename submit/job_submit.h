/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/job_submit.h - passes requests to job_submit.lua's functions and returns their answers */
#pragma once

#include "submit/script.h"

extern const struct script_kind job_submit_script;

/* Calls slurm_job_submit() or slurm_job_modify(), which may change request. An error in the
   script is reported in reply->failure. reply borrows from request, said and fail. */
void job_submit_call(struct script *s, Slumber__RuleRequest *request, struct script_said *said,
                Slumber__RuleReply *reply, struct fail *fail);
/* slumber-submit --worker: serves the controller at fd until the controller closes it. Returns
   the exit code. */
int submit_worker(int fd);
