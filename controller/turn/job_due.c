/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions for deadlines of a job: a table row for each deadline, carried out in order. */
#include "controller/turn/due.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/job_deadline.h"
#include "controller/indexes/listen.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/het.h"
#include "controller/nodes/node_events.h"

/* Returns when the components of a heterogeneous job, forgotten together, may be forgotten; 0:
   now. */
static usec_t forgets_whole_at(const struct cluster *c, const struct het *h, usec_t now) {
        usec_t at = 0;

        for (uint32_t i = 0; i < h->n; i++) {
                const struct job *j = h->of[i];
                if (!j)
                        continue;
                usec_t due = job_deadline_at(c, j, JOB_DEADLINE_FORGET);
                if (due == NO_LIMIT) /* still running: checked again later */
                        due = now + MAX(c->config->min_job_age, USEC_PER_SEC);
                at = MAX(at, due > now ? due : j->dirty ? now + 1 : 0);
        }
        return at;
}

static bool job_due_forget(struct cluster *c, struct job *j, usec_t now) {
        usec_t later = j->het ? forgets_whole_at(c, j->het, now) : j->dirty ? now + 1 : 0;

        if (!later) {
                cluster_job_forget(c, j);
                return true;
        }
        /* the end must still be stored, and sent to waiting clients */
        j->listed.armed = later;
        cluster_arm(c, j->listed.armed, DEADLINE_JOB, j->id);
        return true;
}

static bool too_late(struct cluster *c, struct job *j, usec_t now) {
        cluster_log(c, j->id, NULL, "JobId=%u cannot end by its deadline any more", j->id);
        job_end(c, j, JOB_DEADLINE, REASON_DEADLINE, NULL, now);
        return true;
}

static bool time_is_up(struct cluster *c, struct job *j, usec_t now) {
        if (listen_for_job(c, j, now))
                return false;
        cluster_log(c, j->id, NULL, "Time limit exhausted for JobId=%u", j->id);
        job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, "TIME LIMIT", now);
        return true;
}

static bool grace_is_up(struct cluster *c, struct job *j, usec_t now) {
        if (listen_for_job(c, j, now))
                return false;
        job_grace_over(c, j, now);
        return true;
}

static void job_send_warning(struct cluster *c, struct job *j, usec_t now) {
        j->running.warned = true;
        (void)job_signal(c, j, (int)j->asked.warn_signal, STEP_ANY, j->asked.warn_batch, false);
        cluster_job_changed(c, j);
}

static bool is_orphan(struct cluster *c, struct job *j, usec_t now) {
        cluster_log(c, j->id, NULL,
                        "JobId=%u: the command that holds its allocation has not come back", j->id);
        (void)job_cancel(c, j, j->uid, now);
        return true;
}

static void may_be_stopped(struct cluster *c, struct job *j, usec_t now) {
        job_may_be_stopped(c, j);
}

static void may_give(struct cluster *c, struct job *j, usec_t now) {
        memory_may_be_asked(c, j);
}

/* Nodes have not reported the end of the prolog: they are asked again.  Or the launch was not
   confirmed within BatchStartTimeout: slumberd is disconnected.  The new registration lists the
   jobs of the node: a missing job is launched again, and requeued after too many launches; a node
   without a new registration is DOWN after SlurmdTimeout. */
static void launch_is_due(struct cluster *c, struct job *j, usec_t now) {
        struct node *n = j->placed.alloc[j->placed.batch_at].node;

        j->running.launch_due = 0;
        if (j->configuring)
                job_prologs_due(c, j);
        if (j->running.launched || !j->running.launch_sent || !n->connected)
                return;
        cluster_log(c, j->id, n,
                        "JobId=%u: %s has not confirmed the launch within BatchStartTimeout; its agent must register again",
                        j->id, n->name);
        effects_add(&c->effects, FX_DISCONNECT)->node = n;
        node_lost(c, n, 0, now);
}

static void job_delay_boot_over(struct cluster *c, struct job *j, usec_t now) {
        j->waiting.boot_delayed = true;
        cluster_job_changed(c, j);
        note(c, FACT_REQUEST_CHANGED);
}

static const struct {
        void (*due)(struct cluster *c, struct job *j, usec_t now);
        /* replaces due; true: no further deadline is due */
        bool (*ends)(struct cluster *c, struct job *j, usec_t now);
} deadlines[] = {
        [JOB_DEADLINE_FORGET] = { .ends = job_due_forget },
        [JOB_DEADLINE_START] = { .ends = too_late },
        [JOB_DEADLINE_MAIL] = { job_mail_due },
        [JOB_DEADLINE_TIME_LIMIT] = { .ends = time_is_up },
        [JOB_DEADLINE_STOP] = { job_stop_due },
        [JOB_DEADLINE_GRACE] = { .ends = grace_is_up },
        [JOB_DEADLINE_WARNING] = { job_send_warning },
        [JOB_DEADLINE_HOLDER] = { .ends = is_orphan },
        [JOB_DEADLINE_STEP_HOLDERS] = { job_step_orphans_due },
        [JOB_DEADLINE_STEPS] = { job_steps_due },
        [JOB_DEADLINE_STOP_AGAIN] = { may_be_stopped },
        [JOB_DEADLINE_GIVE_AGAIN] = { may_give },
        [JOB_DEADLINE_LAUNCH] = { launch_is_due },
        [JOB_DEADLINE_ANSWERS] = { job_answers_due },
        [JOB_DEADLINE_DEPENDENCY] = { dependencies_due },
        [JOB_DEADLINE_BOOT] = { job_delay_boot_over },
};
_Static_assert(ELEMENTSOF(deadlines) == JOB_DEADLINE_MAX, "something happens at each deadline");

void job_due(struct cluster *c, struct job *j, usec_t now) {
        j->listed.armed = 0;
        for (int i = 0; i < JOB_DEADLINE_MAX; i++) {
                if (now < job_deadline_at(c, j, (enum job_deadline)i))
                        continue;
                if (deadlines[i].due)
                        deadlines[i].due(c, j, now);
                else if (deadlines[i].ends(c, j, now))
                        return;
        }
        cluster_job_rearm(c, j);
}
