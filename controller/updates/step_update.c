/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/updates/step_update.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "lib/timetext.h"

#include <strings.h>

/* sign: '+', '-' or 0. */
static int read_limit(const char *value, char *sign, usec_t *ret, struct fail *fail) {
        *sign = *value == '+' || (*value == '-' && !streq(value, "-1")) ? *value : 0;
        return limit_parse(value + (*sign != 0), ret, fail);
}

static bool has_own_limit(const struct step *s) {
        return s->time_limit && s->time_limit != NO_LIMIT;
}

/* The limit of a step without own limit is the job's limit. */
static usec_t step_new_limit(const struct job *j, const struct step *s, char sign, usec_t by) {
        usec_t now = has_own_limit(s) ? s->time_limit : j->needs.time_limit;

        if (!sign || now == NO_LIMIT || by == NO_LIMIT)
                return by;
        return sign == '+' ? now + by : now - MIN(by, now - 1);
}

enum slumber_error step_update(struct cluster *c, struct job *j, const uint32_t *step,
                const struct update_setting *settings, size_t n, struct fail *fail) {
        usec_t by = 0;
        char sign = 0;
        bool any = false;

        for (size_t i = 0; i < n; i++) {
                if (strcasecmp(settings[i].key, "TimeLimit") != 0) {
                        fail_set(fail, -EINVAL, "%s of a step cannot be changed", settings[i].key);
                        return SLUMBER_BAD_UPDATE;
                }
                if (read_limit(settings[i].value, &sign, &by, fail) < 0)
                        return SLUMBER_BAD_TIME;
        }
        for (size_t i = 0; n && i < j->running.n_steps; i++) {
                struct step *s = &j->running.steps[i];
                if ((step && s->id != *step) || job_step_is_over(s))
                        continue;
                s->timed_out = 0;
                job_step_limit(c, j, s, step_new_limit(j, s, sign, by));
                any = true;
        }
        if (!any)
                return SLUMBER_BAD_JOB_ID; /* Slurm uses this error even for a step */
        cluster_job_changed(c, j);
        return SLUMBER_OK;
}
