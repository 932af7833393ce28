/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real sockets and real TLS on loopback, both ends on one event loop.  "world" counts what the
   callbacks see; every wait is for one of its counts and ends by the loop's own events. */
#include "tests/unit/test.h"

#include "lib/conn/conn.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
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
};

/* ---- the world ---- */

static void write_key(const char *path, const char *bytes, mode_t mode) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, bytes, strlen(bytes)), strlen(bytes));
        assert_int_equal(fchmod(fd, mode), 0);
}

static struct cluster_key *new_key(struct world *w, const char *bytes) {
        _cleanup_free_ char *path = xasprintf("%s/key", w->dir);
        struct cluster_key *key = NULL;
        struct fail fail = { 0 };

        write_key(path, bytes, 0600);
        assert_int_equal(cluster_key_read(path, &key, &fail), 0);
        unlink(path);
        return key;
}

static int set_up(void **state) {
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

static int tear_down(void **state) {
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
static void run_until(struct world *w, const unsigned *count, unsigned n) {
        while (*count < n)
                if (sd_event_run(w->event, 20 * USEC_PER_SEC) <= 0)
                        fail_msg("waited in vain: %u messages, %u accepted, closed \"%s\", refused "
                                 "\"%s\"",
                                        w->messages, w->accepted, w->why, w->refused_why);
}

static void on_message(struct conn *c, Envelope *env, void *user) {
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
        }
}

static void on_closed(struct conn *c, int r, const char *why, void *user) {
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

static void on_connected(struct conn *c, void *user) {
        struct world *w = user;

        w->ready++;
}

static void on_taken(struct conn *c, void *user) {
        struct world *w = user;

        w->taken++;
}

static const struct conn_ops ops = { .message = on_message,
        .closed = on_closed,
        .ready = on_connected,
        .taken = on_taken };

static void on_accepted(struct conn_server *s, struct conn *c, void *user) {
        struct world *w = user;

        w->accepted++;
        w->peer = c;
        conn_set_ops(c, &ops, w);
        if (w->free_server_inside)
                w->server = conn_server_free(s);
}

static void on_refused(struct conn_server *s, const char *peer, const char *why, void *user) {
        struct world *w = user;

        w->refused++;
        snprintf(w->refused_why, sizeof w->refused_why, "%s", why);
        snprintf(w->refused_peer, sizeof w->refused_peer, "%s", peer);
}

static const struct conn_server_ops server_ops = { .accepted = on_accepted, .refused = on_refused };

static void listen_tls(struct world *w) {
        struct fail fail = { 0 };

        assert_int_equal(conn_listen_tls(w->event, "127.0.0.1", 0, w->key, &server_ops, w,
                                         &w->server, &fail),
                        0);
        assert_true(conn_server_port(w->server) > 0);
}

static void connect_tls(struct world *w, const struct cluster_key *key) {
        struct fail fail = { 0 };

        assert_int_equal(conn_connect_tls(w->event, "127.0.0.1", conn_server_port(w->server), key,
                                         &ops, w, &w->client, &fail),
                        0);
}

static void both_tls(struct world *w) {
        listen_tls(w);
        connect_tls(w, w->key);
        run_until(w, &w->ready, 1);
        run_until(w, &w->accepted, 1);
}

/* A server, and a socket that is connected to it but not taken yet. */
static int listen_unix(struct world *w) {
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

static void both_unix(struct world *w) {
        assert_int_equal(conn_adopt(w->event, listen_unix(w), &ops, w, &w->client), 0);
        run_until(w, &w->accepted, 1);
}

static int send_id(struct conn *c, uint64_t id) {
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);

        env.id = id;
        return conn_send(c, &env);
}

static int send_bytes(struct conn *c, size_t size) {
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
static int stranger(struct world *w) {
        struct sockaddr_in a = { .sin_family = AF_INET,
                .sin_port = htons(conn_server_port(w->server)) };
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
        return fd;
}

/* One end is ours by hand, the other is w->client. */
static int by_hand(struct world *w) {
        int fd[2];

        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
        assert_int_equal(conn_adopt(w->event, fd[0], &ops, w, &w->client), 0);
        return fd[1];
}

/* ---- round trips ---- */

static void exchange(struct world *w) {
        w->echo = true;
        for (uint64_t id = 1; id <= 1000; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->messages, 2000);
        assert_int_equal(w->last_id, 1000);
        assert_int_equal(w->closed, 0);
}

static void exchange_ten_megabytes(struct world *w) {
        w->echo = true;
        assert_int_equal(send_bytes(w->client, 10 << 20), 0);
        run_until(w, &w->messages, 2);
        assert_int_equal(w->bytes, 2 * (10 << 20));
        assert_int_equal(conn_queued(w->client), 0);
        assert_int_equal(conn_queued(w->peer), 0);
}

static void unix_messages_go_there_and_back(void **state) {
        both_unix(*state);
        exchange(*state);
}

static void tls_messages_go_there_and_back(void **state) {
        struct world *w = *state;

        both_tls(w);
        exchange(w);
        assert_string_equal(conn_peer_address(w->peer), "127.0.0.1");
        assert_string_equal(conn_peer_address(w->client), "127.0.0.1");
        assert_true(now_monotonic() - conn_last_received(w->client) < 20 * USEC_PER_SEC);
}

static void unix_takes_ten_megabytes(void **state) {
        both_unix(*state);
        exchange_ten_megabytes(*state);
}

static void tls_takes_ten_megabytes(void **state) {
        both_tls(*state);
        exchange_ten_megabytes(*state);
}

static void messages_sent_before_the_handshake_arrive(void **state) {
        struct world *w = *state;

        listen_tls(w);
        connect_tls(w, w->key);
        assert_int_equal(send_id(w->client, 5), 0);
        run_until(w, &w->messages, 1);
        assert_int_equal(w->last_id, 5);
}

static void any_address_serves_ipv4(void **state) {
        struct world *w = *state;
        struct fail fail = { 0 };

        assert_int_equal(
                        conn_listen_tls(w->event, "", 0, w->key, &server_ops, w, &w->server, &fail),
                        0);
        connect_tls(w, w->key);
        run_until(w, &w->accepted, 1);
        assert_string_equal(conn_peer_address(w->peer), "127.0.0.1");
}

static void credentials_are_the_kernels(void **state) {
        struct world *w = *state;
        uid_t uid = 1;
        gid_t gid = 1;
        pid_t pid = 0;
        struct stat st;

        both_unix(w);
        assert_int_equal(conn_peer_credentials(w->peer, &uid, &gid, &pid), 0);
        assert_int_equal(uid, geteuid());
        assert_int_equal(gid, getegid());
        assert_int_equal(pid, getpid());
        assert_string_equal(conn_peer_address(w->peer), "");
        assert_int_equal(stat(w->socket, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0666);
}

static void tls_has_no_credentials(void **state) {
        struct world *w = *state;
        uid_t uid;

        both_tls(w);
        assert_int_equal(conn_peer_credentials(w->peer, &uid, NULL, NULL), -ENOTSUP);
}

/* ---- peers that are kept out ---- */

static void a_wrong_key_is_refused_on_both_sides(void **state) {
        struct world *w = *state;

        listen_tls(w);
        connect_tls(w, w->other_key);
        run_until(w, &w->closed, 1);
        run_until(w, &w->refused, 1);
        assert_int_equal(w->accepted, 0);
        assert_int_equal(w->ready, 0);
        assert_string_equal(w->refused_why, "TLS handshake failed: it has another cluster key");
        assert_string_equal(w->refused_peer, "127.0.0.1");
        assert_int_equal(w->close_r, -EPROTO);
        assert_non_null(strstr(w->why, "TLS handshake failed: it refuses our cluster key"));
}

static void what_is_not_tls_is_refused(void **state) {
        static const char *const texts[] = { "GET /index.html HTTP/1.1\r\n\r\n",
                "\0\0\0\4abcd and more bytes than a header" };
        struct world *w = *state;

        listen_tls(w);
        for (unsigned i = 0; i < ELEMENTSOF(texts); i++) {
                _cleanup_close_ int fd = stranger(w);

                assert_int_equal(write(fd, texts[i], 20), 20);
                run_until(w, &w->refused, i + 1);
                assert_non_null(strstr(w->refused_why, "it does not speak TLS"));
        }
        assert_int_equal(w->accepted, 0);
}

static void a_truncated_handshake_is_refused(void **state) {
        struct world *w = *state;
        _cleanup_close_ int fd = -1;

        listen_tls(w);
        fd = stranger(w);
        assert_int_equal(write(fd, "\x16\x03\x01\x02\x00\x01", 6), 6);
        close(TAKE_FD(fd));
        run_until(w, &w->refused, 1);
        assert_string_equal(w->refused_why, "TLS handshake failed: it was cut off");
}

static void a_silent_stranger_is_refused_in_time(void **state) {
        struct world *w = *state;
        _cleanup_close_ int fd = -1;

        listen_tls(w);
        conn_server_set_deadline(w->server, 30 * USEC_PER_MSEC);
        fd = stranger(w);
        run_until(w, &w->refused, 1);
        assert_string_equal(w->refused_why, "no TLS handshake in time");
        char byte;
        assert_int_equal(read(fd, &byte, 1), 0);
}

/* A listening socket that is not accepted from: TCP connects, TLS does not. */
static void a_silent_server_is_given_up(void **state) {
        struct world *w = *state;
        struct sockaddr_in a = { .sin_family = AF_INET };
        socklen_t size = sizeof a;
        _cleanup_close_ int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
        assert_int_equal(listen(fd, 1), 0);
        assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &size), 0);
        assert_int_equal(conn_connect_tls(w->event, "127.0.0.1", ntohs(a.sin_port), w->key, &ops, w,
                                         &w->client, NULL),
                        0);
        assert_int_equal(conn_set_deadline(w->client, 30 * USEC_PER_MSEC), 0);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->close_r, -ETIMEDOUT);
        assert_non_null(strstr(w->why, "no TLS handshake in time"));

        /* and no peer at all */
        close(TAKE_FD(fd));
        assert_int_equal(conn_connect_tls(w->event, "127.0.0.1", ntohs(a.sin_port), w->key, &ops, w,
                                         &w->client, NULL),
                        0);
        run_until(w, &w->closed, 2);
        assert_int_equal(w->close_r, -ECONNREFUSED);
        assert_non_null(strstr(w->why, "cannot connect to 127.0.0.1:"));
        assert_int_equal(w->ready, 0);
}

/* ---- bad bytes ---- */

static void malformed_frames_close_with_a_reason(void **state) {
        static const struct {
                const char *bytes;
                size_t size;
                int r;
                const char *why;
        } cases[] = {
                { "\0\0\0\0", 4, -EBADMSG, "the peer sent a frame of length 0" },
                { "\xff\xff\xff\xff", 4, -EMSGSIZE,
                                "the peer sent a frame beyond the limit of 67108864 bytes" },
                { "\0\0\0\4\xff\xff\xff\xff", 8, -EBADMSG, "the peer sent a malformed message" },
                { "\0\0\0\4\x08\2\x5a\0", 8, -EPROTONOSUPPORT,
                                "the peer sent a message of another protocol version" },
                { "\0\0\0\4\x08\1\x5a", 7, -ECONNRESET,
                                "closed by the peer in the middle of a message" },
                { "\0\0", 2, -ECONNRESET, "closed by the peer in the middle of a message" },
                { "", 0, 0, "closed by the peer" },
        };
        struct world *w = *state;

        for (unsigned i = 0; i < ELEMENTSOF(cases); i++) {
                int fd = by_hand(w);

                /* A good message before: it must arrive first. */
                assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
                assert_int_equal(write(fd, cases[i].bytes, cases[i].size), cases[i].size);
                shutdown(fd, SHUT_WR);
                run_until(w, &w->closed, i + 1);
                assert_int_equal(w->messages, i + 1);
                assert_int_equal(w->close_r, cases[i].r);
                assert_string_equal(w->why, cases[i].why);
                close(fd);
        }
}

static void a_smaller_frame_limit_holds(void **state) {
        struct world *w = *state;

        both_unix(w);
        conn_set_frame_limit(w->peer, 1000);
        assert_int_equal(send_bytes(w->client, 900), 0);
        run_until(w, &w->messages, 1);
        assert_int_equal(send_bytes(w->client, 1000), 0);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->close_r, -EMSGSIZE);
}

