/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/peers/peers.h"

#include "lib/abilities.h"
#include "lib/addresses.h"
#include "lib/log.h"
#include "lib/timer.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <sys/queue.h>

#define IDLE (60 * USEC_PER_SEC)
/* Maximum time to connect, usually milliseconds: later the steps use another way. */
#define SLOW USEC_PER_SEC
/* Time for which an address without an answer is remembered, so that the next step does not
   wait. */
#define SLOW_IDLE (600 * USEC_PER_SEC)
/* ASK after a message the other slumberd is asked whether it has read the message; without an
   answer within SILENCE the connection is closed: the slumberd hangs, or its host has lost
   power. */
#define ASK     USEC_PER_SEC
#define SILENCE (6 * USEC_PER_SEC)
/* A connection unused for so long has no message under way. */
#define QUIET (30 * USEC_PER_SEC)
/* Maximum of outgoing connections, and of incoming connections: each costs a descriptor and 40
   kB. A connection unused for IN_USE gives way to a new connection. If all are in use, an
   incoming connection waits in the kernel, and its steps use the controller. */
#ifndef PEERS_MAX
#define PEERS_MAX PEER_CONNECTIONS_MAX
#endif
#define IN_USE (10 * USEC_PER_SEC)
#define LOOK   USEC_PER_SEC /* interval of looking for room */
/* Maximum queue of a peer before messages are dropped: the windows of some steps, bytes */
#define QUEUE_MAX ((size_t)32 << 20)
/* Pauses between attempts to connect to a slumberd that refuses */
#define PAUSE_FIRST (20 * USEC_PER_MSEC)
#define PAUSE_LAST  (2 * USEC_PER_SEC)

struct peer {
        struct peers *all;
        struct conn *conn; /* NULL: could not be reached, see again */
        char *address;     /* HOST:PORT; NULL: incoming connection */
        bool ready;        /* established now or earlier */
        bool slow;         /* the present or last attempt took longer than SLOW */
        bool complained;   /* peer_log_bad_message() has logged */
        usec_t used;       /* last use, CLOCK_MONOTONIC */
        usec_t pause, again;
        sd_event_source *timer; /* SLOW, then ASK and SILENCE; NULL: no timer */
        bool asked, heard;      /* asked: a question is open; heard: a message has come since */
        uint64_t written;       /* conn_written() at the question */
        TAILQ_ENTRY(peer) next;
};

struct peers {
        sd_event *event;
        const struct cluster_key *key;
        const struct peers_ops *ops;
        void *user;
        struct conn_server *server;
        TAILQ_HEAD(, peer) list; /* latest first */
        size_t n_in, n_out;
        sd_event_source *idle; /* timer for unused connections */
        sd_event_source *room; /* timer for room for waiting incoming connections */
};

static const struct conn_ops ops;

static size_t *peer_counter(const struct peer *p) {
        return p->address ? &p->all->n_out : &p->all->n_in;
}

static int peer_on_timer(sd_event_source *source, uint64_t t, void *user);

static struct peer *peer_new(struct peers *all, const char *address) {
        struct peer *p = xnew0(struct peer, 1);

        p->all = all;
        p->address = xstrdup(address);
        p->used = now_monotonic();
        TAILQ_INSERT_HEAD(&all->list, p, next);
        ++*peer_counter(p);
        (void)timer_new(all->event, USEC_PER_MSEC, peer_on_timer, p, &p->timer);
        if (!timer_is_armed(all->idle))
                timer_arm(all->idle, IDLE);
        return p;
}

static void peer_unlist(struct peer *p) {
        TAILQ_REMOVE(&p->all->list, p, next);
        --*peer_counter(p);
}

static void peer_free(struct peer *p) {
        conn_close(p->conn);
        sd_event_source_disable_unref(p->timer);
        free(p->address);
        free(p);
}

static bool peer_is_quiet(const struct peer *p) {
        return now_monotonic() - p->used >= QUIET;
}

static void peer_end(struct peer *p, bool quiet) {
        peer_unlist(p); /* lost() may make new connections, which need room */
        p->all->ops->lost(p, quiet, p->all->user);
        peer_free(p);
}

static bool peer_has_queue(const struct peer *p) {
        return p->conn && conn_queued(p->conn) > 0;
}

/* Returns true if the other slumberd has confirmed that all messages were read. */
static bool peer_has_read_all(const struct peer *p) {
        return !p->asked && !(p->timer && timer_is_armed(p->timer));
}

/* Makes room for a new connection by closing the connection unused for longest. Messages of the
   closed connection were read, so its owners need not reconnect and close yet another. false:
   all are in use. */
static bool peers_make_room(struct peers *all, bool made_here) {
        struct peer *p, *oldest = NULL;

        if ((made_here ? all->n_out : all->n_in) < PEERS_MAX)
                return true;
        TAILQ_FOREACH(p, &all->list, next)
                if ((p->address != NULL) == made_here && (!oldest || p->used < oldest->used))
                        oldest = p;
        if (!oldest || peer_has_queue(oldest) || now_monotonic() - oldest->used < IN_USE)
                return false;
        peer_end(oldest, peer_has_read_all(oldest));
        return true;
}

