/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every point in time of a cluster, in one list for each struct.  Add new time fields here; test_clock fails otherwise. */
#include "controller/orders/clock.h"

#include "controller/model/node_log.h"
#include "controller/lives/reservation_life.h"

usec_t clock_moved(usec_t t, int64_t by) {
        if (t == 0 || t >= (usec_t)INT64_MAX) /* not set, never */
                return t;
        if (by < 0 && t <= -(usec_t)by)
                return 1;
        return t + (usec_t)by;
}

static void move_all(usec_t *const *times, size_t n, int64_t by) {
        for (size_t i = 0; i < n; i++)
                *times[i] = clock_moved(*times[i], by);
}

void job_clock_set(struct job *j, int64_t by) {
        usec_t *const times[] = { &j->may_stop_again, &j->may_give_again, &j->answers_due, &j->heard_by, &j->said_end, &j->known_over, &j->steps_told, &j->orphan_due, &j->step_orphans_due, &j->holder_asked,
                &j->submit_time, &j->queued_time, &j->accrue_time, &j->start_time, &j->resize_time, &j->end_time, &j->suspend_time, &j->last_sched_eval,
                &j->configure_time, &j->up_by, &j->preempt_time, &j->grace_end, &j->resumed_at, &j->not_before, &j->depend_due, &j->launch_due, &j->armed, &j->switches_since };

        if (by == 0)
                return;
        if (j->eligible_time != j->spec.begin_time) /* else it stays with it */
                j->eligible_time = clock_moved(j->eligible_time, by);
        move_all(times, ELEMENTSOF(times), by);
        for (size_t i = 0; i < j->n_alloc; i++)
                j->alloc[i].due = clock_moved(j->alloc[i].due, by);
        for (size_t i = 0; i < j->n_steps; i++) {
                j->steps[i].start_time = clock_moved(j->steps[i].start_time, by);
                j->steps[i].ended_at = clock_moved(j->steps[i].ended_at, by);
                j->steps[i].orphan_due = clock_moved(j->steps[i].orphan_due, by);
                j->steps[i].timed_out = clock_moved(j->steps[i].timed_out, by);
        }
}

void node_clock_set(struct node *n, int64_t by) {
        usec_t *const times[] = { &n->last_busy, &n->last_response, &n->boot_time, &n->start_time, &n->power_request,
                &n->suspended_at, &n->lost_since, &n->retry_at, &n->confirmed, &n->observed_at, &n->off_read_at,
                &n->answer_due, &n->asked_at, &n->looked_at, &n->common_at, &n->reason_time, &n->resume_after, &n->energy.at, &n->energy.from };

        if (by == 0)
                return;
        move_all(times, ELEMENTSOF(times), by);
        for (size_t i = 0; i < n->n_strays; i++)
                n->strays[i].due = clock_moved(n->strays[i].due, by);
}

void brake_clock_set(struct brake *b, int64_t by) {
        usec_t *const times[] = { &b->since, &b->failed_from, &b->probe_at, &b->armed, &b->worked };

        if (by == 0)
                return;
        move_all(times, ELEMENTSOF(times), by);
        for (size_t i = 0; i < b->n; i++)
                b->last[i].at = clock_moved(b->last[i].at, by);
        b->dirty = true;
}

void cluster_clock_set(struct cluster *c, int64_t by, usec_t now) {
        usec_t *const times[] = { &c->resume_pace.started, &c->resume_pace.armed, &c->suspend_pace.started, &c->suspend_pace.armed,
                &c->resume_fail_pace.started, &c->resume_fail_pace.armed, &c->listen.from, &c->listen.until, &c->listen.held, &c->priority_armed, &c->usage_at, &c->usage_fresh, &c->limits_armed, &c->slices.since, &c->suspend_bucket.refilled, &c->suspend_bucket.armed, &c->exempt_until, &c->waits_until, &c->completing_from,
                &c->resume_bucket.refilled, &c->resume_bucket.armed };

        c->clock_set += by;
        node_log_tell(c, USEC_INFINITY); /* by today's clock */
        move_all(times, ELEMENTSOF(times), by);
        brake_clock_set(&c->brake, by);
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->slice_at = clock_moved(c->partitions[i]->slice_at, by);
        for (size_t i = 0; i < c->n_nodes; i++) {
                usec_t *const armed[] = { &c->nodes[i]->armed }; /* as its entry in the heap, below */
                node_clock_set(c->nodes[i], by);
                move_all(armed, 1, by);
        }
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        job_clock_set(c->jobs[i].job, by);
        for (size_t i = 0; i < c->n_heap; i++) /* all by the same: their order stays */
                c->heap[i].at = clock_moved(c->heap[i].at, by);
        for (size_t i = 0; i < c->listen.n_kept; i++)
                c->listen.kept[i].at = clock_moved(c->listen.kept[i].at, by);
        for (size_t i = 0; i < c->n_queue; i++)
                if (job_begin(c->queue[i]->job) > now) /* which of the two it is may have changed */
                        cluster_arm(c, job_begin(c->queue[i]->job), DEADLINE_PASS, PASS_BEGIN);
        c->resvs.armed = 0; /* reservations go by the clock, as begin times */
        for (size_t i = 0; i < c->resvs.n; i++)
                c->resvs.list[i]->idle_since = clock_moved(c->resvs.list[i]->idle_since, by);
        resv_review(c, now);
        for (size_t i = 0; i < c->n_active; i++)
                acct_note(c, c->active[i]); /* their ends are points in time, too */
        note(c, FACT_CLOCK_SET); /* plans are made of points in time */
}
