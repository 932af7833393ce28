/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listening sockets. A Unix connection is passed to the owner at once, a TLS connection after its
 * handshake. Until then the server owns it; number and time of handshakes are limited, so that
 * strangers without a key can neither exhaust memory nor keep the cluster's daemons out for
 * long. */
#include "lib/conn/conn_private.h"
#include "lib/timer.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/un.h>

#define ACCEPTS_PER_TURN 64
#define BACKLOG          4096 /* thousands of nodes boot at once */
/* Some 40 kB each. Beyond the maximum the oldest handshake, most likely of a silent stranger, is
   ended. */
#define HANDSHAKES_MAX 4096
/* Pause of accepting when no descriptor is free. */
#define RETRY (100 * USEC_PER_MSEC)

/* ---- accepting ---- */

static int conn_server_on_retry(sd_event_source *source, uint64_t usec, void *user) {
        struct conn_server *s = user;

        if (!s->paused && sd_event_source_set_enabled(s->io, SD_EVENT_ON) < 0)
                timer_arm(s->retry, RETRY);
        return 0;
}

void conn_server_pause(struct conn_server *s, bool pause) {
        s->paused = pause;
        if (sd_event_source_set_enabled(s->io, pause ? SD_EVENT_OFF : SD_EVENT_ON) < 0)
                timer_arm(s->retry, RETRY);
}

static void out_of_descriptors(struct conn_server *s, int r) {
        timer_arm(s->retry, RETRY);
        (void)sd_event_source_set_enabled(s->io, SD_EVENT_OFF);
        s->ops->refused(s, "", strerror(-r), s->user);
}

static void hand_over(struct conn_server *s, struct conn *c) {
        s->ops->accepted(s, c, s->user);
        if (c->state != CONN_ENDED && !c->ops)
                conn_close(c);
}

static void accept_unix(struct conn_server *s, int fd) {
        struct conn *c = conn_new(s->hub, fd, CONN_OPEN);
        socklen_t size = sizeof c->credentials;

        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c->credentials, &size) < 0)
                c->credentials = (struct ucred){ 0 };
        conn_watch(c);
        hand_over(s, c);
}

static void leave_handshakes(struct conn *c) {
        TAILQ_REMOVE(&c->server->handshakes, c, handshakes);
        c->server->n_handshakes--;
        c->server = NULL;
}

static void accept_tls(struct conn_server *s, int fd, const struct sockaddr *address,
                socklen_t size) {
        struct conn *c = conn_new(s->hub, fd, CONN_HANDSHAKE);

        if (s->n_handshakes >= HANDSHAKES_MAX)
                conn_end(TAILQ_FIRST(&s->handshakes), -EBUSY, "too many TLS handshakes at once");
        if (s->freed) { /* by refused() of the ended handshake */
                conn_close(c);
                return;
        }
        conn_tcp_options(fd);
        conn_peer_text(address, size, c->peer, sizeof c->peer);
        c->key = cluster_key_ref(s->key);
        c->server = s;
        TAILQ_INSERT_TAIL(&s->handshakes, c, handshakes);
        s->n_handshakes++;
        conn_tls_start(c, true);
        int r = conn_start_deadline(c, s->deadline);
        if (r < 0)
                conn_end(c, r, "cannot start a timer: %s", strerror(-r));
        conn_watch(c);
}

/* Accepts one connection; true if accept() may be called again at once. */
static bool accept_one(struct conn_server *s) {
        struct sockaddr_storage address;
        socklen_t size = sizeof address;
        int fd = accept4(s->fd, (struct sockaddr *)&address, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd >= 0) {
                if (s->key)
                        accept_tls(s, fd, (struct sockaddr *)&address, size);
                else
                        accept_unix(s, fd);
                return true;
        }
        int e = errno;
        if (e == EMFILE || e == ENFILE || e == ENOBUFS || e == ENOMEM)
                out_of_descriptors(s, -e);
        /* The other errors concern connections that ended before accept(). */
        return e == ECONNABORTED || e == EINTR || e == EPROTO;
}

