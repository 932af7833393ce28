/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch scripts waiting for a step daemon.
 *
 * A short script's step daemon is idle again a moment later and can run the next script without a
 * fork. When hundreds of scripts arrive at once, slumberd requests only as many new daemons at a
 * time as the machine can fork, and none while short scripts return their daemons. Scripts start
 * in the order of arrival.
 *
 * A waiting launch has left nothing in the spool. If slumberd is killed, the next slumberd
 * registers without the launch, and the controller sends the launch again. A signal, a freeze or
 * a registration starts the waiting script first; the end of the job drops the launch. */
#include "agent/jobs/launch_queue.h"
#include "agent/jobs/launch.h"

#include "lib/timer.h"

#include <sys/sysinfo.h>

#define UNBORN_OF_CPU 2 /* new daemons requested at a time, for each CPU of the machine */
/* No daemon is requested within this time, divided by the number of CPUs, after a daemon became
   idle: a fork takes about as long. */
#define IDLE_SINCE (10 * USEC_PER_MSEC)
/* The longest wait of a launch for requested daemons. The spawner may hang; the next request
   detects a hanging spawner. */
#define UNBORN_PATIENCE (5 * USEC_PER_SEC)
/* If no daemon was requested for this time, requested daemons no longer delay the next request:
   their tasks may be frozen before exec, or their output folder may hang. */
#define UNBORN_SILENCE (500 * USEC_PER_MSEC)

struct queued_launch {
        struct job *job;
        struct launch *launch;
        usec_t since; /* CLOCK_MONOTONIC */
        TAILQ_ENTRY(queued_launch) next;
};

struct launch_queue {
        TAILQ_HEAD(, queued_launch) launches;
        size_t n, unborn_max;
        usec_t idle_since;
        sd_event_source *timer;
};

static int queue_on_timer(sd_event_source *source, uint64_t t, void *user) {
        (void)source, (void)t;
        launches_go_on(user);
        return 0;
}

int launches_init(struct agent *a) {
        struct launch_queue *q = a->launches = xnew0(struct launch_queue, 1);

        TAILQ_INIT(&q->launches);
        size_t cpus = (size_t)MAX(get_nprocs(), 1);
        q->unborn_max = UNBORN_OF_CPU * cpus;
        q->idle_since = IDLE_SINCE / cpus;
        return timer_new(a->event, USEC_PER_MSEC, queue_on_timer, a, &q->timer);
}

void launches_done(struct agent *a) {
        struct launch_queue *q = a->launches;

        if (!q)
                return;
        while (!TAILQ_EMPTY(&q->launches))
                launch_dequeue(TAILQ_FIRST(&q->launches)->job, NULL);
        sd_event_source_disable_unref(q->timer);
        free(TAKE(a->launches));
}

/* Returns true if a launch that arrived at time since may start now. */
static bool queued_may_start(const struct agent *a, usec_t since, usec_t now) {
        const struct launch_queue *q = a->launches;

        if (a->stepds)
                return true;
        if (a->unborn >= q->unborn_max)
                return now - since >= UNBORN_PATIENCE || now - a->stepd_asked >= UNBORN_SILENCE;
        return now - a->stepd_came >= q->idle_since;
}

bool launches_wait(const struct agent *a) {
        return a->launches && a->launches->n > 0;
}

bool launch_must_wait(const struct agent *a) {
        usec_t now = now_monotonic();

        return launches_wait(a) || !queued_may_start(a, now, now);
}

static void look_again(struct launch_queue *q) {
        if (TAILQ_EMPTY(&q->launches))
                timer_disarm(q->timer);
        else if (!timer_is_armed(q->timer))
                timer_arm(q->timer, q->idle_since);
}

void launch_enqueue(struct job *j, struct launch *l) {
        struct launch_queue *q = j->agent->launches;
        struct queued_launch *w = j->queued = xnew(struct queued_launch, 1);

        *w = (struct queued_launch){ .job = j, .launch = l, .since = now_monotonic() };
        TAILQ_INSERT_TAIL(&q->launches, w, next);
        q->n++;
        look_again(q);
}

static struct launch *queued_remove(struct queued_launch *w) {
        struct launch_queue *q = w->job->agent->launches;
        struct launch *l = w->launch;

        TAILQ_REMOVE(&q->launches, w, next);
        q->n--;
        w->job->queued = NULL;
        free(w);
        return l;
}

static void queued_start(struct queued_launch *w) {
        struct job *j = w->job;

        launch_start(queued_remove(w), j);
}

void launches_go_on(struct agent *a) {
        struct launch_queue *q = a->launches;
        struct queued_launch *w;

        if (!launches_wait(a))
                return;
        usec_t now = now_monotonic();
        while ((w = TAILQ_FIRST(&q->launches)) && queued_may_start(a, w->since, now))
                queued_start(w);
        look_again(q);
}

struct job *launch_now(struct job *j) {
        if (!j || !j->queued)
                return j;
        struct agent *a = j->agent;
        uint32_t id = j->id, restarts = j->restarts;
        queued_start(j->queued);
        return job_find_exactly(a, id, restarts);
}

void launches_now(struct agent *a) {
        while (launches_wait(a))
                queued_start(TAILQ_FIRST(&a->launches->launches));
}

void launch_dequeue(struct job *j, const char *why) {
        if (j->queued)
                launch_refuse(queued_remove(j->queued), why);
}