static void a_killed_tls_peer_is_noticed(void **state) {
        struct world *w = *state;

        both_tls(w);
        conn_close(TAKE(w->client));
        run_until(w, &w->closed, 1);
        assert_int_equal(w->close_r, 0);
        assert_string_equal(w->why, "closed by the peer");
}

/* ---- closing inside, limits, fairness ---- */

static void a_connection_may_close_itself_in_its_callback(void **state) {
        struct world *w = *state;

        both_tls(w);
        w->close_inside = true;
        for (uint64_t id = 1; id <= 10; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->closed,
                        1); /* the client's end: the peer closed itself at the first message */
        assert_int_equal(w->messages, 1);
        assert_null(w->peer);
        assert_null(w->client);
}

static void a_server_may_be_freed_in_its_callback(void **state) {
        struct world *w = *state;

        w->free_server_inside = true;
        both_tls(w);
        w->free_server_inside = false;
        assert_null(w->server);
        exchange(w);
}

static void a_server_frees_its_unfinished_handshakes(void **state) {
        struct world *w = *state;
        _cleanup_close_ int fd = -1;

        listen_tls(w);
        fd = stranger(w);
        connect_tls(w, w->key);
        run_until(w, &w->ready, 1); /* by now the stranger was accepted too */
        w->server = conn_server_free(w->server);
        char byte;
        assert_int_equal(read(fd, &byte, 1), 0);
        assert_int_equal(w->refused, 0);
}

