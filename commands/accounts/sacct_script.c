/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --batch-script, --env-vars: a job's script and environment from the accounts. */
#include "commands/accounts/sacct.h"

#include "commands/command.h"
#include "lib/errors.h"
#include "lib/printable.h"

/* Makes terminal control characters visible: the text comes from another user. */
static char *script_printable(const char *text, size_t size) {
        char *copy = xmalloc(4 * size + 1);

        printable_copy(copy, 4 * size + 1, text);
        return copy;
}

int sacct_print_script(struct wire *w, const Ended *job, bool environment, struct scratch *scratch,
                struct fail *fail) {
        static const char rule[] =
                        "--------------------------------------------------------------------------------";
        _cleanup_free_ char *script = NULL;
        uint32_t code = SLUMBER_OK;
        size_t size = 0;
        Slumber__ScriptQuery query = SLUMBER__SCRIPT_QUERY__INIT;

        query.job_id = (uint32_t)job->job_id;
        query.array_job = (uint32_t)job->array_job;
        query.submit_time = job->time_submit;
        query.environment = environment;
        int r = command_script(w, &query, &script, &size, &code, fail);

        if (r < 0 && code != SLUMBER_BAD_JOB_ID && code != SLUMBER_NO_SCRIPT &&
                        code != SLUMBER_BAD_USER)
                return r;
        _cleanup_free_ char *text = r < 0         ? xstrdup("NONE")
                                    : environment ? script_printable(script, size)
                                                  : xstrdup(script);
        printf(environment ? "Environment used for %s (must be batch to display)\n%s\n%s\n"
                           : "Batch Script for %s\n%s\n%s\n",
                        sacct_job_id(job, scratch), rule, text);
        return 0;
}
