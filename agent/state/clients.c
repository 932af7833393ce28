/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients of users/relay.c: list, errors, and forwarding to the controller with the identity from
 * the kernel. */
#include "agent/state/agent.h"

#define HELD_MAX    ((size_t)64 << 20) /* bytes of all requests that wait for the next primary */
#define WAITING_MAX 1024 /* maximum unanswered requests of a client that are remembered */

struct client *client_find(struct agent *a, uint64_t id) {
        struct client *c;

        TAILQ_FOREACH(c, &a->clients, next)
                if (c->id == id)
                        break;
        return c;
}

void client_refuse(struct client *c, uint64_t id, int code) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        set_error(&error, code, "");
        ENVELOPE(env, ERROR, error, &error);
        env.reply_to = id;
        (void)conn_send(c->conn, &env);
}

static void client_remember_request(struct client *c, uint64_t id) {
        if (id == 0 || c->n_waiting >= WAITING_MAX)
                return;
        GROW(c->waiting, c->waiting_allocated, c->n_waiting);
        c->waiting[c->n_waiting++] = id;
}

void client_answered(struct client *c, uint64_t id) {
        for (size_t i = 0; i < c->n_waiting; i++)
                if (c->waiting[i] == id) {
                        c->waiting[i] = c->waiting[--c->n_waiting];
                        return;
                }
}

static void clients_pause(struct agent *a, bool pause) {
        struct client *c;

        TAILQ_FOREACH(c, &a->clients, next) {
                if (c->held) /* paused until clients_send_held() */
                        continue;
                conn_pause_large(c->conn, pause && c->unasked);
                if (!pause || !(c->streams || c->unasked))
                        conn_pause(c->conn, pause);
        }
}

void clients_go_on(struct agent *a) {
        if (a->relay && a->relay_waits) {
                a->relay_waits = false;
                conn_server_pause(a->relay, false);
        }
        clients_pause(a, false);
}

static void client_send_frame(struct client *c, uint64_t id, const uint8_t *frame, size_t size) {
        struct agent *a = c->agent;

        client_remember_request(c, id);
        c->asked = true;
        (void)conn_send_packed(a->controller, frame, size);
        TAILQ_REMOVE(&a->clients, c, next);
        TAILQ_INSERT_TAIL(&a->clients, c, next);
        if (upstream_full(a))
                clients_pause(a, true);
}

static size_t clients_held(const struct agent *a) {
        const struct client *c;
        size_t bytes = 0;

        TAILQ_FOREACH(c, &a->clients, next)
                bytes += c->held ? c->held_size : 0;
        return bytes;
}

/* Sends the request, or holds it until the next primary is connected. */
static void client_forward(struct client *c, const Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;

        if (wire_pack_relayed(env, &frame, &size) < 0) {
                client_refuse(c, env->id, SLUMBER_TOO_BIG);
                return;
        }
        if (upstream_up(c->agent)) {
                client_send_frame(c, env->id, frame, size);
                return;
        }
        if (clients_held(c->agent) + size > HELD_MAX) {
                client_refuse(c, env->id, SLUMBER_CONTROLLER_AWAY);
                return;
        }
        c->held = TAKE(frame);
        c->held_size = size;
        c->held_id = env->id;
        conn_pause(c->conn, true);
}

void clients_send_held(struct agent *a) {
        struct client *c, *next;

        for (c = TAILQ_FIRST(&a->clients); c; c = next) {
                _cleanup_free_ uint8_t *frame = TAKE(c->held);

                next = TAILQ_NEXT(c, next);
                if (!frame)
                        continue;
                conn_pause(c->conn, false);
                if (upstream_up(a))
                        client_send_frame(c, c->held_id, frame, c->held_size);
                else
                        client_refuse(c, c->held_id, SLUMBER_CONTROLLER_AWAY);
        }
}

void client_to_controller(struct client *c, Envelope *env) {
        Slumber__Caller caller = SLUMBER__CALLER__INIT, *theirs = env->caller;
        uid_t uid;
        gid_t gid;
        pid_t pid;

        if (!upstream_up(c->agent) && !(env->id && upstream_may_return(c->agent))) {
                if (env->id)
                        client_refuse(c, env->id, SLUMBER_CONTROLLER_AWAY);
                return;
        }
        if (conn_peer_credentials(c->conn, &uid, &gid, &pid) < 0) {
                client_refuse(c, env->id, SLUMBER_ACCESS_DENIED);
                return;
        }
        caller.uid = uid;
        caller.gid = gid;
        caller.pid = (uint32_t)pid;
        caller.client = c->id;
        caller.host = c->agent->node;
        env->caller = &caller;
        client_forward(c, env);
        env->caller = theirs;
}
