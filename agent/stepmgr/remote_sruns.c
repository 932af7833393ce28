/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sruns and sattaches on other hosts, served by a step manager on this node: each is a client
 * without a connection of its own, which stepmgr_steps.c treats like a local client.
 *
 * The slumberd of the command's host knows the user from the kernel, and shows a token from the
 * controller as a proof. When the two slumberds lose the connection the command asks again; until
 * then it counts like a local command whose slumberd was killed. */
#include "agent/stepmgr/remote_sruns.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_private.h"

#include "lib/timer.h"

#define VISITORS_MAX         16384
#define VISITORS_OF_USER_MAX 4096 /* limit of a single user, in favour of other users */
#define SAY_AGAIN            (100 * USEC_PER_MSEC)

struct remote_sruns {
        struct clients list;
        size_t n;
};

static struct client *remote_srun_find(struct agent *a, const struct peer *p,
                const Slumber__Visit *m) {
        struct client *c = NULL;

        if (a->remote_sruns)
                TAILQ_FOREACH(c, &a->remote_sruns->list, next)
                        if (c->id == m->visitor && c->proxy->peer == p &&
                                        c->proxy->job == m->job_id &&
                                        c->proxy->restarts == m->restarts)
                                break;
        return c;
}

static void remote_srun_free(struct client *c) {
        TAILQ_REMOVE(&c->agent->remote_sruns->list, c, next);
        c->agent->remote_sruns->n--;
        sd_event_source_disable_unref(c->proxy->lost_timer);
        free(c->proxy->stream_home);
        free(c->proxy);
        free(c);
}

void remote_sruns_done(struct agent *a) {
        while (a->remote_sruns && !TAILQ_EMPTY(&a->remote_sruns->list))
                remote_srun_free(TAILQ_FIRST(&a->remote_sruns->list));
        free(TAKE(a->remote_sruns));
}

void remote_sruns_free_of_job(struct agent *a, const struct job *j) {
        struct client *c, *after;

        for (c = a->remote_sruns ? TAILQ_FIRST(&a->remote_sruns->list) : NULL; c; c = after) {
                after = TAILQ_NEXT(c, next);
                if (c->proxy->job == j->id && c->proxy->restarts == j->restarts)
                        remote_srun_free(c);
        }
}

/* The command is disconnected: it may ask again within the time that is given after a restart. */
static void remote_srun_disconnect(struct client *c) {
        struct stepmgr_step *s, *after;

        for (struct job *j = c->agent->jobs; j; j = j->next)
                for (s = j->stepmgr ? TAILQ_FIRST(&j->stepmgr->steps) : NULL; s; s = after) {
                        after = TAILQ_NEXT(s, next);
                        if (s->client != c)
                                continue;
                        s->client = NULL;
                        if (!s->started) { /* srun asks anew */
                                stepmgr_step_free(s);
                                stepmgr_hold_queue(j->stepmgr);
                                continue;
                        }
                        stepmgr_step_await_srun(s);
                }
}

static bool remote_srun_send_lost(struct peer *p, uint32_t job, uint32_t restarts, uint64_t token,
                uint64_t visitor) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;

        m.job_id = job;
        m.restarts = restarts;
        m.token = token;
        m.visitor = visitor;
        m.lost = true;
        ENVELOPE(env, VISIT, visit, &m);
        return peer_send(p, &env);
}

/* A message to the command was dropped, as too many waited for its host: the command is told to
   ask again. */
static int remote_srun_on_lost_timer(sd_event_source *source, uint64_t t, void *user) {
        struct client *c = user;
        const struct stepmgr_proxy *v = c->proxy;

        (void)t;
        if (!remote_srun_send_lost(v->peer, v->job, v->restarts, v->token, c->id)) {
                timer_arm(source, SAY_AGAIN);
                return 0;
        }
        remote_srun_disconnect(c);
        remote_srun_free(c);
        return 0;
}

static uid_t stepmgr_job_user(const struct job *j) {
        return j->stepmgr->message->credential->uid;
}

/* Returns why uid may have no further client here (the caller frees); NULL: there is room. */
static char *remote_srun_no_room_reason(const struct agent *a, uid_t uid) {
        const struct client *c;
        size_t n = 0;

        if (!a->remote_sruns)
                return NULL;
        TAILQ_FOREACH(c, &a->remote_sruns->list, next)
                n += c->uid == uid;
        if (n >= VISITORS_OF_USER_MAX)
                return xasprintf("user %u has %zu sruns of other hosts at node %s, which makes "
                                 "their steps, and may have no more",
                                (unsigned)uid, n, a->node);
        if (a->remote_sruns->n >= VISITORS_MAX)
                return xasprintf("there are %zu sruns of other hosts at node %s, which makes their "
                                 "steps, and may be no more",
                                a->remote_sruns->n, a->node);
        return NULL;
}