void peer_log_bad_message(struct peer *p, const char *format, ...) {
        va_list ap;

        if (p->complained)
                return;
        p->complained = true;
        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        log_warning(0, "A message of the slumberd at %s is dropped, and more of it without a word: %s",
                        conn_peer_address(p->conn), text);
}

/* ---- liveness ---- */

static void peer_arm_timer(struct peer *p, usec_t after) {
        if (p->timer)
                timer_arm(p->timer, after);
}

/* A NodeMessage without a job is a question: every slumberd, also of an earlier build, returns
   the message (node_messages.c). */
static void peer_send_question(struct peer *p, bool answer) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;

        m.serial = 1;
        m.undelivered = answer;
        ENVELOPE(env, NODE_MESSAGE, node_message, &m);
        (void)conn_send(p->conn, &env);
}

/* true: env was a question or an answer. */
static bool peer_take_question(struct peer *p, const Envelope *env) {
        p->heard = true;
        if (env->body_case != SLUMBER__ENVELOPE__BODY_NODE_MESSAGE || env->node_message->job_id)
                return false;
        if (!env->node_message->undelivered) {
                peer_send_question(p, true);
        } else if (p->asked) {
                p->asked = false;
                timer_disarm(p->timer);
        }
        return true;
}

static void peer_check_alive(struct peer *p) {
        if (p->asked && !p->heard && p->written == conn_written(p->conn)) {
                log_warning(0, "The slumberd at %s does not answer: its connection is closed",
                                conn_peer_address(p->conn));
                peer_end(p, false);
                return;
        }
        if (!p->asked)
                peer_send_question(p, false);
        p->asked = true;
        p->heard = false;
        p->written = conn_written(p->conn);
        peer_arm_timer(p, SILENCE);
}

static int peer_on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct peer *p = user;

        (void)source, (void)t;
        if (p->ready) {
                peer_check_alive(p);
                return 0;
        }
        p->slow = true;
        p->all->ops->slow(p, p->all->user);
        return 0;
}

/* ---- receiving ---- */

static void peer_handle_message(struct conn *c, Envelope *env, void *user) {
        struct peer *p = user;

        (void)c;
        if (peer_take_question(p, env))
                return;
        p->used = now_monotonic();
        p->all->ops->message(p, env, p->all->user);
}

static void peer_handle_closed(struct conn *c, int r, const char *why, void *user) {
        struct peer *p = user;

        bool broken = r < 0 || (c && conn_queued(c) > 0);

        p->conn = NULL;
        timer_disarm(p->timer);
        if (p->ready) {
                peer_end(p, !broken && peer_is_quiet(p));
                return;
        }
        p->slow &= r != -ECONNREFUSED;
        if (p->pause == 0)
                log_warning(0, "The slumberd of another node cannot be reached: %s", why);
        p->pause = MIN(MAX(p->pause * 2, PAUSE_FIRST), PAUSE_LAST);
        p->again = now_monotonic() + p->pause;
        p->all->ops->lost(p, false, p->all->user);
}

static void peer_handle_ready(struct conn *c, void *user) {
        struct peer *p = user;

        (void)c;
        p->ready = true;
        p->slow = false;
        timer_disarm(p->timer);
        if (peer_has_queue(p))
                peer_arm_timer(p, ASK);
        p->all->ops->up(p, p->all->user);
}

static const struct conn_ops ops = {
        .message = peer_handle_message,
        .closed = peer_handle_closed,
        .ready = peer_handle_ready,
};

static void peer_set_conn(struct peer *p, struct conn *conn) {
        p->conn = conn;
        conn_set_ops(conn, &ops, p);
}

static void peers_on_accepted(struct conn_server *server, struct conn *conn, void *user) {
        struct peers *all = user;

        (void)server;
        if (all->n_in >= 2 * PEERS_MAX) { /* handshakes may have been under way */
                conn_close(conn);
                return;
        }
        struct peer *p = peer_new(all, NULL);
        p->ready = true;
        peer_set_conn(p, conn);
        if (peers_make_room(all, false))
                return;
        conn_server_pause(all->server, true);
        timer_arm(all->room, LOOK);
}

static int peers_on_room_timer(sd_event_source *source, uint64_t t, void *user) {
        struct peers *all = user;

        (void)t;
        if (peers_make_room(all, false))
                conn_server_pause(all->server, false);
        else
                timer_arm(source, LOOK);
        return 0;
}

static void peers_on_refused(struct conn_server *server, const char *peer, const char *why,
                void *user) {
        (void)server, (void)user;
        log_warning_folded("A connection from %s to the port for other slumberds was refused: %s",
                        peer, why);
}

/* ---- sending ---- */

