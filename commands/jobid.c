/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/jobid.h"

#include "lib/timetext.h"
#include "lib/wire.h"

#include <signal.h>
#include <strings.h>

#define STEP_NUMBER_MAX 0xfffffff0u /* above are the special steps */

static int step_parse(const char *text, struct job_id *ret) {
        uint64_t n;

        ret->has_step = true;
        if (streq(text, "batch")) {
                ret->step = STEP_BATCH;
                return 0;
        }
        if (uint_parse(text, 0, STEP_NUMBER_MAX, &n) < 0)
                return -EINVAL;
        ret->step = (uint32_t)n;
        return 0;
}

int job_id_parse(const char *text, struct job_id *ret, struct fail *fail) {
        size_t n = strspn(text, "0123456789");
        _cleanup_free_ char *number = xstrndup(text, n);
        struct job_id id = { 0 };
        uint64_t job;
        int r = 0;

        if (uint_parse(number, 1, UINT32_MAX, &job) < 0)
                return -EINVAL;
        id.job = (uint32_t)job;
        if (text[n] == '_')
                return fail_set(fail, -ENOTSUP, "%s: job arrays are not implemented by Slumber yet",
                                text);
        if (text[n] == '+')
                return fail_set(fail, -ENOTSUP,
                                "%s: heterogeneous jobs are not implemented by Slumber yet", text);
        if (text[n] == '.')
                r = step_parse(text + n + 1, &id);
        else if (text[n])
                r = -EINVAL;
        if (r < 0)
                return r;
        *ret = id;
        return 0;
}

int signal_parse(const char *text, uint32_t *ret) {
        uint64_t number;

        if (uint_parse(text, 1, (uint64_t)SIGRTMAX, &number) == 0) {
                *ret = (uint32_t)number;
                return 0;
        }
        if (strncasecmp(text, "SIG", 3) == 0)
                text += 3;
        for (int sig = 1; sig < NSIG; sig++) {
                const char *name = sigabbrev_np(sig);

                if (name && strcasecmp(name, text) == 0) {
                        *ret = (uint32_t)sig;
                        return 0;
                }
        }
        return -EINVAL;
}