/* NULL: no memory or no descriptor. */
static struct client *remote_srun_add(const struct job *j, struct peer *p,
                const Slumber__Visit *m) {
        struct agent *a = j->agent;
        sd_event_source *again = NULL;

        if (!a->remote_sruns) {
                a->remote_sruns = xnew0(struct remote_sruns, 1);
                TAILQ_INIT(&a->remote_sruns->list);
        }
        struct client *c = xnew0(struct client, 1);
        if (timer_new(a->event, USEC_PER_MSEC, remote_srun_on_lost_timer, c, &again) < 0) {
                free(c);
                return NULL;
        }
        *c = (struct client){ .agent = a,
                .id = m->visitor,
                .uid = stepmgr_job_user(j),
                .proxy = xnew0(struct stepmgr_proxy, 1) };
        *c->proxy = (struct stepmgr_proxy){ .peer = p,
                .job = m->job_id,
                .restarts = m->restarts,
                .token = m->token,
                .lost_timer = again };
        TAILQ_INSERT_TAIL(&a->remote_sruns->list, c, next);
        a->remote_sruns->n++;
        return c;
}

static void remote_srun_refuse(struct peer *p, const Slumber__Visit *of, int code,
                const char *why) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        set_error(&error, code, why);
        m.job_id = of->job_id;
        m.restarts = of->restarts;
        m.token = of->token;
        m.visitor = of->visitor;
        m.id = of->id;
        m.error = &error;
        ENVELOPE(env, VISIT, visit, &m);
        (void)peer_send(p, &env);
}

static void remote_srun_handle_request(struct job *j, struct peer *p, struct client *c,
                const Slumber__Visit *m) {
        ENVELOPE(env, STEP_REQUEST, step_request, m->request);

        env.id = m->id;
        if (m->request->job_id != m->job_id ||
                        (m->request->spec && m->request->spec->interactive)) {
                peer_log_bad_message(p, "it asks for a step of job %u, which is not made here",
                                m->request->job_id);
                remote_srun_refuse(p, m, SLUMBER_PROTOCOL, "");
                return;
        }
        _cleanup_free_ char *full = c ? NULL
                                      : remote_srun_no_room_reason(j->agent, stepmgr_job_user(j));
        if (!c && !full)
                c = remote_srun_add(j, p, m);
        if (!c) {
                remote_srun_refuse(p, m, full ? SLUMBER_FAILED : SLUMBER_TOO_MANY_JOBS,
                                strempty(full));
                return;
        }
        free_and_strdup(&c->proxy->stream_home, m->stream_home);
        (void)stepmgr_handle_request_of_run(j, c, &env); /* always true: j has a step manager */
}

/* If the connection cannot take the answer, the client stays until the command was told to ask
   again. */
static void remote_srun_handle_attach(struct job *j, struct peer *p, struct client *c,
                const Slumber__Visit *m) {
        if (c) { /* the id belongs to an srun */
                remote_srun_refuse(p, m, SLUMBER_PROTOCOL, "");
                return;
        }
        c = remote_srun_add(j, p, m);
        if (!c) {
                remote_srun_refuse(p, m, SLUMBER_TOO_MANY_JOBS, "");
                return;
        }
        (void)stepmgr_handle_attach(j, c, m->id,
                        m->attach->step_id); /* always true: j has a step manager */
        if (sd_event_source_get_enabled(c->proxy->lost_timer, NULL) <= 0)
                remote_srun_free(c);
}

void remote_srun_handle_message(struct agent *a, struct peer *p, Slumber__Visit *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);
        struct client *c = remote_srun_find(a, p, m);
        bool known = j && j->stepmgr && m->token && j->stepmgr->message->visit_token == m->token;

        if (j && j->stepmgr && !known)
                peer_log_bad_message(p, "it does not show the token of the steps of job %u",
                                m->job_id);
        if (c && c->proxy->token != m->token)
                return;
        if (m->gone || !known) {
                if (c && m->gone)
                        stepmgr_client_gone(c, true);
                else if (c)
                        remote_srun_disconnect(c);
                if (c)
                        remote_srun_free(c);
                if (j && j->steps_unread && (m->request || m->attach))
                        remote_srun_refuse(p, m, SLUMBER_FAILED, MADE_UNREAD);
                else if (!m->gone)
                        (void)remote_srun_send_lost(p, m->job_id, m->restarts, m->token,
                                        m->visitor);
        } else if (m->request) {
                remote_srun_handle_request(j, p, c, m);
        } else if (m->attach) {
                remote_srun_handle_attach(j, p, c, m);
        } else if (m->action) {
                ENVELOPE(env, JOB_ACTION, job_action, m->action);
                env.id = m->id;
                if ((!c || !stepmgr_handle_action(c, &env)) && m->id)
                        remote_srun_refuse(p, m, SLUMBER_BAD_STEP_ID, "");
        }
}

void remote_sruns_peer_lost(struct agent *a, const struct peer *p) {
        struct client *c, *after;

        for (c = a->remote_sruns ? TAILQ_FIRST(&a->remote_sruns->list) : NULL; c; c = after) {
                after = TAILQ_NEXT(c, next);
                if (c->proxy->peer != p)
                        continue;
                remote_srun_disconnect(c);
                remote_srun_free(c);
        }
}

bool remote_sruns_use_peer(const struct agent *a, const struct peer *p) {
        const struct client *c = NULL;

        if (a->remote_sruns)
                TAILQ_FOREACH(c, &a->remote_sruns->list, next)
                        if (c->proxy->peer == p)
                                break;
        return c;
}
