/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deadlines of a job: a row gives the states and the time of each.  The heap has a single entry
   for a job, its next deadline. */
#include "controller/indexes/job_deadline.h"

#include "lib/mailtype.h"

enum { /* bits: phases of a job */
        PENDING = 1,
        STARTED = 2,    /* the job has nodes and has not ended */
        COMPLETING = 4, /* ended, not on all nodes yet */
        OVER = 8,
        UNFINISHED = PENDING | STARTED,
        ALIVE = UNFINISHED | COMPLETING,
};

static unsigned deadline_phase(const struct job *j) {
        if (job_is_finished(j))
                return j->completing ? COMPLETING : OVER;
        return j->state == JOB_PENDING ? PENDING : STARTED;
}

/* When j, which has ended, may be removed (MinJobAge). */
static usec_t job_forgotten_at(const struct cluster *c, const struct job *j) {
        return j->running.withdrawn ? j->running.end_time
                                    : MAX(j->running.end_time, j->running.known_over) +
                                                      c->config->min_job_age;
}

static usec_t latest_start(const struct cluster *c, const struct job *j) {
        return MAX(1u, job_latest_start(j));
}

static const struct {
        uint32_t type;
        unsigned percent;
} parts[] = {
        { MAIL_TIME_LIMIT_50, 50 },
        { MAIL_TIME_LIMIT_80, 80 },
        { MAIL_TIME_LIMIT_90, 90 },
};

_Static_assert(ELEMENTSOF(parts) == JOB_MAIL_PARTS, "each part has a row");

/* The time of a suspension does not count. */
usec_t job_mail_part_at(const struct job *j, size_t i, uint32_t *ret_type) {
        usec_t up = job_time_up(j), left;

        *ret_type = parts[i].type;
        if (!(j->asked.mail_type & ~j->running.mail_told & parts[i].type) || up == NO_LIMIT ||
                        j->needs.time_limit == NO_LIMIT)
                return NO_LIMIT;
        left = j->needs.time_limit / 100 * (100 - parts[i].percent);
        return up > left ? up - left : 1;
}

static usec_t mail_at(const struct cluster *c, const struct job *j) {
        usec_t due = NO_LIMIT;
        uint32_t type;

        for (size_t i = 0; i < JOB_MAIL_PARTS; i++)
                due = MIN(due, job_mail_part_at(j, i, &type));
        return due;
}

static usec_t time_up(const struct cluster *c, const struct job *j) {
        return MAX(job_overtime_up(c, j), j->running.heard_by);
}

static usec_t grace_up(const struct cluster *c, const struct job *j) {
        return j->stopping.grace_end ? MAX(j->stopping.grace_end, j->running.heard_by) : NO_LIMIT;
}

static usec_t warn_at(const struct cluster *c, const struct job *j) {
        return job_warn_at(j);
}

static usec_t steps_up(const struct cluster *c, const struct job *j) {
        return job_steps_time_up(j);
}

static usec_t boot_at(const struct cluster *c, const struct job *j) {
        bool waits = j->needs.features && j->asked.delay_boot && j->waiting.eligible_time &&
                     !j->waiting.boot_delayed;

        return waits ? j->waiting.eligible_time + j->asked.delay_boot : NO_LIMIT;
}

/* A deadline of a suspended job waits: job_continue() gives the full time again. */
static usec_t unless_suspended(const struct job *j, usec_t due) {
        return due && j->state != JOB_SUSPENDED ? due : NO_LIMIT;
}

static usec_t holder_up(const struct cluster *c, const struct job *j) {
        return unless_suspended(j, j->running.orphan_due);
}

static usec_t step_holders_up(const struct cluster *c, const struct job *j) {
        return unless_suspended(j, j->running.step_orphans_due);
}

static usec_t launch_up(const struct cluster *c, const struct job *j) {
        return unless_suspended(j, j->running.launch_due);
}

#define FIELD(name) .field = offsetof(struct job, name)

static const struct {
        unsigned in;
        usec_t (*at)(const struct cluster *c, const struct job *j); /* NO_LIMIT: no deadline */
        size_t field; /* offset of the time in struct job, if at is NULL; 0 there: no deadline */
} deadlines[JOB_DEADLINE_MAX] = {
        [JOB_DEADLINE_FORGET] = { OVER, job_forgotten_at },
        [JOB_DEADLINE_START] = { PENDING, latest_start },
        [JOB_DEADLINE_MAIL] = { ALIVE, mail_at },
        [JOB_DEADLINE_TIME_LIMIT] = { ALIVE, time_up },
        [JOB_DEADLINE_STOP] = { STARTED, FIELD(stopping.stop_at) },
        [JOB_DEADLINE_GRACE] = { ALIVE, grace_up },
        [JOB_DEADLINE_WARNING] = { ALIVE, warn_at },
        [JOB_DEADLINE_HOLDER] = { UNFINISHED, holder_up },
        [JOB_DEADLINE_STEP_HOLDERS] = { UNFINISHED, step_holders_up },
        [JOB_DEADLINE_STEPS] = { ALIVE, steps_up },
        [JOB_DEADLINE_STOP_AGAIN] = { ALIVE, FIELD(stopping.may_stop_again) },
        [JOB_DEADLINE_GIVE_AGAIN] = { ALIVE, FIELD(stopping.may_give_again) },
        [JOB_DEADLINE_LAUNCH] = { ALIVE, launch_up },
        [JOB_DEADLINE_ANSWERS] = { ALIVE, FIELD(stopping.answers_due) },
        [JOB_DEADLINE_DEPENDENCY] = { ALIVE, FIELD(waiting.depend_due) },
        [JOB_DEADLINE_BOOT] = { PENDING, boot_at },
};

usec_t job_deadline_at(const struct cluster *c, const struct job *j, enum job_deadline which) {
        if (!(deadlines[which].in & deadline_phase(j)))
                return NO_LIMIT;
        if (deadlines[which].at)
                return deadlines[which].at(c, j);
        usec_t at = *(const usec_t *)(const void *)((const char *)j + deadlines[which].field);
        return at ? at : NO_LIMIT;
}

void cluster_job_rearm(struct cluster *c, struct job *j) {
        usec_t next = NO_LIMIT;

        for (int i = 0; i < JOB_DEADLINE_MAX; i++)
                next = MIN(next, job_deadline_at(c, j, (enum job_deadline)i));
        if (next == NO_LIMIT || (j->listed.armed && j->listed.armed <= next))
                return;
        j->listed.armed = next;
        cluster_arm(c, next, DEADLINE_JOB, j->id);
}