static int on_accept(sd_event_source *source, int fd, uint32_t revents, void *user) {
        struct conn_server *s = user;
        struct conn_hub *hub = s->hub;

        conn_hub_enter(hub);
        for (unsigned i = 0; i < ACCEPTS_PER_TURN && !s->freed && !s->paused; i++)
                if (!accept_one(s))
                        break;
        conn_hub_leave(hub);
        return 0;
}

void conn_server_handshake_done(struct conn *c) {
        struct conn_server *s = c->server;

        leave_handshakes(c);
        hand_over(s, c);
}

void conn_server_handshake_failed(struct conn *c, const char *why) {
        struct conn_server *s = c->server;

        leave_handshakes(c);
        s->ops->refused(s, c->peer, why, s->user);
}

/* ---- making and freeing ---- */

static int server_new(sd_event *event, int fd, const struct conn_server_ops *ops, void *user,
                struct conn_server **ret, struct fail *fail) {
        struct conn_hub *hub = NULL;
        int r = conn_hub_get(event, &hub);

        if (r < 0) {
                close(fd);
                return fail_set(fail, r, "cannot watch a listening socket: %s", strerror(-r));
        }
        struct conn_server *s = xnew0(struct conn_server, 1);
        s->hub = hub;
        s->fd = fd;
        s->ops = ops;
        s->user = user;
        s->deadline = CONN_DEADLINE;
        TAILQ_INIT(&s->handshakes);
        r = timer_new(event, 0, conn_server_on_retry, s, &s->retry);
        if (r >= 0)
                r = sd_event_add_io(event, &s->io, fd, EPOLLIN, on_accept, s);
        if (r < 0) {
                conn_server_free(s);
                return fail_set(fail, r, "cannot watch a listening socket: %s", strerror(-r));
        }
        *ret = s;
        return 0;
}

static void remove_socket(const struct conn_server *s) {
        struct stat st;

        if (s->path && lstat(s->path, &st) == 0 && st.st_dev == s->dev && st.st_ino == s->ino)
                unlink(s->path);
}

void conn_server_destroy(struct conn_server *s) {
        cluster_key_free(s->key);
        for (size_t i = 0; i < s->n_others; i++) {
                free(s->others[i].name);
                free(s->others[i].identity);
                cluster_key_free(s->others[i].key);
        }
        free(s->others);
        free(s->path);
        free(s);
}

struct conn_server *conn_server_free(struct conn_server *s) {
        struct conn *c;

        if (!s || s->freed)
                return NULL;
        struct conn_hub *hub = s->hub;
        conn_hub_enter(hub);
        s->freed = true;
        sd_event_source_disable_unref(s->io);
        sd_event_source_disable_unref(s->retry);
        while ((c = TAILQ_FIRST(&s->handshakes))) {
                leave_handshakes(c);
                conn_close(c);
        }
        remove_socket(s);
        close(s->fd);
        conn_hub_bury_server(hub, s);
        conn_hub_leave(hub);
        return NULL;
}

/* Ends handshakes in progress with a cluster's old key. */
static void end_handshakes(struct conn_server *s, const char *cluster) {
        struct conn_hub *hub = s->hub;
        struct conn *next;

        conn_hub_enter(hub);
        for (struct conn *c = TAILQ_FIRST(&s->handshakes); c; c = next) {
                next = TAILQ_NEXT(c, handshakes);
                if (c->cluster && streq(c->cluster, cluster))
                        conn_end(c, -EKEYREJECTED, "its key has changed meanwhile");
        }
        conn_hub_leave(hub);
}