static void a_full_queue_closes_the_connection(void **state) {
        struct world *w = *state;
        int fd = by_hand(w), r = 0; /* without a reader */

        conn_set_queue_limit(w->client, 4 << 20);
        while (r == 0) {
                assert_true(conn_queued(w->client) <= 4 << 20);
                r = send_bytes(w->client, 1 << 20);
        }
        assert_int_equal(r, -ENOBUFS);
        assert_int_equal(w->closed, 0); /* from the loop only */
        assert_int_equal(send_id(w->client, 1), -ENOBUFS);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->close_r, -ENOBUFS);
        assert_non_null(strstr(w->why, "does not take its messages"));
        close(fd);
}

static void peer_that_does_not_read_is_paused(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);

        assert_int_equal(wire_pack(&env, &frame, &size), 0);
        conn_set_slow_limit(w->client, 1 << 20);
        assert_int_equal(send_bytes(w->client, 2 << 20), 0);
        assert_int_equal(write(fd, frame, size), (ssize_t)size);
        for (int i = 0; i < 20; i++)
                assert_true(sd_event_run(w->event, USEC_PER_MSEC) >= 0);
        assert_int_equal(w->messages, 0);
        while (w->messages == 0) { /* it reads: it is heard */
                char buf[65536];
                (void)!recv(fd, buf, sizeof buf, MSG_DONTWAIT);
                assert_true(sd_event_run(w->event, USEC_PER_MSEC) >= 0);
        }
        assert_true(conn_queued(w->client) <= 1 << 20);
        close(fd);
}

