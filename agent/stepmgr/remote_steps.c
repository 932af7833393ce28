/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/stepmgr/remote_steps.h"
#include "agent/streams/step_streams.h"

#include "agent/stepmgr/grant.h"
#include "lib/credential.h"
#include "lib/timer.h"

#include <signal.h>

/* Maximum launches waiting for the controller's grant, of a job and of all jobs. A launch beyond
   the maximum is sent again later. Invariant: a single job cannot use up the room of other jobs. */
#define WAITING_OF_JOB 256
#define BYTES_OF_JOB   ((size_t)WIRE_FRAME_MAX) /* room for the largest launch */
#define WAITING_MAX    4096
#define WAITING_BYTES  ((size_t)256 << 20)
#define LOOK_EACH      (500 * USEC_PER_MSEC)
#define ASK_EACH       (2 * USEC_PER_SEC)
/* Maximum wait for a grant: the credential expires soon, and the step manager makes a new
   credential. */
#define WAIT_LONGEST (60 * USEC_PER_SEC)
/* Maximum time in which a launch may arrive by a connection given up earlier */
#define OVER_KEPT (180 * USEC_PER_SEC)

/* a grant of the controller for a job */
struct held_grant {
        struct grant *grant;
        uint32_t job, restarts;
        TAILQ_ENTRY(held_grant) next;
};

/* a launch waiting for the controller's grant */
struct waiting_launch {
        struct peer *peer; /* connection of the launch; NULL: lost */
        Slumber__MakerMessage *message;
        size_t size;
        usec_t came, asked; /* CLOCK_MONOTONIC */
        TAILQ_ENTRY(waiting_launch) next;
};

/* a step that has ended here: a late second launch is ignored */
struct ended_step {
        struct step_name name;
        usec_t until;
};

struct remote_steps {
        struct agent *agent;
        TAILQ_HEAD(, held_grant) grants;
        TAILQ_HEAD(, waiting_launch) waiting;
        size_t n_waiting, size;
        struct ended_step *over;
        size_t n_over, a_over;
        sd_event_source *timer;
};

static int remote_steps_on_timer(sd_event_source *source, uint64_t t, void *user);

static struct remote_steps *remote_steps_get(struct agent *a) {
        struct remote_steps *g = a->remote_steps;

        if (g)
                return g;
        g = xnew0(struct remote_steps, 1);
        g->agent = a;
        TAILQ_INIT(&g->grants);
        TAILQ_INIT(&g->waiting);
        if (timer_new(a->event, USEC_PER_MSEC, remote_steps_on_timer, g, &g->timer) < 0) {
                free(g);
                return NULL;
        }
        return a->remote_steps = g;
}

static void held_grant_free(struct remote_steps *g, struct held_grant *h) {
        TAILQ_REMOVE(&g->grants, h, next);
        grant_free(h->grant);
        free(h);
}

static void waiting_launch_free(struct remote_steps *g, struct waiting_launch *w) {
        TAILQ_REMOVE(&g->waiting, w, next);
        g->n_waiting--;
        g->size -= w->size;
        if (w->message)
                slumber__maker_message__free_unpacked(w->message, NULL);
        free(w);
}

void remote_steps_done(struct agent *a) {
        struct remote_steps *g = TAKE(a->remote_steps);

        if (!g)
                return;
        while (!TAILQ_EMPTY(&g->grants))
                held_grant_free(g, TAILQ_FIRST(&g->grants));
        while (!TAILQ_EMPTY(&g->waiting))
                waiting_launch_free(g, TAILQ_FIRST(&g->waiting));
        sd_event_source_disable_unref(g->timer);
        free(g->over);
        free(g);
}

static void remote_steps_arm_timer(struct remote_steps *g) {
        if (!timer_is_armed(g->timer))
                timer_arm(g->timer, LOOK_EACH);
}

/* ---- to the step manager ---- */

static void step_message_fill(struct agent *a, const struct step_name *name, uint64_t token,
                Slumber__MakerMessage *m) {
        m->job_id = name->job;
        m->restarts = name->restarts;
        m->step_id = name->step;
        m->token = token;
        m->node = a->node;
        m->to_home = true;
}

static bool step_message_send(struct peer *p, Slumber__MakerMessage *m) {
        ENVELOPE(env, MAKER_MESSAGE, maker_message, m);
        return p && peer_send(p, &env);
}

/* Uses the connection of the step manager's last message, or connects to the address in the
   credential. */
