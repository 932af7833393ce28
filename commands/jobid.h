/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobid.h - job and step ids and signals as users type them */
#pragma once

#include "lib/fail.h"

struct job_id {
        uint32_t job;
        bool has_step;
        uint32_t step; /* a number or STEP_BATCH */
};

/* "12", "12.0", "12.batch".  Arrays (12_3) and het jobs (12+1) are refused by name: -ENOTSUP with fail set;
   what is no id is -EINVAL, fail untouched. */
int job_id_parse(const char *text, struct job_id *ret, struct fail *fail);

/* "9", "KILL", "SIGKILL" in any case. */
int signal_parse(const char *text, uint32_t *ret);
