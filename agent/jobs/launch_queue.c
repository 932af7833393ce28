/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch scripts that wait for a step daemon.
 *
 * A short script leaves its daemon to the next one a moment later, and so costs no fork of another;
 * where hundreds of scripts come at once only a few daemons are asked for at a time, as many as the
 * machine can make, and none while those of short scripts come back.  The script that has come
 * first begins with the first daemon that is idle or may be asked for.
 *
 * A launch that waits has left nothing in the spool, as one that has yet to be read from the
 * controller's connection: a slumberd that starts later registers without it, and the controller
 * launches it again.  Whatever asks for the step meanwhile, a signal, a freeze or a registration,
 * makes it begin first; the end of its job drops it. */
#include "agent/jobs/launch_queue.h"
#include "agent/jobs/launch.h"

#include "lib/timer.h"

#include <sys/sysinfo.h>

#define UNBORN_OF_CPU 2 /* daemons that are asked for at a time, for each CPU of the machine */
/* While a daemon has become idle within the last so many microseconds, divided by the CPUs of the
   machine, none is asked for: to fork one takes about as long. */
#define IDLE_SINCE (10 * USEC_PER_MSEC)
/* So long a launch waits for daemons that were asked for: the process that forks them may stand
   still, which is found out by its being asked. */
#define UNBORN_PATIENCE (5 * USEC_PER_SEC)
/* After so long without another one those that were asked for do not hold up the next: their tasks
   may be frozen before they have begun, or their output folder hang. */
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

static int on_time(sd_event_source *source, uint64_t t, void *user) {
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
        return timer_new(a->event, USEC_PER_MSEC, on_time, a, &q->timer);
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

/* A launch that has waited since then. */
static bool may_begin(const struct agent *a, usec_t since, usec_t now) {
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

        return launches_wait(a) || !may_begin(a, now, now);
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

static struct launch *take(struct queued_launch *w) {
        struct launch_queue *q = w->job->agent->launches;
        struct launch *l = w->launch;

        TAILQ_REMOVE(&q->launches, w, next);
        q->n--;
        w->job->queued = NULL;
        free(w);
        return l;
}

static void begin(struct queued_launch *w) {
        struct job *j = w->job;

        launch_start(take(w), j);
}

void launches_go_on(struct agent *a) {
        struct launch_queue *q = a->launches;
        struct queued_launch *w;

        if (!launches_wait(a))
                return;
        usec_t now = now_monotonic();
        while ((w = TAILQ_FIRST(&q->launches)) && may_begin(a, w->since, now))
                begin(w);
        look_again(q);
}

struct job *launch_now(struct job *j) {
        if (!j || !j->queued)
                return j;
        struct agent *a = j->agent;
        uint32_t id = j->id, restarts = j->restarts;
        begin(j->queued);
        return job_find_exactly(a, id, restarts);
}

void launches_now(struct agent *a) {
        while (launches_wait(a))
                begin(TAILQ_FIRST(&a->launches->launches));
}

void launch_dequeue(struct job *j, const char *why) {
        if (j->queued)
                launch_refuse(take(j->queued), why);
}