static void step_send_to_manager(struct step *s, Slumber__MakerMessage *m) {
        struct agent *a = s->job->agent;

        if (!a->peers) /* slumberd starts: the end is reported later */
                return;
        step_message_fill(a, &s->name, s->streams.token, m);
        if (!s->stepmgr_peer)
                s->stepmgr_peer = peers_get(a->peers, s->stepmgr_address);
        if (!step_message_send(s->stepmgr_peer, m))
                s->stepmgr_peer = NULL;
}

static void step_message_set_report(Slumber__MakerMessage *m, const Envelope *env) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_LAUNCH_RESULT)
                m->result = env->launch_result;
        else
                m->ended = env->step_ended;
}

static struct step *remote_step_find(struct agent *a, uint32_t job, uint32_t restarts,
                uint32_t step) {
        struct job *j = job_find_exactly(a, job, restarts);

        return j ? job_find_step(j, step) : NULL;
}

bool remote_step_report(struct agent *a, Envelope *env) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;
        struct step *s = NULL;

        if (env->body_case == SLUMBER__ENVELOPE__BODY_LAUNCH_RESULT)
                s = remote_step_find(a, env->launch_result->job_id, env->launch_result->restarts,
                                env->launch_result->step_id);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_ENDED)
                s = remote_step_find(a, env->step_ended->job_id, env->step_ended->restarts,
                                env->step_ended->step_id);
        if (!s || !s->stepmgr_address)
                return false;
        struct remote_steps *g = remote_steps_get(a);
        step_message_set_report(&m, env);
        step_send_to_manager(s, &m);
        s->reported_at = now_monotonic();
        if (g && m.ended && m.ended->last)
                remote_steps_arm_timer(g);
        return true;
}

void remote_step_refuse_launch(struct agent *a, const Slumber__CredentialBody *body,
                Envelope *env) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;
        const struct step_name name = { body->job_id, body->restarts, body->step_id };

        step_message_fill(a, &name, body->stream_token, &m);
        step_message_set_report(&m, env);
        (void)step_message_send(peers_get(a->peers, body->maker), &m);
}

/* Answers the step manager's question about step s; NULL: the step is not here. */
static void remote_step_send_state(struct agent *a, struct peer *p, struct step *s,
                const Slumber__MakerMessage *asked) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        const struct step_name name = { asked->job_id, asked->restarts, asked->step_id };

        result.job_id = asked->job_id;
        result.restarts = asked->restarts;
        result.step_id = asked->step_id;
        result.node = a->node;
        if (!s)
                m.absent = true;
        else if (s->ended)
                m.ended = s->ended;
        else if (s->launched && !s->acknowledged) /* a failed launch is acknowledged already */
                m.result = &result;
        else
                m.busy = true;
        step_message_fill(a, &name, asked->token, &m);
        (void)step_message_send(p, &m);
}

static void remote_step_send_busy(struct agent *a, struct peer *p,
                const Slumber__MakerMessage *asked) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;
        const struct step_name name = { asked->job_id, asked->restarts, asked->step_id };

        m.busy = true;
        step_message_fill(a, &name, asked->token, &m);
        (void)step_message_send(p, &m);
}

static void remote_step_send_error(struct agent *a, struct peer *p,
                const Slumber__MakerMessage *asked, int code, const char *text) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;
        const struct step_name name = { asked->job_id, asked->restarts, asked->step_id };

        set_error(&error, code, text);
        result.job_id = asked->job_id;
        result.restarts = asked->restarts;
        result.step_id = asked->step_id;
        result.node = a->node;
        result.error = &error;
        m.result = &result;
        step_message_fill(a, &name, asked->token, &m);
        (void)step_message_send(p, &m);
}

/* ---- launches ---- */

static bool ended_steps_have(const struct remote_steps *g, const struct step_name *name) {
        for (size_t i = 0; i < g->n_over; i++)
                if (g->over[i].name.job == name->job &&
                                g->over[i].name.restarts == name->restarts &&
                                g->over[i].name.step == name->step)
                        return true;
        return false;
}

static void ended_steps_add(struct remote_steps *g, const struct step_name *name) {
        usec_t now = now_monotonic();
        size_t n = 0;

        for (size_t i = 0; i < g->n_over; i++)
                if (g->over[i].until > now)
                        g->over[n++] = g->over[i];
        g->n_over = n;
        GROW(g->over, g->a_over, g->n_over);
        g->over[g->n_over++] = (struct ended_step){ *name, now + OVER_KEPT };
}

static struct held_grant *held_grant_find(const struct remote_steps *g, uint32_t job,
                uint32_t restarts) {
        struct held_grant *h;

        TAILQ_FOREACH(h, &g->grants, next)
                if (h->job == job && h->restarts == restarts)
                        break;
        return h;
}