static void sender_hears_when_much_is_taken(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        conn_set_mark(w->client, 2 << 20);
        assert_int_equal(send_bytes(w->client, 1 << 20), 0);
        assert_false(conn_above_mark(w->client));
        assert_int_equal(send_bytes(w->client, 2 << 20), 0);
        assert_true(conn_above_mark(w->client));
        assert_int_equal(w->taken, 0);
        while (conn_queued(w->client) > 0) {
                char buf[65536];
                (void)!recv(fd, buf, sizeof buf, MSG_DONTWAIT);
                assert_true(sd_event_run(w->event, USEC_PER_MSEC) >= 0);
                assert_int_equal(w->taken, conn_queued(w->client) <= 1 << 20);
        }
        assert_int_equal(w->taken, 1);
        assert_false(conn_above_mark(w->client));
        close(fd);
}

static void what_a_peer_wrote_before_it_left_is_read(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        close(fd);
        assert_int_equal(send_id(w->client, 1), 0); /* EPIPE inside: not yet the end */
        assert_int_equal(send_id(w->client, 1), -ENOTCONN);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->messages, 1);
}

static void a_peer_that_is_gone_has_hung_up(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        assert_false(conn_hung_up(w->client));
        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        assert_false(conn_hung_up(w->client));
        close(fd);
        assert_true(conn_hung_up(w->client));
        run_until(w, &w->closed, 1);
        assert_int_equal(w->messages, 1);
        assert_false(w->unread);
}

/* One that is sent when it is gone is not read, either. */
static void what_a_peer_has_not_read_is_known(void **state) {
        struct world *w = *state;
        uint8_t frame[64];

        for (unsigned round = 1; round <= 4; round++) {
                int fd = by_hand(w);
                bool all = round == 1, some = round == 2, late = round == 4;

                if (late)
                        close(fd);
                assert_int_equal(send_id(w->client, 1), 0);
                ssize_t n = late ? 0 : recv(fd, frame, sizeof frame, MSG_PEEK);
                if (all || some)
                        assert_int_equal(read(fd, frame, (size_t)(all ? n : n - 1)),
                                        all ? n : n - 1);
                if (!late)
                        close(fd);
                run_until(w, &w->closed, round);
                assert_int_equal(w->unread, !all);
        }
}

