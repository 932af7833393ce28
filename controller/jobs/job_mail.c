/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mail (--mail-type) about events other than changes of a job's state: parts of the time limit, and
 * dependencies that can never be met. */
#include "controller/indexes/changed.h"
#include "controller/indexes/job_deadline.h"
#include "controller/jobs/job_events.h"

#include "lib/mailtype.h"

static void job_mail_send(struct cluster *c, struct job *j, uint32_t type) {
        struct effect *fx = effects_add(&c->effects, FX_MAIL);

        fx->job = j->id;
        fx->mail_type = type;
        j->running.mail_told |= type;
        cluster_job_changed(c, j);
}

void job_mail_due(struct cluster *c, struct job *j, usec_t now) {
        uint32_t type;

        for (size_t i = 0; i < JOB_MAIL_PARTS; i++)
                if (now >= job_mail_part_at(j, i, &type))
                        job_mail_send(c, j, type);
}

void job_mail_dependency(struct cluster *c, struct job *j, bool never) {
        if (!never)
                j->running.mail_told &= ~(uint32_t)MAIL_INVALID_DEPEND;
        else if (j->asked.mail_type & ~j->running.mail_told & MAIL_INVALID_DEPEND)
                job_mail_send(c, j, MAIL_INVALID_DEPEND);
}