static void peer_connect(struct peer *p) {
        _cleanup_free_ char *host = NULL;
        struct fail fail = { 0 };
        struct conn *conn = NULL;
        uint16_t port;
        int r = address_split(p->address, &host, &port);

        p->used = now_monotonic();
        if (r < 0)
                (void)fail_set(&fail, r, "%s is not an address", p->address);
        else
                r = conn_connect_tls(p->all->event, host, port, p->all->key, &ops, p, &conn, &fail);
        if (r < 0)
                peer_handle_closed(NULL, r, fail.text, p);
        else
                peer_set_conn(p, conn);
        if (r >= 0)
                peer_arm_timer(p, SLOW);
}

static struct peer *peer_find(struct peers *all, const char *address) {
        struct peer *p;

        TAILQ_FOREACH(p, &all->list, next)
                if (p->address && streq(p->address, address))
                        break;
        return p;
}

struct peer *peers_find(struct peers *all, const char *address) {
        struct peer *p = peer_find(all, address);

        return p && peer_is_up(p) ? p : NULL;
}

struct peer *peers_get(struct peers *all, const char *address) {
        if (isempty(address))
                return NULL;
        struct peer *p = peer_find(all, address);
        if (!p && !peers_make_room(all, true))
                return NULL;
        if (!p)
                p = peer_new(all, address);
        if (!p->conn && now_monotonic() >= p->again)
                peer_connect(p);
        return p->conn ? p : NULL;
}

bool peer_is_up(const struct peer *p) {
        return p->conn && p->ready;
}

bool peer_is_slow(const struct peer *p) {
        return p->conn && !p->ready && p->slow;
}

/* Returns whether the queue has room. */
static bool peer_has_room(const struct peer *p) {
        return p->conn && conn_queued(p->conn) < QUEUE_MAX;
}

size_t peer_queued(const struct peer *p) {
        return p->conn ? conn_queued(p->conn) : 0;
}

bool peer_send(struct peer *p, Envelope *env) {
        if (!peer_has_room(p) || conn_send(p->conn, env) < 0)
                return false;
        p->used = now_monotonic();
        if (p->ready && p->timer && !timer_is_armed(p->timer))
                peer_arm_timer(p, ASK);
        return true;
}

/* ---- unused connections ---- */

static int peers_on_idle_timer(sd_event_source *source, uint64_t t, void *user) {
        struct peers *all = user;
        usec_t now = now_monotonic();
        struct peer *next;

        (void)t;
        for (struct peer *p = TAILQ_FIRST(&all->list); p; p = next) {
                next = TAILQ_NEXT(p, next);
                /* Only the side that made the connection closes the connection. */
                if (p->address && now - p->used >= (p->slow ? SLOW_IDLE : IDLE) &&
                                !peer_has_queue(p) &&
                                !(all->ops->awaited && all->ops->awaited(p, all->user)))
                        peer_end(p, peer_is_quiet(p));
        }
        if (!TAILQ_EMPTY(&all->list))
                timer_arm(source, IDLE / 2);
        return 0;
}

/* ---- listening ---- */

int peers_listen(struct peers *all, const char *address, uint16_t port, struct fail *fail) {
        static const struct conn_server_ops server_ops = { .accepted = peers_on_accepted,
                .refused = peers_on_refused };
        uint8_t numeric[sizeof(struct in6_addr)];
        bool is_numeric = !isempty(address) &&
                          (inet_pton(AF_INET, address, numeric) == 1 ||
                                          inet_pton(AF_INET6, address, numeric) == 1);
        int r = conn_listen_tls(all->event, is_numeric ? address : NULL, port, all->key,
                        &server_ops, all, &all->server, fail);

        if (r == -EADDRNOTAVAIL && is_numeric)
                r = conn_listen_tls(all->event, NULL, port, all->key, &server_ops, all,
                                &all->server, fail);
        return r;
}

uint16_t peers_port(const struct peers *all) {
        return all && all->server ? conn_server_port(all->server) : 0;
}

int peers_new(sd_event *event, const struct cluster_key *key, const struct peers_ops *peers_ops,
                void *user, struct peers **ret, struct fail *fail) {
        struct peers *all = xnew0(struct peers, 1);

        *all = (struct peers){ .event = event, .key = key, .ops = peers_ops, .user = user };
        TAILQ_INIT(&all->list);
        int r = timer_new(event, USEC_PER_SEC, peers_on_idle_timer, all, &all->idle);
        if (r >= 0)
                r = timer_new(event, USEC_PER_MSEC, peers_on_room_timer, all, &all->room);
        if (r < 0) {
                sd_event_source_disable_unref(all->idle);
                free(all);
                return fail_set(fail, r, "cannot make a timer: %s", strerror(-r));
        }
        *ret = all;
        return 0;
}

struct peers *peers_free(struct peers *all) {
        if (!all)
                return NULL;
        conn_server_free(all->server);
        struct peer *p;
        while ((p = TAILQ_FIRST(&all->list))) {
                peer_unlist(p);
                peer_free(p);
        }
        sd_event_source_disable_unref(all->idle);
        sd_event_source_disable_unref(all->room);
        free(all);
        return NULL;
}