static int on_time(sd_event_source *s, uint64_t usec, void *user) {
        (*(unsigned *)user)++;
        return 0;
}

static void a_paused_connection_delivers_nothing(void **state) {
        struct world *w = *state;
        unsigned times = 0;

        both_tls(w);
        conn_pause(w->peer, true);
        for (uint64_t id = 1; id <= 100; id++)
                assert_int_equal(send_id(w->client, id), 0);
        assert_int_equal(sd_event_add_time_relative(w->event, NULL, CLOCK_MONOTONIC,
                                         20 * USEC_PER_MSEC, 1, on_time, &times),
                        0);
        run_until(w, &times, 1);
        assert_int_equal(w->messages, 0);
        conn_pause(w->peer, false);
        run_until(w, &w->messages, 100);
}

/* The loop must sleep while a paused peer has hung up, or it burns a processor. */
static void a_paused_peer_that_hung_up_costs_nothing(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        conn_pause(w->client, true);
        close(fd);
        assert_int_equal(sd_event_run(w->event, 20 * USEC_PER_MSEC), 0);
        conn_pause(w->client, false);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->messages, 1);
}

/* 10,000 messages are buffered from one peer; another's only message is not behind all of them. */
static void a_busy_peer_does_not_starve_another(void **state) {
        struct world *w = *state, *other = xnew0(struct world, 1);
        int fd = -1, pair[2];

        both_unix(w);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
        fd = pair[1];
        assert_int_equal(conn_adopt(w->event, pair[0], &ops, other, &other->client), 0);
        for (uint64_t id = 1; id <= 10000; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->messages, 1);
        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        run_until(w, &other->messages, 1);
        assert_true(w->messages < 1000);
        run_until(w, &w->messages, 10000);
        conn_close(other->client);
        close(fd);
        free(other);
}

#define SINKS 20

/* The same megabytes for many are packed once, and others are served between their slices. */
static void a_shared_tail_goes_in_slices(void **state) {
        struct world *w = *state, *sinks = xnew0(struct world, 1);
        Slumber__StepIo own = SLUMBER__STEP_IO__INIT, common = SLUMBER__STEP_IO__INIT;
        struct conn *from[SINKS], *to[SINKS];
        ENVELOPE(env, STEP_IO, step_io, &own);

        both_unix(w);
        w->echo = true;
        common.data.len = 4 << 20;
        common.data.data = xnew0(uint8_t, common.data.len);
        struct wire_tail *tail = wire_tail_new(&common.base);
        for (uint32_t i = 0; i < SINKS; i++) {
                _cleanup_free_ uint8_t *begin = NULL;
                size_t size;
                int pair[2];
                assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
                assert_int_equal(conn_adopt(w->event, pair[0], &ops, sinks, &from[i]), 0);
                assert_int_equal(conn_adopt(w->event, pair[1], &ops, sinks, &to[i]), 0);
                own.job_id = i + 1;
                assert_int_equal(wire_pack_before(&env, tail, &begin, &size), 0);
                assert_true(size < 100);
                assert_int_equal(conn_send_with_tail(from[i], begin, size, tail), 0);
        }
        assert_int_equal(wire_tail_refs(tail), SINKS + 1);
        assert_int_equal(send_id(w->client, 1), 0);
        run_until(w, &w->messages, 2);
        assert_true(sinks->messages < SINKS / 2);
        run_until(w, &sinks->messages, SINKS);
        assert_int_equal(sinks->bytes, (size_t)SINKS * (4 << 20));
        assert_int_equal(wire_tail_refs(tail), 1);
        for (size_t i = 0; i < SINKS; i++) {
                conn_close(from[i]);
                conn_close(to[i]);
        }
        wire_tail_unref(tail);
        free(common.data.data);
        free(sinks);
}

/* Twenty peers and one with twenty messages, each of which takes long: the rest of the program gets
   its turn in between. */
static int count_timer(sd_event_source *s, uint64_t t, void *user) {
        unsigned *fired = user;

        (*fired)++;
        return 0;
}