static struct waiting_launch *waiting_launch_find(const struct remote_steps *g,
                const Slumber__MakerMessage *m) {
        struct waiting_launch *w;

        TAILQ_FOREACH(w, &g->waiting, next)
                if (w->message->job_id == m->job_id && w->message->restarts == m->restarts &&
                                w->message->step_id == m->step_id)
                        break;
        return w;
}

/* Replaces the prolog's environment in the launch by the controller's: the prolog runs as root,
   and the step manager's node is not trusted. */
static void launch_set_hook_environment(Slumber__LaunchStep *m, const struct grant *grant) {
        size_t n;
        char **from = grant_hook_environment(grant, &n);

        texts_set(&m->hook_environment, &m->n_hook_environment, from, n);
}

static bool credential_fits_message(const Slumber__MakerMessage *m,
                const Slumber__CredentialBody *body) {
        return m->job_id == body->job_id && m->restarts == body->restarts &&
               m->step_id == body->step_id && m->token == body->stream_token;
}

static void remote_step_launch(struct remote_steps *g, struct peer *p, Slumber__MakerMessage *m,
                const struct grant *grant) {
        _cleanup_(credential_body_freep) Slumber__CredentialBody *body = NULL;
        struct agent *a = g->agent;
        struct fail fail = { 0 };

        int r = grant_check(grant, m->launch, a->node, upstream_now(a), &body, &fail);
        if (r >= 0 && !credential_fits_message(m, body))
                r = fail_set(&fail, -EACCES, "the credential is for another step");
        if (r < 0) {
                peer_log_bad_message(p, "a launch of step %u of job %u is refused: %s", m->step_id,
                                m->job_id, fail.text);
                remote_step_send_error(a, p, m, SLUMBER_BAD_CREDENTIAL, fail.text);
                return;
        }
        launch_set_hook_environment(m->launch, grant);
        m->launch->start_frozen = false;
        a->orders->launch(a, TAKE(m->launch));
        struct step *s = remote_step_find(a, m->job_id, m->restarts, m->step_id);
        if (s)
                s->stepmgr_peer = p;
}

static void grant_request(struct remote_steps *g, struct waiting_launch *w) {
        Slumber__GrantAsk m = SLUMBER__GRANT_ASK__INIT;

        m.job_id = w->message->job_id;
        m.restarts = w->message->restarts;
        ENVELOPE(env, GRANT_ASK, grant_ask, &m);
        upstream_send(g->agent, &env);
        w->asked = now_monotonic();
}

/* Returns true if the controller has been asked about the job already; *ret: when. */
static bool grant_find_request(const struct remote_steps *g, const Slumber__MakerMessage *m,
                usec_t *ret) {
        const struct waiting_launch *w;

        TAILQ_FOREACH(w, &g->waiting, next)
                if (w->message->job_id == m->job_id && w->message->restarts == m->restarts) {
                        *ret = w->asked;
                        return true;
                }
        return false;
}

static bool waiting_launch_has_room(const struct remote_steps *g, const Slumber__MakerMessage *m,
                size_t size) {
        const struct waiting_launch *w;
        size_t n = 0, bytes = 0;

        TAILQ_FOREACH(w, &g->waiting, next)
                if (w->message->job_id == m->job_id && w->message->restarts == m->restarts) {
                        n++;
                        bytes += w->size;
                }
        return n < WAITING_OF_JOB && size <= BYTES_OF_JOB - bytes && g->n_waiting < WAITING_MAX &&
               size <= WAITING_BYTES - g->size;
}

/* Takes m->launch. Without room the answer is "busy": the step manager asks later, hears that
   the step is absent, and sends the launch again. */
static void waiting_launch_add(struct remote_steps *g, struct peer *p, Slumber__MakerMessage *m) {
        size_t size = slumber__maker_message__get_packed_size(m);

        if (!waiting_launch_has_room(g, m, size)) {
                remote_step_send_busy(g->agent, p, m);
                return;
        }
        struct waiting_launch *w = xnew0(struct waiting_launch, 1);
        w->peer = p;
        w->came = now_monotonic();
        w->size = size;
        w->message = xnew(Slumber__MakerMessage, 1);
        slumber__maker_message__init(w->message);
        w->message->job_id = m->job_id;
        w->message->restarts = m->restarts;
        w->message->step_id = m->step_id;
        w->message->token = m->token;
        w->message->launch = TAKE(m->launch);
        if (!grant_find_request(g, w->message, &w->asked))
                grant_request(g, w);
        TAILQ_INSERT_TAIL(&g->waiting, w, next);
        g->n_waiting++;
        g->size += size;
        remote_steps_arm_timer(g);
}

