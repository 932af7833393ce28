/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components start together; afterwards each component is a job that may end alone.  But the whole
 * job ends when nodes of a component fail, a component is preempted, or the leader's script ends.
 * A component that returns to the queue takes all components along: all start again together,
 * including components that had ended. */
#include "controller/turn/het_fate.h"

#include "controller/jobs/job_events.h"
#include "controller/model/het.h"

static bool has_nodes(const struct job *m) {
        return m->state == JOB_RUNNING || m->state == JOB_SUSPENDED;
}

/* States of a component that end the whole job. */
static const struct {
        enum job_state ended;
        bool of_any;  /* any component counts; false: the leader only */
        bool of_held; /* unless the allocation outlives its command (salloc --no-shell) */
} fates[] = {
        { JOB_NODE_FAIL, true, false },
        { JOB_BOOT_FAIL, true, false },
        { JOB_PREEMPTED, true, false },
        { JOB_COMPLETED, false, false },
        { JOB_FAILED, false, false },
        { JOB_TIMEOUT, false, false },
        { JOB_OUT_OF_MEMORY, false, false },
        { JOB_DEADLINE, false, false },
        { JOB_CANCELLED, false, true },
};

static bool ends_all(const struct job *m) {
        for (size_t i = 0; i < ELEMENTSOF(fates); i++)
                if (fates[i].ended == m->state)
                        return fates[i].of_any ||
                               (!m->het_offset && (!fates[i].of_held || !m->asked.stays));
        return false;
}

/* Returns a component that returns to the queue, or has returned since further components began. */
static struct job *gone_back(const struct het *h) {
        struct job *back = NULL;

        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i] && h->of[i]->state == JOB_PENDING &&
                                (!back || h->of[i]->restarts > back->restarts))
                        back = h->of[i];
        return back;
}

static void het_requeue_all(struct cluster *c, const struct het *h, const struct job *back,
                usec_t now) {
        for (uint32_t i = 0; i < h->n; i++) {
                struct job *m = h->of[i];
                if (!m || m == back || m->state == JOB_PENDING)
                        continue;
                m->waiting.not_before = MAX(m->waiting.not_before, back->waiting.not_before);
                if (m->restarts == back->restarts && has_nodes(m))
                        job_unstart(c, m, "another component of it has given its nodes back", now);
                else if (m->restarts < back->restarts)
                        (void)job_requeue_always(c, m, back->running.kill_reason,
                                        back->held_by_user, now);
        }
}

static const struct job *the_end(const struct het *h) {
        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i] && job_is_finished(h->of[i]) && ends_all(h->of[i]))
                        return h->of[i];
        return NULL;
}

static void het_end_all(struct cluster *c, const struct het *h, const struct job *ended,
                usec_t now) {
        for (uint32_t i = 0; i < h->n; i++) {
                struct job *m = h->of[i];
                if (!m || job_is_finished(m))
                        continue;
                m->running.exit_code = ended->running.exit_code;
                m->running.cancelled_by = ended->running.cancelled_by;
                job_end(c, m, ended->state, ended->reason, ended->running.kill_reason, now);
        }
}

/* Returns a component that ended before starting, or while its nodes were booting; `back`, which is
   pending, cannot start without such a component.  NULL: none. */
static const struct job *het_never_began(const struct het *h, const struct job *back) {
        const struct job *ended = NULL;

        for (uint32_t i = 0; i < h->n; i++) {
                const struct job *m = h->of[i];
                if (m && has_nodes(m))
                        return NULL;
                if (m && job_is_finished(m) &&
                                (m->placed.n_alloc == 0 || m->restarts == back->restarts))
                        ended = m;
        }
        return ended;
}

static void het_fate_settle(struct cluster *c, const struct het *h, usec_t now) {
        const struct job *ended = the_end(h);
        struct job *back = gone_back(h);

        if (ended && (!back || back->restarts <= ended->restarts))
                het_end_all(c, h, ended, now);
        else if (back && (ended = het_never_began(h, back)))
                het_end_all(c, h, ended, now);
        else if (back)
                het_requeue_all(c, h, back, now);
}

static const struct het *list_next(const struct cluster *c, size_t i) {
        return i < c->n_active                ? c->active[i]->het
               : i - c->n_active < c->n_queue ? c->queue[i - c->n_active]->job->het
                                              : NULL;
}

/* Repeated settling of a job is harmless; a copy is needed because het_fate_settle() changes the
   lists. */
void het_settle(struct cluster *c, usec_t now) {
        size_t n = c->n_active + c->n_queue, n_of = 0;
        _cleanup_free_ const struct het **of = xnew(const struct het *, n + 1);

        for (size_t i = 0; i < n; i++) {
                const struct het *h = list_next(c, i);
                if (h && (n_of == 0 || of[n_of - 1] != h))
                        of[n_of++] = h;
        }
        for (size_t i = 0; i < n_of; i++)
                het_fate_settle(c, of[i], now);
}