/* Two that answer each answer: the loop has time for all else. */
static void endless_messages_leave_turns_to_timers(void **state) {
        struct world *w = *state;
        sd_event_source *timer = NULL;
        unsigned fired = 0;

        both_unix(w);
        w->both_echo = true;
        w->busy = USEC_PER_MSEC;
        for (uint64_t id = 1; id <= 50; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->messages, 100);
        assert_int_equal(sd_event_add_time(w->event, &timer, CLOCK_MONOTONIC, now_monotonic(), 0,
                                         count_timer, &fired),
                        0);
        for (unsigned turns = 0; turns < 50 && fired == 0; turns++)
                assert_true(sd_event_run(w->event, 20 * USEC_PER_SEC) > 0);
        assert_int_equal(fired, 1);
        w->both_echo = false;
        sd_event_source_disable_unref(timer);
}

static void a_turn_ends_when_messages_take_long(void **state) {
        struct world *w = *state, *others = xnew0(struct world, 20);
        int fd[20];

        both_unix(w);
        w->busy = 3 * USEC_PER_MSEC;
        for (size_t i = 0; i < 20; i++) {
                int pair[2];

                assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
                fd[i] = pair[1];
                others[i].busy = w->busy;
                assert_int_equal(conn_adopt(w->event, pair[0], &ops, &others[i], &others[i].client),
                                0);
                assert_int_equal(write(fd[i], "\0\0\0\4\x08\1\x5a\0", 8), 8);
                assert_int_equal(send_id(w->client, i + 1), 0);
        }
        for (unsigned done = 0, before = 0; done < 40; before = done) {
                assert_true(sd_event_run(w->event, 20 * USEC_PER_SEC) > 0);
                done = w->messages;
                for (size_t i = 0; i < 20; i++)
                        done += others[i].messages;
                assert_true(done - before <= 1);
        }
        for (size_t i = 0; i < 20; i++) {
                conn_close(others[i].client);
                close(fd[i]);
        }
        free(others);
}

/* ---- listening, keys ---- */

static void only_a_dead_socket_is_taken_over(void **state) {
        struct world *w = *state;
        struct conn_server *second = NULL;
        struct sockaddr_un a = { .sun_family = AF_UNIX };
        struct fail fail = { 0 };
        int fd;

        /* someone listens */
        assert_int_equal(conn_listen_unix(w->event, w->socket, 0600, &server_ops, w, &w->server,
                                         &fail),
                        0);
        assert_int_equal(
                        conn_listen_unix(w->event, w->socket, 0600, &server_ops, w, &second, &fail),
                        -EADDRINUSE);
        assert_non_null(strstr(fail.text, w->socket));
        assert_null(second);
        w->server = conn_server_free(w->server);
        assert_int_equal(access(w->socket, F_OK), -1);

        /* left by a killed daemon */
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        strcpy(a.sun_path, w->socket);
        assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
        close(fd);
        assert_int_equal(conn_listen_unix(w->event, w->socket, 0600, &server_ops, w, &w->server,
                                         &fail),
                        0);
        w->server = conn_server_free(w->server);

        /* something else */
        write_key(w->socket, "precious", 0600);
        assert_int_equal(conn_listen_unix(w->event, w->socket, 0600, &server_ops, w, &w->server,
                                         &fail),
                        -EEXIST);
        assert_non_null(strstr(fail.text, "is not a socket"));
        assert_int_equal(access(w->socket, F_OK), 0);

        assert_int_equal(conn_listen_unix(w->event, "/nonexistent/socket", 0600, &server_ops, w,
                                         &w->server, &fail),
                        -ENOENT);
        assert_string_equal(fail.text,
                        "cannot listen at /nonexistent/socket: No such file or directory");
}

static void a_port_in_use_is_named(void **state) {
        struct world *w = *state;
        struct conn_server *second = NULL;
        struct fail fail = { 0 };
        char want[64];

        listen_tls(w);
        uint16_t port = conn_server_port(w->server);
        assert_int_equal(conn_listen_tls(w->event, "127.0.0.1", port, w->key, &server_ops, w,
                                         &second, &fail),
                        -EADDRINUSE);
        snprintf(want, sizeof want, "cannot listen at 127.0.0.1 port %u: Address already in use",
                        port);
        assert_string_equal(fail.text, want);
        assert_null(second);
}

