/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forwards requests of local users' commands to the controller, with the identity from the kernel;
 * answers come back by caller.client. A caller set by the user is dropped. Requests about this node
 * alone are answered here (pids.c).
 *
 * The ids of unanswered requests are kept: when the controller goes away, a command is told at once
 * SLUMBER_CONTROLLER_LOST, as the request may have been done; later requests, surely not done, get
 * SLUMBER_CONTROLLER_AWAY. A command which has sent any request also gets the latter without a
 * request's id, in case the command waits for notices: srun then asks again by a new connection.
 *
 * At the start new connections wait in the kernel until the controller is reached, or fails, for
 * FIRST_WAIT at most: a restart refuses no command.
 *
 * While the queue to the controller is full no client is read, except clients with streams by
 * a direct way, and root's before their first request to the controller: pam_slumber_adopt's
 * questions are answered here. Afterwards the client heard longest ago comes first, so that each
 * command has its turn. */
#include "agent/users/relay.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_proxy.h"
#include "agent/streams/attach.h"
#include "agent/streams/bulk.h"
#include "agent/streams/srun_streams.h"
#include "agent/users/adopt.h"
#include "agent/users/commands.h"
#include "lib/plugins/plugstack.h"

#include <sys/stat.h>

/* Maximum commands of a user at a time: a runaway script must not use up the descriptors. */
#define CLIENTS_OF_USER_MAX 4096
/* Limits of answers waiting for a command: above SLOW_LIMIT its requests are not read; above
   QUEUE_MAX (more than the largest answer) the connection is closed. */
#define SLOW_LIMIT  ((size_t)16 << 20)
#define QUEUE_MAX   ((size_t)WIRE_FRAME_MAX + (32u << 20))
#define STREAMS_MAX ((size_t)256 << 20) /* STEP_WINDOW of a thousand tasks */
#define FIRST_WAIT  (2 * USEC_PER_SEC)

static void client_free(struct client *c) {
        stepmgr_client_gone(c, false);
        stepmgr_proxy_free(c);
        srun_streams_close(c);
        attach_close(c);
        adopt_forget(c);
        TAILQ_REMOVE(&c->agent->clients, c, next);
        free(c->waiting);
        free(c->held);
        free(c);
}

/* Prepares the connection for streams of a step, which have flow control of their own. */
static void expect_streams(struct client *c) {
        conn_set_slow_limit(c->conn, 0);
        conn_set_queue_limit(c->conn, STREAMS_MAX);
}

/* true: this node's or another node's step manager makes the step. */
static bool take_step_request(struct client *c, const Envelope *env) {
        expect_streams(c);
        return stepmgr_handle_request(c, env) || stepmgr_proxy_request(c, env);
}

static bool answered_here(struct client *c, const Envelope *env) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REQUEST)
                return take_step_request(c, env);
        return env->body_case == SLUMBER__ENVELOPE__BODY_JOB_ACTION &&
               (stepmgr_handle_action(c, env) || stepmgr_proxy_action(c, env));
}

static void relay_on_message(struct conn *conn, Envelope *env, void *user) {
        struct client *c = user;

        commands_note(c, env);
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO)
                bulk_moved(c->agent, env->step_io->data.len);
        if (answered_here(c, env))
                return;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_PIDS_QUERY)
                pids_answer(c->agent, conn, env, c->uid);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ADOPT_QUERY)
                adopt_answer(c, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW && c->streams)
                srun_streams_answer(c, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW)
                attach_send(c, env);
        else if (env->body_case != SLUMBER__ENVELOPE__BODY_STEP_IO || !srun_streams_send(c, env)) {
                c->unasked = false;
                c->holds |= env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT &&
                            env->submit->allocate;
                if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT && env->submit->step)
                        expect_streams(c);
                client_to_controller(c, env);
                if (upstream_full(c->agent))
                        conn_pause(conn, true);
        }
}

static void relay_on_taken(struct conn *conn, void *user) {
        (void)conn;
        srun_streams_drained(user);
}

static void relay_on_closed(struct conn *conn, int r, const char *why, void *user) {
        Slumber__ClientGone gone = SLUMBER__CLIENT_GONE__INIT;
        struct client *c = user;

        (void)conn, (void)r, (void)why;
        srun_streams_gone(c);
        stepmgr_client_gone(c, true);
        stepmgr_proxy_client_gone(c);
        gone.client = c->id;
        ENVELOPE(env, CLIENT_GONE, client_gone, &gone);
        if (upstream_up(c->agent))
                (void)conn_send(c->agent->controller, &env);
        client_free(c);
}

