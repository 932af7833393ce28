/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deadlines of a job: a row says in which states it has one, when that is, and what happens then.  The heap has one entry for a
 * job, its next one; rows that are due are carried out in their order. */
#include "controller/lives/changed.h"
#include "controller/lives/dependency.h"
#include "controller/lives/job_events.h"
#include "controller/lives/job_memory.h"
#include "controller/lives/listen.h"
#include "controller/lives/queue.h"

enum { /* bits: where a job is in its life */
        PENDING = 1,
        STARTED = 2,    /* it has nodes and has not ended */
        COMPLETING = 4, /* ended, and its nodes are being cleaned */
        OVER = 8,
        UNFINISHED = PENDING | STARTED,
        ALIVE = UNFINISHED | COMPLETING,
};

static unsigned phase(const struct job *j) {
        if (job_is_finished(j))
                return j->completing ? COMPLETING : OVER;
        return j->state == JOB_PENDING ? PENDING : STARTED;
}

usec_t job_forgotten_at(const struct cluster *c, const struct job *j) {
        return j->withdrawn ? j->end_time : MAX(j->end_time, j->known_over) + c->config->min_job_age;
}

static bool forget(struct cluster *c, struct job *j, usec_t now) {
        if (!j->dirty) {
                cluster_job_remove(c, j);
                return true;
        }
        j->armed = now + 1; /* its end has yet to be stored, and told to those who wait for it */
        cluster_arm(c, j->armed, DEADLINE_JOB, j->id);
        return true;
}

static usec_t latest_start(const struct cluster *c, const struct job *j) {
        return MAX(1u, job_latest_start(j));
}

static bool too_late(struct cluster *c, struct job *j, usec_t now) {
        cluster_log(c, j->id, NULL, "JobId=%u cannot end by its deadline any more", j->id);
        job_end(c, j, JOB_DEADLINE, REASON_DEADLINE, NULL, now);
        return true;
}

static usec_t mail_at(const struct cluster *c, const struct job *j) {
        return job_mail_at(j);
}

static usec_t time_up(const struct cluster *c, const struct job *j) {
        return MAX(job_overtime_up(c, j), j->heard_by);
}

static bool time_is_up(struct cluster *c, struct job *j, usec_t now) {
        if (listen_for_job(c, j, now))
                return false;
        cluster_log(c, j->id, NULL, "Time limit exhausted for JobId=%u", j->id);
        job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, "TIME LIMIT", now);
        return true;
}

static usec_t grace_up(const struct cluster *c, const struct job *j) {
        return j->grace_end ? MAX(j->grace_end, j->heard_by) : NO_LIMIT;
}

static bool grace_is_up(struct cluster *c, struct job *j, usec_t now) {
        if (listen_for_job(c, j, now))
                return false;
        job_grace_over(c, j, now);
        return true;
}

static usec_t warn_at(const struct cluster *c, const struct job *j) {
        return job_warn_at(j);
}

static void warn(struct cluster *c, struct job *j, usec_t now) {
        j->warned = true;
        (void)job_signal(c, j, (int)j->spec.warn_signal, STEP_ANY, j->spec.warn_batch, false);
        cluster_job_changed(c, j);
}

static bool is_orphan(struct cluster *c, struct job *j, usec_t now) {
        cluster_log(c, j->id, NULL, "JobId=%u: who held it has not come back", j->id);
        (void)job_cancel(c, j, j->uid, now);
        return true;
}

static usec_t steps_up(const struct cluster *c, const struct job *j) {
        return job_steps_time_up(j);
}

static void may_be_stopped(struct cluster *c, struct job *j, usec_t now) {
        job_may_be_stopped(c, j);
}

static void may_give(struct cluster *c, struct job *j, usec_t now) {
        memory_may_be_asked(c, j);
}

#define FIELD(name) .field = offsetof(struct job, name)

static const struct job_deadline {
        unsigned in;
        usec_t (*at)(const struct cluster *c, const struct job *j); /* NO_LIMIT: it has none */
        size_t field; /* without at: where in struct job it stands; 0 there is none */
        void (*due)(struct cluster *c, struct job *j, usec_t now);
        bool (*ends)(struct cluster *c, struct job *j, usec_t now); /* in place of due; true: no other one is due any more */
} deadlines[] = {
        { OVER, job_forgotten_at, .ends = forget },
        { PENDING, latest_start, .ends = too_late },
        { ALIVE, mail_at, .due = job_mail_due },
        { ALIVE, time_up, .ends = time_is_up },
        { ALIVE, grace_up, .ends = grace_is_up },
        { ALIVE, warn_at, .due = warn },
        { UNFINISHED, FIELD(orphan_due), .ends = is_orphan },
        { UNFINISHED, FIELD(step_orphans_due), .due = job_step_orphans_due },
        { ALIVE, steps_up, .due = job_steps_due },
        { ALIVE, FIELD(may_stop_again), .due = may_be_stopped },
        { ALIVE, FIELD(may_give_again), .due = may_give },
        { ALIVE, FIELD(launch_due), .due = job_launch_due },
        { ALIVE, FIELD(answers_due), .due = job_answers_due },
        { ALIVE, FIELD(depend_due), .due = dependencies_due },
};

static usec_t deadline_of(const struct cluster *c, const struct job *j, const struct job_deadline *d) {
        if (!(d->in & phase(j)))
                return NO_LIMIT;
        if (d->at)
                return d->at(c, j);
        usec_t at = *(const usec_t *)(const void *)((const char *)j + d->field);
        return at ? at : NO_LIMIT;
}

void cluster_job_rearm(struct cluster *c, struct job *j) {
        usec_t next = NO_LIMIT;

        for (size_t i = 0; i < ELEMENTSOF(deadlines); i++)
                next = MIN(next, deadline_of(c, j, &deadlines[i]));
        if (next == NO_LIMIT || (j->armed && j->armed <= next))
                return;
        j->armed = next;
        cluster_arm(c, next, DEADLINE_JOB, j->id);
}

void job_due(struct cluster *c, struct job *j, usec_t now) {
        j->armed = 0;
        for (size_t i = 0; i < ELEMENTSOF(deadlines); i++) {
                const struct job_deadline *d = &deadlines[i];

                if (now < deadline_of(c, j, d))
                        continue;
                if (d->due)
                        d->due(c, j, now);
                else if (d->ends(c, j, now))
                        return;
        }
        cluster_job_rearm(c, j);
}