static void a_key_file_that_is_not_safe_is_refused(void **state) {
        static const struct {
                const char *bytes;
                mode_t mode;
                int r;
                const char *say;
        } cases[] = {
                { "0123456789abcdef0123456789abcdef", 0640, -EPERM, "has mode 0640" },
                { "0123456789abcdef0123456789abcdef", 0604, -EPERM, "has mode 0604" },
                { "0123456789abcdef0123456789abcde", 0600, -EINVAL,
                                "has 31 bytes; it must have 32 to 4096" },
                { "0123456789abcdef0123456789abcdef", 0400, 0, "" },
        };
        struct world *w = *state;
        struct cluster_key *key = NULL;
        struct fail fail = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *path = xasprintf("%s/key", w->dir);

                write_key(path, cases[i].bytes, cases[i].mode);
                fail.text[0] = 0;
                assert_int_equal(cluster_key_read(path, &key, &fail), cases[i].r);
                assert_non_null(strstr(fail.text, cases[i].say));
                if (cases[i].r < 0)
                        assert_non_null(strstr(fail.text, path));
                key = cluster_key_free(key);
                unlink(path);
        }
        assert_int_equal(cluster_key_read(w->dir, &key, &fail), -EINVAL);
        assert_non_null(strstr(fail.text, "is not a regular file"));
        assert_int_equal(cluster_key_read("/nonexistent/key", &key, &fail), -ENOENT);
        assert_null(key);
}

/* ---- keys of two clusters ---- */

static struct cluster_key *shared_key(struct world *w, const char *bytes, const char *own) {
        _cleanup_free_ char *path = xasprintf("%s/shared", w->dir);
        struct cluster_key *key = NULL;
        struct fail fail = { 0 };

        write_key(path, bytes, 0600);
        assert_int_equal(cluster_key_read_shared(path, own, &key, &fail), 0);
        unlink(path);
        return key;
}

#define SHARED "a key of alpha and beta, 32 bytes"

static void another_clusters_controller_is_told_apart(void **state) {
        struct world *w = *state;
        struct cluster_key *here = shared_key(w, SHARED, "Beta"),
                           *there = shared_key(w, SHARED, "Alpha");

        listen_tls(w);
        conn_server_let_in(w->server, "alpha", here);
        assert_true(cluster_key_same(here, there));
        connect_tls(w, there);
        run_until(w, &w->accepted, 1);
        assert_string_equal(conn_cluster(w->peer), "alpha");
        conn_close(TAKE(w->peer));
        run_until(w, &w->closed, 1);
        connect_tls(w, w->key);
        run_until(w, &w->accepted, 2);
        assert_null(conn_cluster(w->peer));
        cluster_key_free(here);
        cluster_key_free(there);
}

/* Refuses a connection by key, which is freed. */
static void is_refused(struct world *w, struct cluster_key *key) {
        unsigned before = w->refused;

        connect_tls(w, key);
        run_until(w, &w->refused, before + 1);
        if (w->client)
                conn_close(TAKE(w->client));
        cluster_key_free(key);
}

static void another_clusters_key_lets_in_nobody_else(void **state) {
        struct world *w = *state;
        struct cluster_key *here = shared_key(w, SHARED, "beta");

        listen_tls(w);
        is_refused(w, shared_key(w, SHARED, "alpha")); /* it is not let in yet */
        conn_server_let_in(w->server, "alpha", here);
        is_refused(w, shared_key(w, SHARED, "gamma"));
        is_refused(w, shared_key(w, SHARED, "beta"));
        is_refused(w, shared_key(w, "another key of thirty-two bytes!", "alpha"));
        /* the cluster's own bytes are another key for this */
        is_refused(w, shared_key(w, "0123456789abcdef0123456789abcdef", "alpha"));
        conn_server_let_in(w->server, "alpha", NULL);
        is_refused(w, shared_key(w, SHARED, "alpha"));
        assert_int_equal(w->accepted, 0);
        cluster_key_free(here);
}

/* Is a connection that has begun by an older key let in, if that is taken back so many turns into
   its handshake?  true: it had come in before. */