void conn_server_let_in(struct conn_server *s, const char *cluster, const struct cluster_key *key) {
        struct other_cluster *o = NULL;

        end_handshakes(s, cluster);
        for (size_t i = 0; i < s->n_others && !o; i++)
                if (streq(s->others[i].name, cluster))
                        o = &s->others[i];
        if (!o && !key)
                return;
        if (!o) {
                GROW(s->others, s->a_others, s->n_others);
                o = &s->others[s->n_others++];
                *o = (struct other_cluster){ .name = xstrdup(cluster),
                        .identity = cluster_key_identity(cluster) };
        }
        cluster_key_free(o->key);
        o->key = key ? cluster_key_ref(key) : NULL;
        if (key)
                return;
        free(o->name);
        free(o->identity);
        *o = s->others[--s->n_others];
}

void conn_server_set_deadline(struct conn_server *s, usec_t usec) {
        s->deadline = usec;
}

uint16_t conn_server_port(const struct conn_server *s) {
        struct sockaddr_storage address;
        socklen_t size = sizeof address;

        if (getsockname(s->fd, (struct sockaddr *)&address, &size) < 0)
                return 0;
        if (address.ss_family == AF_INET)
                return ntohs(((struct sockaddr_in *)&address)->sin_port);
        if (address.ss_family == AF_INET6)
                return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
        return 0;
}

/* ---- Unix ---- */

int conn_listen_unix(sd_event *event, const char *path, mode_t mode,
                const struct conn_server_ops *ops, void *user, struct conn_server **ret,
                struct fail *fail) {
        struct stat st;
        _cleanup_close_ int fd = unix_listen(path, mode, BACKLOG, fail);

        if (fd < 0)
                return fd;
        int r = server_new(event, TAKE_FD(fd), ops, user, ret, fail);
        if (r < 0)
                return r;
        if (lstat(path, &st) == 0) {
                (*ret)->path = xstrdup(path);
                (*ret)->dev = st.st_dev;
                (*ret)->ino = st.st_ino;
        }
        return 0;
}

/* ---- TLS ---- */

static int bind_tcp(const struct addrinfo *a) {
        static const int on = 1, off = 0;
        _cleanup_close_ int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
                        0);

        if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0)
                return -errno;
        /* "::" includes IPv4: the way to listen at any address. */
        if (a->ai_family == AF_INET6)
                (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        if (bind(fd, a->ai_addr, a->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0)
                return -errno;
        return TAKE_FD(fd);
}

/* Binds the first usable address; with any, IPv6 first. */
static int bind_first(const struct addrinfo *addresses, bool any) {
        int r = -EADDRNOTAVAIL;

        for (int pass = 0; pass < 2; pass++)
                for (const struct addrinfo *a = addresses; a; a = a->ai_next) {
                        if (any && (a->ai_family == AF_INET6) != (pass == 0))
                                continue;
                        r = bind_tcp(a);
                        if (r >= 0 || r == -EADDRINUSE)
                                return r;
                }
        return r;
}

int conn_listen_tls(sd_event *event, const char *address, uint16_t port,
                const struct cluster_key *key, const struct conn_server_ops *ops, void *user,
                struct conn_server **ret, struct fail *fail) {
        struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
                .ai_flags = AI_NUMERICSERV | AI_PASSIVE },
                        *addresses;
        bool any = isempty(address);
        char service[8];
        int r;

        snprintf(service, sizeof service, "%u", port);
        r = getaddrinfo(any ? NULL : address, service, &hints, &addresses);
        if (r != 0)
                return fail_set(fail, -EADDRNOTAVAIL, "cannot listen at %s port %u: %s",
                                any ? "any address" : address, port, gai_strerror(r));
        _cleanup_close_ int fd = bind_first(addresses, any);
        freeaddrinfo(addresses);
        if (fd < 0)
                return fail_set(fail, fd, "cannot listen at %s port %u: %s",
                                any ? "any address" : address, port, strerror(-fd));

        r = server_new(event, TAKE_FD(fd), ops, user, ret, fail);
        if (r >= 0)
                (*ret)->key = cluster_key_ref(key);
        return r;
}
