/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves every point in time of a cluster: of jobs, steps and nodes by model/kept_fields.h, of
 * further structs by a list each. */
#include "controller/orders/clock.h"

#include "controller/accounts/assoc.h"
#include "controller/jobs/reservation_life.h"
#include "controller/model/kept_fields.h"
#include "controller/model/node_log.h"
#include "controller/nodes/brake.h"

usec_t clock_moved(usec_t t, int64_t by) {
        if (t == 0 || t >= (usec_t)INT64_MAX) /* not set, or never */
                return t;
        if (by < 0 && t <= -(usec_t)by)
                return 1;
        return t + (usec_t)by;
}

static void clock_move_times(usec_t *const *times, size_t n, int64_t by) {
        for (size_t i = 0; i < n; i++)
                *times[i] = clock_moved(*times[i], by);
}

static void step_clock_set(struct step *s, int64_t by) {
#define X(member, name) s->member = clock_moved(s->member, by);
        STEP_MEMBERS(MOVED_TIMES, X)
#undef X
        for (size_t i = 0; i < s->n_parts; i++)
                step_clock_set(&s->parts[i], by);
}

void job_clock_set(struct job *j, int64_t by) {
        if (by == 0)
                return;
        /* an eligible time bound to begin_time stays */
        if (j->waiting.eligible_time != j->asked.begin_time)
                j->waiting.eligible_time = clock_moved(j->waiting.eligible_time, by);
#define X(member, name) j->member = clock_moved(j->member, by);
        JOB_MEMBERS(MOVED_TIMES, X)
#undef X
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
#define X(member, name) jn->member = clock_moved(jn->member, by);
                JOB_NODE_MEMBERS(MOVED_TIMES, X)
#undef X
        }
        for (size_t i = 0; i < j->running.n_steps; i++)
                step_clock_set(&j->running.steps[i], by);
}

void node_clock_set(struct node *n, int64_t by) {
        if (by == 0)
                return;
#define X(member, name) n->member = clock_moved(n->member, by);
        NODE_MEMBERS(MOVED_TIMES, X)
#undef X
#define X(member, name) n->energy.member = clock_moved(n->energy.member, by);
        ENERGY_MEMBERS(MOVED_TIMES, X)
#undef X
        for (size_t i = 0; i < n->n_strays; i++)
                n->strays[i].due = clock_moved(n->strays[i].due, by);
}

void brake_clock_set(struct brake *b, int64_t by) {
        usec_t *const times[] = { &b->since, &b->failed_from, &b->probe_at, &b->armed, &b->worked,
                &b->asked, &b->begun };

        if (by == 0)
                return;
        clock_move_times(times, ELEMENTSOF(times), by);
        for (size_t i = 0; i < b->n; i++)
                b->last[i].at = clock_moved(b->last[i].at, by);
        b->dirty = true;
}

void cluster_clock_set(struct cluster *c, int64_t by, usec_t now) {
        usec_t *const times[] = { &c->resume_pace.started, &c->resume_pace.armed,
                &c->suspend_pace.started, &c->suspend_pace.armed, &c->resume_fail_pace.started,
                &c->resume_fail_pace.armed, &c->listen.from, &c->listen.until, &c->listen.held,
                &c->priority_armed, &c->usage_at, &c->usage_fresh, &c->limits_armed,
                &c->slices.since, &c->suspend_bucket.refilled, &c->suspend_bucket.armed,
                &c->exempt_until, &c->waits_until, &c->completing_from, &c->resume_bucket.refilled,
                &c->resume_bucket.armed };

        c->clock_set += by;
        node_log_tell(c, USEC_INFINITY); /* logged by the old clock */
        clock_move_times(times, ELEMENTSOF(times), by);
        brake_clock_set(&c->brake, by);
        triggers_clock_set(&c->triggers, by);
        for (size_t i = 0; i < c->n_exempt_waits; i++)
                c->exempt_waits[i].start = clock_moved(c->exempt_waits[i].start, by);
        c->exempt_changes++;
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->slice_at = clock_moved(c->partitions[i]->slice_at, by);
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *n = c->nodes[i];
                node_clock_set(n, by);
                n->armed = clock_moved(n->armed, by); /* like the node's entry in the heap, below */
        }
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        job_clock_set(c->jobs[i].job, by);
        for (size_t i = 0; i < c->n_heap; i++) /* the order of the heap stays */
                c->heap[i].at = clock_moved(c->heap[i].at, by);
        for (size_t i = 0; i < c->listen.n_kept; i++)
                c->listen.kept[i].at = clock_moved(c->listen.kept[i].at, by);
        for (size_t i = 0; i < c->n_queue; i++)
                /* begin_time or not_before: the later may have changed */
                if (job_begin(c->queue[i]->job) > now)
                        cluster_arm(c, job_begin(c->queue[i]->job), DEADLINE_PASS, PASS_BEGIN);
        c->resvs.armed = 0; /* reservations follow the clock, like begin times */
        for (size_t i = 0; i < c->resvs.n; i++)
                c->resvs.list[i]->idle_since = clock_moved(c->resvs.list[i]->idle_since, by);
        resv_review(c, now);
        for (size_t i = 0; i < c->n_active; i++)
                acct_note(c, c->active[i]); /* the ends of jobs are points in time, too */
        note(c, FACT_CLOCK_SET);            /* plans consist of points in time */
}