static bool comes_in(struct world *w, unsigned turns) {
        struct cluster_key *older = shared_key(w, SHARED, "beta"),
                           *newer = shared_key(w, "a newer key of the two, 32 bytes", "beta"),
                           *theirs = shared_key(w, SHARED, "alpha");
        unsigned accepted = w->accepted;

        conn_server_let_in(w->server, "alpha", older);
        connect_tls(w, theirs);
        for (unsigned i = 0; i < turns && w->accepted == accepted; i++)
                assert_true(sd_event_run(w->event, 10 * USEC_PER_SEC) >= 0);
        bool in = w->accepted > accepted;
        conn_server_let_in(w->server, "alpha", newer);
        if (!in)
                run_until(w, &w->refused, turns + 1);
        if (w->client)
                conn_close(TAKE(w->client));
        cluster_key_free(older);
        cluster_key_free(newer);
        cluster_key_free(theirs);
        return in;
}

static void a_handshake_by_an_older_key_ends(void **state) {
        struct world *w = *state;
        unsigned turns = 0;

        listen_tls(w);
        while (!comes_in(w, turns++))
                assert_int_equal(w->accepted, 0);
        assert_int_equal(w->accepted, 1);
}

/* ---- nothing is left ---- */

/* No descriptor for its epoll set: an error, and all is well when there is one again. */
static void a_first_connection_without_a_descriptor_is_refused(void **state) {
        struct world *w = *state;
        struct rlimit was, none;
        sd_event *event = NULL;
        struct conn *c = NULL;
        int pair[2];

        assert_int_equal(sd_event_new(&event), 0);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
        assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
        none = (struct rlimit){ 0, was.rlim_max };
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
        int r = conn_adopt(event, pair[0], &ops, w, &c);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
        assert_int_equal(r, -EMFILE);
        assert_int_equal(conn_adopt(event, pair[0], &ops, w, &c), 0);
        conn_close(c);
        close(pair[1]);
        sd_event_unref(event);
}

/* No descriptor for a connection that waits: the server looks again in a while, not at each turn of
   the loop. */
static void a_server_without_descriptors_rests(void **state) {
        struct world *w = *state;
        _cleanup_close_ int fd = listen_unix(w);
        struct rlimit was, none;

        assert_true(fd >= 0);
        assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
        none = (struct rlimit){ 0, was.rlim_max };
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
        int turns = 0;
        while (turns < 100 && sd_event_run(w->event, 0) >= 0)
                turns++;
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
        assert_int_equal(turns, 100);
        assert_in_range(w->refused, 1, 50);
        run_until(w, &w->accepted, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
        static const struct CMUnitTest tests[] = {
                CASE(a_first_connection_without_a_descriptor_is_refused),
                CASE(a_server_without_descriptors_rests),
                CASE(unix_messages_go_there_and_back),
                CASE(tls_messages_go_there_and_back),
                CASE(unix_takes_ten_megabytes),
                CASE(tls_takes_ten_megabytes),
                CASE(messages_sent_before_the_handshake_arrive),
                CASE(any_address_serves_ipv4),
                CASE(credentials_are_the_kernels),
                CASE(tls_has_no_credentials),
                CASE(a_wrong_key_is_refused_on_both_sides),
                CASE(what_is_not_tls_is_refused),
                CASE(a_truncated_handshake_is_refused),
                CASE(a_silent_stranger_is_refused_in_time),
                CASE(a_silent_server_is_given_up),
                CASE(malformed_frames_close_with_a_reason),
                CASE(a_smaller_frame_limit_holds),
                CASE(a_killed_tls_peer_is_noticed),
                CASE(a_connection_may_close_itself_in_its_callback),
                CASE(a_server_may_be_freed_in_its_callback),
                CASE(a_server_frees_its_unfinished_handshakes),
                CASE(a_full_queue_closes_the_connection),
                CASE(peer_that_does_not_read_is_paused),
                CASE(sender_hears_when_much_is_taken),
                CASE(what_a_peer_wrote_before_it_left_is_read),
                CASE(a_peer_that_is_gone_has_hung_up),
                CASE(what_a_peer_has_not_read_is_known),
                CASE(a_paused_connection_delivers_nothing),
                CASE(a_paused_peer_that_hung_up_costs_nothing),
                CASE(a_busy_peer_does_not_starve_another),
                CASE(endless_messages_leave_turns_to_timers),
                CASE(a_shared_tail_goes_in_slices),
                CASE(a_turn_ends_when_messages_take_long),
                CASE(only_a_dead_socket_is_taken_over),
                CASE(a_port_in_use_is_named),
                CASE(a_key_file_that_is_not_safe_is_refused),
                CASE(another_clusters_controller_is_told_apart),
                CASE(another_clusters_key_lets_in_nobody_else),
                CASE(a_handshake_by_an_older_key_ends),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
