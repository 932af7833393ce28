/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On sattach's host: passes messages between a sattach and the slumberd of the srun of its step
 * (streams/viewers.h), which may be the same slumberd.
 *
 * The controller's AttachReply, on its way to the command, says which step the sattach may see. No
 * data is kept: output is dropped while a sattach does not read, and sattach asks the controller
 * again when the other slumberd or the connection is lost. */
#include "agent/streams/attach.h"
#include "agent/state/agent.h"

#define QUEUE_MAX ((size_t)1 << 20) /* bytes queued for a sattach; more are dropped */

struct attached {
        struct client *client;
        uint32_t job, restarts, step;
        uint64_t token, viewer;
        char *home; /* address of the slumberd on srun's host */
        struct peer *peer;
        LIST_ENTRY(attached) next;
};

/* Tells srun's host to send no more copies: the sattach has ended. */
static void say_ended(const struct attached *t) {
        Slumber__View m = SLUMBER__VIEW__INIT;

        if (!t->peer)
                return;
        m.kind = SLUMBER__VIEW__KIND__GONE;
        m.job_id = t->job;
        m.restarts = t->restarts;
        m.step_id = t->step;
        m.token = t->token;
        m.viewer = t->viewer;
        ENVELOPE(env, VIEW, view, &m);
        (void)peer_send(t->peer, &env);
}

void attach_close(struct client *c) {
        struct attached *t = TAKE(c->attached);

        if (!t)
                return;
        LIST_REMOVE(t, next);
        say_ended(t);
        free(t->home);
        free(t);
}

void attach_open(struct client *c, const Slumber__AttachReply *m) {
        attach_close(c);
        if (!m->streams || !m->streams->token || m->streams->n_addresses != 1)
                return;
        struct attached *t = xnew0(struct attached, 1);
        *t = (struct attached){ .client = c,
                .job = m->job_id,
                .restarts = m->streams->restarts,
                .step = m->step_id,
                .token = m->streams->token,
                .home = xstrdup(m->streams->addresses[0]) };
        LIST_INSERT_HEAD(&c->agent->attached, t, next);
        c->attached = t;
}

/* Tells sattach of the end of its viewing. text: reason; NULL: none. */
static void attached_send_gone(struct attached *t, const char *text) {
        Slumber__View m = SLUMBER__VIEW__INIT;

        t->peer = NULL;
        m.kind = SLUMBER__VIEW__KIND__GONE;
        m.job_id = t->job;
        m.step_id = t->step;
        m.viewer = t->viewer;
        m.text = (char *)(uintptr_t)strempty(text);
        ENVELOPE(env, VIEW, view, &m);
        (void)conn_send(t->client->conn, &env);
}

static void attached_unreachable(struct attached *t) {
        _cleanup_free_ char *text = xasprintf(
                        "the slumberd of its srun's host cannot be reached at %s", t->home);

        attached_send_gone(t, text);
}

void attach_send(struct client *c, Envelope *env) {
        struct attached *t = c->attached;
        Slumber__View *m = env->view;

        if (!t || m->data.len > STEP_WINDOW)
                return;
        t->viewer = m->viewer;
        m->job_id = t->job;
        m->restarts = t->restarts;
        m->step_id = t->step;
        m->token = t->token;
        m->to_viewer = false;
        t->peer = peers_get(c->agent->peers, t->home);
        if (!t->peer || !peer_send(t->peer, env))
                attached_unreachable(t);
}

void attach_take(struct agent *a, Envelope *env) {
        Slumber__View *m = env->view;
        struct attached *t;

        LIST_FOREACH(t, &a->attached, next)
                if (t->viewer == m->viewer && t->token == m->token && t->job == m->job_id &&
                                t->step == m->step_id)
                        break;
        if (!t || (m->data.len && conn_queued(t->client->conn) >= QUEUE_MAX))
                return;
        m->token = 0;
        (void)conn_send(t->client->conn, env);
}

void attach_lost(struct agent *a, const struct peer *p) {
        struct attached *t;

        LIST_FOREACH(t, &a->attached, next)
                if (t->peer == p)
                        attached_unreachable(t);
}
