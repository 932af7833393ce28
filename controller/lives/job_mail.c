/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mail (--mail-type) about what is no change of a job's state: parts of its time limit, and
 * dependencies that cannot be met. */
#include "controller/lives/changed.h"
#include "controller/lives/job_events.h"

#include "lib/mailtype.h"

static const struct {
        uint32_t type;
        unsigned percent;
} parts[] = {
        { MAIL_TIME_LIMIT_50, 50 },
        { MAIL_TIME_LIMIT_80, 80 },
        { MAIL_TIME_LIMIT_90, 90 },
};

/* Only the time that it runs counts, not the time that it is suspended. */
static usec_t part_at(const struct job *j, size_t i) {
        usec_t up = job_time_up(j), left;

        if (!(j->spec.mail_type & ~j->mail_told & parts[i].type) || up == NO_LIMIT ||
            j->time_limit == NO_LIMIT)
                return NO_LIMIT;
        left = j->time_limit / 100 * (100 - parts[i].percent);
        return up > left ? up - left : 1;
}

usec_t job_mail_at(const struct job *j) {
        usec_t due = NO_LIMIT;

        for (size_t i = 0; i < ELEMENTSOF(parts); i++)
                due = MIN(due, part_at(j, i));
        return due;
}

static void tell(struct cluster *c, struct job *j, uint32_t type) {
        struct effect *fx = effects_add(&c->effects, FX_MAIL);

        fx->job = j->id;
        fx->mail_type = type;
        j->mail_told |= type;
        cluster_job_changed(c, j);
}

void job_mail_due(struct cluster *c, struct job *j, usec_t now) {
        for (size_t i = 0; i < ELEMENTSOF(parts); i++)
                if (now >= part_at(j, i))
                        tell(c, j, parts[i].type);
}

void job_mail_dependency(struct cluster *c, struct job *j, bool never) {
        if (!never)
                j->mail_told &= ~(uint32_t)MAIL_INVALID_DEPEND;
        else if (j->spec.mail_type & ~j->mail_told & MAIL_INVALID_DEPEND)
                tell(c, j, MAIL_INVALID_DEPEND);
}
