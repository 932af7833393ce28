/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/conn_world.h - real sockets and real TLS on loopback, both ends on one event loop.
 * "world" counts what the callbacks see; every wait is for one of its counts and ends by the loop's
 * own events. */
#pragma once

#include "tests/unit/test.h"

#include "lib/conn/conn.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

struct world {
        sd_event *event;
        char dir[64], socket[96];
        struct cluster_key *key, *other_key;
        struct conn_server *server;
        struct conn *client, *peer; /* the two ends; peer was accepted */
        unsigned accepted, refused, ready, closed, messages, taken;
        uint64_t last_id;
        int close_r;
        bool unread;
        char why[256], refused_why[256], refused_peer[64];
        bool echo, both_echo, close_inside, free_server_inside;
        usec_t busy; /* how long each message takes */
        size_t bytes;
        size_t queued; /* the most that waited when a callback had sent an echo */
};

static inline void write_key(const char *path, const char *bytes, mode_t mode) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, bytes, strlen(bytes)), strlen(bytes));
        assert_int_equal(fchmod(fd, mode), 0);
}

static inline struct cluster_key *new_key(struct world *w, const char *bytes) {
        _cleanup_free_ char *path = xasprintf("%s/key", w->dir);
        struct cluster_key *key = NULL;
        struct fail fail = { 0 };

        write_key(path, bytes, 0600);
        assert_int_equal(cluster_key_read(path, &key, &fail), 0);
        unlink(path);
        return key;
}

static inline int set_up(void **state) {
        struct world *w = xnew0(struct world, 1);

        assert_int_equal(sd_event_new(&w->event), 0);
        snprintf(w->dir, sizeof w->dir, "/tmp/test-conn-XXXXXX");
        assert_non_null(mkdtemp(w->dir));
        snprintf(w->socket, sizeof w->socket, "%s/socket", w->dir);
        w->key = new_key(w, "0123456789abcdef0123456789abcdef");
        w->other_key = new_key(w, "0123456789abcdef0123456789abcdeF");
        *state = w;
        return 0;
}

static inline int tear_down(void **state) {
        struct world *w = *state;

        conn_close(w->client);
        conn_close(w->peer);
        conn_server_free(w->server);
        cluster_key_free(w->key);
        cluster_key_free(w->other_key);
        sd_event_unref(w->event);
        unlink(w->socket);
        assert_int_equal(rmdir(w->dir), 0);
        free(w);
        return 0;
}

/* Runs the loop until *count is at least n; a silence of 20 s is a failure of the test. */
static inline void run_until(struct world *w, const unsigned *count, unsigned n) {
        while (*count < n)
                if (sd_event_run(w->event, 20 * USEC_PER_SEC) <= 0)
                        fail_msg("waited in vain: %u messages, %u accepted, closed \"%s\", refused "
                                 "\"%s\"",
                                        w->messages, w->accepted, w->why, w->refused_why);
}

static inline void on_message(struct conn *c, Envelope *env, void *user) {
        struct world *w = user;

        usec_t until = now_monotonic() + w->busy;

        w->messages++;
        w->last_id = env->id;
        while (w->busy && now_monotonic() < until)
                ;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO)
                w->bytes += env->step_io->data.len;
        if (w->close_inside) {
                if (c == w->peer)
                        w->peer = NULL;
                else
                        w->client = NULL;
                conn_close(c);
        } else if (w->both_echo || (w->echo && c == w->peer)) {
                env->reply_to = env->id;
                assert_int_equal(conn_send(c, env), 0);
                w->queued = MAX(w->queued, conn_queued(c));
        }
}

static inline void on_closed(struct conn *c, int r, const char *why, void *user) {
        struct world *w = user;

        w->closed++;
        w->close_r = r;
        w->unread = conn_unread(c);
        snprintf(w->why, sizeof w->why, "%s", why);
        if (c == w->client)
                w->client = NULL;
        if (c == w->peer)
                w->peer = NULL;
        conn_close(c); /* does nothing here */
}

static inline void on_connected(struct conn *c, void *user) {
        struct world *w = user;

        w->ready++;
}

static inline void on_taken(struct conn *c, void *user) {
        struct world *w = user;

        w->taken++;
}

static const struct conn_ops ops = { .message = on_message,
        .closed = on_closed,
        .ready = on_connected,
        .taken = on_taken };

static inline void on_accepted(struct conn_server *s, struct conn *c, void *user) {
        struct world *w = user;

        w->accepted++;
        w->peer = c;
        conn_set_ops(c, &ops, w);
        if (w->free_server_inside)
                w->server = conn_server_free(s);
}

static inline void on_refused(struct conn_server *s, const char *peer, const char *why,
                void *user) {
        struct world *w = user;

        w->refused++;
        snprintf(w->refused_why, sizeof w->refused_why, "%s", why);
        snprintf(w->refused_peer, sizeof w->refused_peer, "%s", peer);
}

static const struct conn_server_ops server_ops = { .accepted = on_accepted, .refused = on_refused };

static inline void listen_tls(struct world *w) {
        struct fail fail = { 0 };

        assert_int_equal(conn_listen_tls(w->event, "127.0.0.1", 0, w->key, &server_ops, w,
                                         &w->server, &fail),
                        0);
        assert_true(conn_server_port(w->server) > 0);
}

static inline void connect_tls(struct world *w, const struct cluster_key *key) {
        struct fail fail = { 0 };

        assert_int_equal(conn_connect_tls(w->event, "127.0.0.1", conn_server_port(w->server), key,
                                         &ops, w, &w->client, &fail),
                        0);
}

static inline void both_tls(struct world *w) {
        listen_tls(w);
        connect_tls(w, w->key);
        run_until(w, &w->ready, 1);
        run_until(w, &w->accepted, 1);
}

/* A server, and a socket that is connected to it but not taken yet. */
static inline int listen_unix(struct world *w) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        struct fail fail = { 0 };

        assert_int_equal(conn_listen_unix(w->event, w->socket, 0666, &server_ops, w, &w->server,
                                         &fail),
                        0);
        assert_true(strlen(w->socket) < sizeof address.sun_path);
        strcpy(address.sun_path, w->socket);
        assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
        return fd;
}

static inline void both_unix(struct world *w) {
        assert_int_equal(conn_adopt(w->event, listen_unix(w), &ops, w, &w->client), 0);
        run_until(w, &w->accepted, 1);
}

static inline int send_id(struct conn *c, uint64_t id) {
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);

        env.id = id;
        return conn_send(c, &env);
}

static inline int send_bytes(struct conn *c, size_t size) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        ENVELOPE(env, STEP_IO, step_io, &io);

        io.data.len = size;
        io.data.data = xnew0(uint8_t, size);
        memset(io.data.data, 7, size);
        int r = conn_send(c, &env);
        free(io.data.data);
        return r;
}

/* A stranger on the server's port, which writes bytes by hand. */
static inline int stranger(struct world *w) {
        struct sockaddr_in a = { .sin_family = AF_INET,
                .sin_port = htons(conn_server_port(w->server)) };
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
        return fd;
}

/* One end is ours by hand, the other is w->client. */
static inline int by_hand(struct world *w) {
        int fd[2];

        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
        assert_int_equal(conn_adopt(w->event, fd[0], &ops, w, &w->client), 0);
        return fd[1];
}

static inline void exchange(struct world *w) {
        w->echo = true;
        for (uint64_t id = 1; id <= 1000; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->messages, 2000);
        assert_int_equal(w->last_id, 1000);
        assert_int_equal(w->closed, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