static bool user_has_too_many_clients(const struct agent *a, uid_t uid) {
        const struct client *c;
        size_t n = 0;

        TAILQ_FOREACH(c, &a->clients, next)
                n += c->uid == uid;
        return uid != 0 && n > CLIENTS_OF_USER_MAX;
}

static void relay_on_accepted(struct conn_server *server, struct conn *conn, void *user) {
        static const struct conn_ops ops = { .message = relay_on_message,
                .closed = relay_on_closed,
                .taken = relay_on_taken };
        struct agent *a = user;
        struct client *c = xnew0(struct client, 1);

        (void)server;
        *c = (struct client){ .agent = a, .id = a->next_client++, .conn = conn };
        TAILQ_INSERT_TAIL(&a->clients, c, next);
        conn_set_ops(conn, &ops, c);
        conn_set_slow_limit(conn, SLOW_LIMIT);
        conn_set_queue_limit(conn, QUEUE_MAX);
        if (conn_peer_credentials(conn, &c->uid, NULL, NULL) < 0 ||
                        user_has_too_many_clients(a, c->uid)) {
                client_free(c);
                conn_close(conn);
                return;
        }
        c->unasked = c->uid == 0;
        conn_pause(conn, upstream_full(a) && !c->unasked);
        conn_pause_large(conn, upstream_full(a) && c->unasked);
}

static void relay_on_refused(struct conn_server *server, const char *peer, const char *why,
                void *user) {
        (void)server, (void)user;
        log_warning_folded("A local connection (%s) was refused: %s", peer, why);
}

static int relay_on_first_wait_over(sd_event_source *source, uint64_t t, void *user) {
        (void)source, (void)t;
        clients_go_on(user);
        return 0;
}

int relay_open(struct agent *a, const char *path, struct fail *fail) {
        static const struct conn_server_ops ops = { .accepted = relay_on_accepted,
                .refused = relay_on_refused };

        a->next_client = now_realtime(); /* larger than all ids before a restart */
        int r = conn_listen_unix(a->event, path, 0666, &ops, a, &a->relay, fail);
        if (r >= 0 && sd_event_add_time_relative(a->event, NULL, CLOCK_MONOTONIC, FIRST_WAIT, 0,
                                      relay_on_first_wait_over, a) >= 0) {
                a->relay_waits = true;
                conn_server_pause(a->relay, true);
        }
        return r;
}

void relay_publish_plugins(struct agent *a) {
        struct fail fail = { 0 };

        if (a->relay && plugstack_publish(a->socket, a->plugstack, a->plugin_dir, a->cli_filter,
                                        &fail) < 0)
                log_warning(0, "Commands of this host do not find plugstack.conf: %s", fail.text);
}

void relay_close(struct agent *a) {
        struct client *c;

        a->relay = conn_server_free(a->relay);
        while ((c = TAILQ_FIRST(&a->clients))) {
                struct conn *conn = c->conn;

                client_free(c);
                conn_close(conn);
        }
}

bool relay_deliver(struct agent *a, Envelope *env) {
        if (!env->caller || env->caller->client == 0)
                return false;
        struct client *c = client_find(a, env->caller->client);
        if (!c)
                return true; /* the client has gone meanwhile */
        client_answered(c, env->reply_to);
        if (env->body_case == SLUMBER__ENVELOPE__BODY_HOME_AT)
                stepmgr_proxy_begin(c, env);
        else
                client_answer(c, env);
        return true;
}

/* A client of a step manager needs no controller, except a client holding its job: srun has to
 * report the allocation to the next controller. */
static bool client_needs_no_controller(const struct client *c) {
        return !c->holds && (c->proxy || stepmgr_has_client(c));
}

void relay_controller_away(struct agent *a) {
        struct client *c;

        TAILQ_FOREACH(c, &a->clients, next) {
                for (size_t i = 0; i < c->n_waiting; i++)
                        client_refuse(c, c->waiting[i], SLUMBER_CONTROLLER_LOST);
                c->n_waiting = 0;
                if (a->ready && c->asked && !client_needs_no_controller(c))
                        client_refuse(c, 0, SLUMBER_CONTROLLER_AWAY);
        }
}
