/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node's end of its steps' streams: between the step daemons here and the slumberd of each srun's
 * host (srun_streams.c), directly or, where there is no other way, by the controller (way.h).
 *
 * The credential says where that slumberd listens, and the token by which both know that a message
 * belongs to the step.  Nothing is kept here: the step daemon keeps what srun has not taken, and is
 * told to send it again. */
#include "agent/agent.h"

#include "lib/timer.h"

/* bytes that wait for a step daemon before its input is dropped, and asked for again: windows */
#define QUEUE_MAX ((size_t)4 << 20)

static void tell_to_repeat(struct step *s) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = s->name.job;
        io.step_id = s->name.step;
        io.lost = true;
        ENVELOPE(env, STEP_IO, step_io, &io);
        step_send(s, &env);
}

static void arm(struct step *s) {
        usec_t due = way_due(&s->streams.route.way), now = now_monotonic();

        if (!s->streams.timer || due == USEC_INFINITY)
                timer_disarm(s->streams.timer);
        else
                timer_arm(s->streams.timer, due > now ? due - now : 0);
}

static void settle(struct step *s, bool again) {
        if (s->streams.route.way.state == WAY_REFUSED && !s->streams.refused_said) {
                s->streams.refused_said = true;
                log_fields(LOG_WARNING, 0, s->name.job, s->job->agent->node,
                                "The streams of step %u go by the controller: the slumberd of its "
                                "srun's host cannot be reached at %s",
                                s->name.step, s->streams.home);
        }
        if (again && !s->acknowledged)
                tell_to_repeat(s);
        arm(s);
}

static int on_time(sd_event_source *source, uint64_t t, void *user) {
        struct step *s = user;

        (void)source, (void)t;
        if (!s->ended)
                settle(s, route_timed(s->job->agent->peers, &s->streams.route));
        return 0;
}

void step_streams_begin(struct step *s, const Slumber__CredentialBody *body, bool adopted) {
        s->streams.token = body->stream_token;
        s->streams.home = xstrdup(body->stream_token ? body->stream_home : "");
        route_begin(&s->streams.route, s->streams.home);
        if (adopted) /* the other slumberd may have been killed, too: srun comes by it again */
                way_adopt(&s->streams.route.way);
        /* without a timer: at the next message */
        if (!isempty(s->streams.home))
                (void)timer_new(s->job->agent->event, USEC_PER_MSEC, on_time, s, &s->streams.timer);
}

void step_streams_done(struct step *s) {
        sd_event_source_disable_unref(s->streams.timer);
        free(s->streams.home);
}

/* ---- from the step daemon ---- */

static size_t stream_bytes(const Slumber__StepIo *io) {
        return io->data.len + io->eof;
}

static void by_controller(struct step *s, Envelope *env) {
        struct agent *a = s->job->agent;

        env->step_io->token = 0;
        upstream_send(a, env);
        /* the daemon keeps what is not asked for */
        conn_pause(s->conn, upstream_full(a));
}

void step_streams_send(struct step *s, Envelope *env) {
        Slumber__StepIo *io = env->step_io;
        struct route *r = &s->streams.route;
        struct peer *stands = NULL;
        bool again = false;

        io->restarts = s->name.restarts;
        io->number = s->node_rank + 1;
        io->token = s->streams.token;
        if (io->token && srun_streams_take(s->job->agent, NULL, env))
                return; /* srun is here, too */
        if (r->way.state == WAY_NEW)
                stands = peers_find(s->job->agent->peers, s->streams.home);
        if (stands)
                again = route_takes(r, stands);
        bool now;
        enum way_use use = route_send(s->job->agent->peers, r, env, stream_bytes(io), &now);
        if (use == WAY_BY_CONTROLLER)
                by_controller(s, env);
        settle(s, again || now);
}

/* ---- from srun ---- */

static void signal_step(struct step *s, uint32_t signal) {
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;
        Slumber__Number step = SLUMBER__NUMBER__INIT;

        step.value = s->name.step;
        m.job_id = s->name.job;
        m.signal = signal;
        m.step = &step;
        job_signal(s->job->agent, &m);
}

void step_streams_deliver(struct step *s, Envelope *env) {
        if (s->acknowledged)
                return;
        if (env->step_io->signal)
                signal_step(s, env->step_io->signal);
        else if (s->conn && conn_queued(s->conn) < QUEUE_MAX)
                step_send(s, env);
}

/* Its launch may be on its way: srun sends again what is no mere acknowledgement. */
static void say_unknown(struct peer *p, const Slumber__StepIo *io) {
        Slumber__StepIo back = SLUMBER__STEP_IO__INIT;

        if (io->data.len == 0 && !io->eof && !io->window)
                return;
        back.job_id = io->job_id;
        back.restarts = io->restarts;
        back.step_id = io->step_id;
        back.number = io->number;
        back.token = io->token;
        back.lost = true;
        ENVELOPE(env, STEP_IO, step_io, &back);
        (void)peer_send(p, &env);
}

void step_streams_take(struct agent *a, struct peer *p, Envelope *env) {
        const Slumber__StepIo *io = env->step_io;
        struct job *j = job_find_exactly(a, io->job_id, io->restarts);
        struct step *s = j ? job_find_step(j, io->step_id) : NULL;

        if (!s || !s->n_nodes) {
                if (!io->lost)
                        say_unknown(p, io);
                return;
        }
        if (!s->streams.token || io->token != s->streams.token || io->number != s->node_rank + 1) {
                peer_complain(p, "it does not show the token of step %u of job %u", io->step_id,
                                io->job_id);
                return;
        }
        if (io->lost) {
                settle(s, way_unknown(&s->streams.route.way, now_monotonic()));
                return;
        }
        settle(s, route_heard(&s->streams.route, p));
        step_streams_deliver(s, env);
}

/* ---- connections ---- */

void step_streams_up(struct step *s, const struct peer *p) {
        if (s->streams.route.peer == p)
                settle(s, route_up(&s->streams.route, p));
}

void step_streams_lost(struct step *s, const struct peer *p, bool quiet) {
        if (s->streams.route.peer == p)
                settle(s, route_lost(&s->streams.route, p, quiet));
}