static void remote_step_handle_launch(struct remote_steps *g, struct peer *p,
                Slumber__MakerMessage *m) {
        const struct step_name name = { m->job_id, m->restarts, m->step_id };
        struct step *s = remote_step_find(g->agent, m->job_id, m->restarts, m->step_id);
        struct waiting_launch *w = waiting_launch_find(g, m);
        const struct held_grant *h = held_grant_find(g, m->job_id, m->restarts);

        if (s && s->streams.token == m->token)
                remote_step_send_state(g->agent, p, s, m);
        else if (s)
                peer_log_bad_message(p, "it does not show the token of step %u of job %u",
                                m->step_id, m->job_id);
        else if (w)
                w->peer = p;
        else if (ended_steps_have(g, &name))
                return; /* the launch came twice, by two connections */
        else if (h)
                remote_step_launch(g, p, m, h->grant);
        else
                waiting_launch_add(g, p, m);
}

void remote_steps_handle_grant(struct agent *a, const Slumber__Grant *m) {
        struct remote_steps *g = remote_steps_get(a);
        struct waiting_launch *w, *after;
        struct fail fail = { 0 };

        if (!g)
                return;
        struct held_grant *h = held_grant_find(g, m->job_id, m->restarts);
        struct grant *grant = grant_new(m, &fail);
        if (h)
                held_grant_free(g, h);
        if (grant) {
                h = xnew0(struct held_grant, 1);
                *h = (struct held_grant){ .grant = grant,
                        .job = m->job_id,
                        .restarts = m->restarts };
                TAILQ_INSERT_TAIL(&g->grants, h, next);
        }
        for (w = TAILQ_FIRST(&g->waiting); w; w = after) {
                after = TAILQ_NEXT(w, next);
                if (w->message->job_id != m->job_id || w->message->restarts != m->restarts)
                        continue;
                if (grant && w->peer)
                        remote_step_launch(g, w->peer, w->message, grant);
                else if (w->peer)
                        remote_step_send_error(a, w->peer, w->message, SLUMBER_BAD_CREDENTIAL,
                                        fail.text);
                waiting_launch_free(g, w);
        }
}

void remote_steps_drop_grants(struct agent *a) {
        struct remote_steps *g = a->remote_steps;

        while (g && !TAILQ_EMPTY(&g->grants))
                held_grant_free(g, TAILQ_FIRST(&g->grants));
}

void remote_steps_drop_job_grants(struct agent *a, uint32_t job) {
        struct remote_steps *g = a->remote_steps;
        struct held_grant *h, *after;

        for (h = g ? TAILQ_FIRST(&g->grants) : NULL; h; h = after) {
                after = TAILQ_NEXT(h, next);
                if (h->job == job)
                        held_grant_free(g, h);
        }
}

void remote_steps_peer_lost(struct agent *a, const struct peer *p) {
        struct waiting_launch *w, *after;

        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next)
                        if (s->stepmgr_peer == p)
                                s->stepmgr_peer = NULL;
        /* The step manager sends these launches again. */
        for (w = a->remote_steps ? TAILQ_FIRST(&a->remote_steps->waiting) : NULL; w; w = after) {
                after = TAILQ_NEXT(w, next);
                if (w->peer == p)
                        waiting_launch_free(a->remote_steps, w);
        }
}

/* ---- other messages of the step manager ---- */

static void remote_step_drop_output(struct step *s) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = s->name.job;
        io.step_id = s->name.step;
        io.rank = RANK_ALL;
        io.stream = 1;
        io.eof = true;
        ENVELOPE(env, STEP_IO, step_io, &io);
        step_streams_deliver(s, &env);
}

static void remote_step_signal(struct agent *a, const struct step_name *name,
                Slumber__SignalJob *m) {
        Slumber__Number step = SLUMBER__NUMBER__INIT, *theirs = m->step;

        step.value = name->step;
        m->job_id = name->job;
        m->step = &step;
        m->batch_only = m->full = false;
        a->orders->signal(a, m);
        m->step = theirs;
}

static void remote_step_handle_orders(struct remote_steps *g, struct peer *p, struct step *s,
                Slumber__MakerMessage *m) {
        s->stepmgr_peer = p;
        if (m->ask)
                remote_step_send_state(g->agent, p, s, m);
        if (m->unread)
                remote_step_drop_output(s);
        if (m->signal)
                remote_step_signal(g->agent, &s->name, m->signal);
        if (m->acknowledged && s->ended) {
                ended_steps_add(g, &s->name);
                g->agent->orders->step_acknowledged(s); /* s may be freed */
        }
}

