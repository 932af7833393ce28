/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UnkillableStepProgram, run as root when a job's processes do not die. */
#include "agent/jobs/job.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"

#include "lib/trusted.h"

#define UNKILLABLE_LIMIT (60 * USEC_PER_SEC)

static void on_unkillable_ended(void *user, char *output, int status, const char *why) {
        (void)user, (void)output, (void)status;
        if (why)
                log_error(0, "UnkillableStepProgram %s", why);
}

void unkillable_run(const struct job *j) {
        struct agent *a = j->agent;
        struct fail fail = { 0 };

        if (isempty(a->unkillable_program))
                return;
        _cleanup_free_ char *id = xasprintf("SLURM_JOB_ID=%u", j->id),
                            *old = xasprintf("SLURM_JOBID=%u", j->id),
                            *uid = xasprintf("SLURM_JOB_UID=%u", (unsigned)j->uid),
                            *node = xasprintf("SLURMD_NODENAME=%s", a->node);
        const struct program_wish w = { a->unkillable_program, .variables = { id, old, uid, node },
                .heard = true, .limit = UNKILLABLE_LIMIT, .limit_name = "it may",
                .ended = on_unkillable_ended };
        if (trusted_program(a->unkillable_program, &fail) < 0 ||
                        !program_start(a->event, &w, &fail))
                log_fields(LOG_ERR, 0, j->id, a->node, "UnkillableStepProgram: %s", fail.text);
}
