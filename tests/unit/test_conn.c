/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections: what goes there and back, which peers are kept out, and by which keys. */
#include "tests/unit/conn_world.h"

#include <dirent.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* ---- round trips ---- */

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

/* ---- listening, keys ---- */

static unsigned umasks;

/* In the place of libc's: it is the whole process's, and its other threads make files. */
mode_t umask(mode_t mask) {
        umasks++;
        return (mode_t)syscall(SYS_umask, mask);
}

static unsigned files_in(const char *folder) {
        DIR *dir = opendir(folder);
        unsigned n = 0;

        assert_non_null(dir);
        for (const struct dirent *d; (d = readdir(dir));)
                n += d->d_name[0] != '.';
        closedir(dir);
        return n;
}

static void a_dead_socket_is_never_missing(void **state) {
        struct world *w = *state;
        struct sockaddr_un a = { .sun_family = AF_UNIX };
        struct fail fail = { 0 };
        struct stat st;
        _Alignas(struct inotify_event) char events[4096];
        int dead = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        _cleanup_close_ int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
        mode_t before = (mode_t)syscall(SYS_umask, 077);

        strcpy(a.sun_path, w->socket);
        assert_int_equal(bind(dead, (struct sockaddr *)&a, sizeof a), 0);
        close(dead);
        assert_true(inotify_add_watch(watch, w->dir, IN_CREATE | IN_DELETE | IN_MOVE) >= 0);
        unsigned files = files_in(w->dir);

        umasks = 0;
        assert_int_equal(conn_listen_unix(w->event, w->socket, 0666, &server_ops, w, &w->server,
                                         &fail),
                        0);
        assert_int_equal(umasks, 0);
        assert_int_equal(syscall(SYS_umask, before), 077);
        assert_int_equal(lstat(w->socket, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0666);
        assert_int_equal(files_in(w->dir), files); /* what it was named first is gone */

        ssize_t size = read(watch, events, sizeof events);
        assert_true(size > 0);
        for (const char *p = events; p < events + size;) {
                const struct inotify_event *e = (const struct inotify_event *)(const void *)p;
                if (streq(e->name, "socket"))
                        assert_int_equal(e->mask, IN_MOVED_TO);
                p += sizeof *e + e->len;
        }
        w->server = conn_server_free(w->server);
        assert_int_equal(files_in(w->dir), files - 1);
}

static void leave_beside(struct world *w, const char *suffix, bool listens, bool old, int *ret) {
        struct sockaddr_un a = { .sun_family = AF_UNIX };
        const struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };

        snprintf(a.sun_path, sizeof a.sun_path, "%s.%s", w->socket, suffix);
        *ret = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_int_equal(bind(*ret, (struct sockaddr *)&a, sizeof a), 0);
        if (listens)
                assert_int_equal(listen(*ret, 5), 0);
        if (old)
                assert_int_equal(utimensat(AT_FDCWD, a.sun_path, times, 0), 0);
}

/* Of a daemon that was killed before its socket had its name; others are of a daemon that begins
   now, or of one that lives. */
static void what_was_left_beside_goes(void **state) {
        struct world *w = *state;
        struct fail fail = { 0 };
        _cleanup_free_ char *own = xasprintf("%u", (unsigned)getpid() % 10000000u);
        const struct {
                const char *suffix;
                bool listens, old, stays;
        } rows[] = {
                { own, false, false, true }, /* of another container */
                { "17", false, true, false },
                { "0a1b2c3", false, true, false },
                { "0a1b2c4", true, true, true },
                { "0a1b2c34", false, true, true }, /* no such name */
                { "x", false, true, true },
        };
        int fds[ELEMENTSOF(rows)];

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                leave_beside(w, rows[i].suffix, rows[i].listens, rows[i].old, &fds[i]);
        assert_int_equal(conn_listen_unix(w->event, w->socket, 0600, &server_ops, w, &w->server,
                                         &fail),
                        0);
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *path = xasprintf("%s.%s", w->socket, rows[i].suffix);
                if ((access(path, F_OK) == 0) != rows[i].stays)
                        fail_msg("%s", path);
                close(fds[i]);
                (void)unlink(path);
        }
        w->server = conn_server_free(w->server);
}

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

        /* one that is too long for the name that it has first */
        char path[101] = "/tmp/";
        memset(path + 5, 'x', sizeof path - 6);
        assert_int_equal(conn_listen_unix(w->event, path, 0600, &server_ops, w, &w->server, &fail),
                        -ENAMETOOLONG);
        assert_non_null(strstr(fail.text, "longer than 99 bytes"));
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
                CASE(a_dead_socket_is_never_missing),
                CASE(what_was_left_beside_goes),
                CASE(only_a_dead_socket_is_taken_over),
                CASE(a_port_in_use_is_named),
                CASE(a_key_file_that_is_not_safe_is_refused),
                CASE(another_clusters_controller_is_told_apart),
                CASE(another_clusters_key_lets_in_nobody_else),
                CASE(a_handshake_by_an_older_key_ends),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