static bool remote_step_launch_waits(struct remote_steps *g, const Slumber__MakerMessage *m) {
        struct job *j = job_find_exactly(g->agent, m->job_id, m->restarts);

        return waiting_launch_find(g, m) ||
               (j && g->agent->orders->launch_waits(j, m->step_id, m->token));
}

/* Cancels a waiting launch, and a copy of the launch still under way by another connection. */
static void waiting_launch_cancel(struct remote_steps *g, struct peer *p,
                Slumber__MakerMessage *m) {
        const struct step_name name = { m->job_id, m->restarts, m->step_id };
        struct waiting_launch *w = waiting_launch_find(g, m);

        if (w && w->message->token != m->token)
                return;
        ended_steps_add(g, &name);
        if (w) {
                waiting_launch_free(g, w);
                remote_step_send_state(g->agent, p, NULL, m);
        } else {
                /* The step manager gets the refusal of the launch */
                remote_step_signal(g->agent, &name, m->signal);
        }
}

void remote_step_handle_message(struct agent *a, struct peer *p, Slumber__MakerMessage *m) {
        struct remote_steps *g = remote_steps_get(a);
        struct step *s = remote_step_find(a, m->job_id, m->restarts, m->step_id);

        if (!g)
                return; /* no timer: the step manager asks again */
        if (!streq(m->node, a->node))
                peer_log_bad_message(p, "it takes this node for \"%.64s\"", m->node);
        else if (m->launch)
                remote_step_handle_launch(g, p, m);
        else if (s && (!s->stepmgr_address || s->streams.token != m->token))
                peer_log_bad_message(p, "it does not show the token of step %u of job %u",
                                m->step_id, m->job_id);
        else if (s)
                remote_step_handle_orders(g, p, s, m);
        else if (m->signal && (m->signal->terminate || m->signal->signal == SIGKILL) &&
                        remote_step_launch_waits(g, m))
                waiting_launch_cancel(g, p, m);
        else if (m->ask && remote_step_launch_waits(g, m))
                remote_step_send_busy(a, p, m);
        else if (m->ask)
                remote_step_send_state(a, p, NULL, m);
}

/* ---- time ---- */

/* The job left this node more than SlurmdTimeout ago: the step manager is gone, too. */
static bool remote_step_lost_manager(const struct step *s) {
        usec_t at = s->ended->ended_boottime, now = now_boottime();

        return s->job->over && at && at < now && now - at > s->job->agent->slurmd_timeout;
}

static bool remote_step_repeat_end(struct step *s) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;
        usec_t now = now_monotonic();

        if (now - s->reported_at < LOOK_EACH)
                return true;
        s->reported_at = now;
        m.ended = s->ended;
        step_send_to_manager(s, &m);
        return true;
}

static bool remote_steps_repeat_ends(struct agent *a) {
        bool more = false;

        for (struct job *j = a->jobs, *after_j; j; j = after_j) {
                after_j = j->next;
                for (struct step *s = j->steps, *after; s; s = after) {
                        after = s->next;
                        if (!s->stepmgr_address || !s->ended || s->acknowledged)
                                continue;
                        if (!remote_step_lost_manager(s)) {
                                more |= remote_step_repeat_end(s);
                                continue;
                        }
                        log_fields(LOG_WARNING, 0, s->name.job, a->node,
                                        "The end of step %u of job %u is not told: its first node "
                                        "is gone",
                                        s->name.step, s->name.job);
                        bool last = j->steps == s && !s->next;
                        a->orders->step_acknowledged(s);
                        if (last) /* j may be freed */
                                break;
                }
        }
        return more;
}

/* Asks the controller; the answer serves every launch of the job. */
static void grant_request_again(struct remote_steps *g, struct waiting_launch *w) {
        struct waiting_launch *o;

        grant_request(g, w);
        TAILQ_FOREACH(o, &g->waiting, next)
                if (o->message->job_id == w->message->job_id &&
                                o->message->restarts == w->message->restarts)
                        o->asked = w->asked;
}

static int remote_steps_on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct remote_steps *g = user;
        struct waiting_launch *w, *after;
        bool more = remote_steps_repeat_ends(g->agent);
        usec_t now = now_monotonic();

        (void)source, (void)t;
        for (w = TAILQ_FIRST(&g->waiting); w; w = after) {
                after = TAILQ_NEXT(w, next);
                more = true;
                if (now - w->came >= WAIT_LONGEST)
                        waiting_launch_free(g, w);
                else if (now - w->asked >= ASK_EACH)
                        grant_request_again(g, w);
        }
        if (more)
                remote_steps_arm_timer(g);
        return 0;
}
