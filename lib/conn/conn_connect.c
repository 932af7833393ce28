/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outgoing connections, and descriptors already open.
 *
 * TLS: name look-up, then each address until one connects, then the handshake, all within one
 * deadline. Failures after the look-up are reported by closed(), from the loop. */
#include "lib/conn/conn_private.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

/* Detects a host that lost power even when nothing is sent: after 40 + 3 * 7 s. Idle time of 40 s,
   because heartbeats come every 30 s: connections with heartbeats are never probed. Otherwise the
   kernel would send the probes of thousands of connections at once, more than a queue takes, and
   end live connections that lose three probes. */
void conn_tcp_options(int fd) {
        static const struct {
                int level, option, value;
        } options[] = {
                { IPPROTO_TCP, TCP_NODELAY, 1 },
                { SOL_SOCKET, SO_KEEPALIVE, 1 },
                { IPPROTO_TCP, TCP_KEEPIDLE, 40 },
                { IPPROTO_TCP, TCP_KEEPINTVL, 7 },
                { IPPROTO_TCP, TCP_KEEPCNT, 3 },
        };

        for (size_t i = 0; i < ELEMENTSOF(options); i++)
                (void)setsockopt(fd, options[i].level, options[i].option, &options[i].value,
                                sizeof(int));
}

/* Writes the numeric address; an IPv4 peer of a dual-stack socket as IPv4. */
void conn_peer_text(const struct sockaddr *address, socklen_t size, char *ret, size_t ret_size) {
        static const char mapped[] = "::ffff:";
        char text[INET6_ADDRSTRLEN] = "";

        (void)getnameinfo(address, size, text, sizeof text, NULL, 0, NI_NUMERICHOST);
        bool is_mapped = strncmp(text, mapped, sizeof mapped - 1) == 0 && strchr(text, '.');
        snprintf(ret, ret_size, "%s", is_mapped ? text + sizeof mapped - 1 : text);
}

/* ---- deadline ---- */

static int conn_on_deadline(sd_event_source *s, uint64_t usec, void *user) {
        struct conn *c = user;
        struct conn_hub *hub = c->hub;
        const char *what = c->state == CONN_CONNECTING ? "connection" : "TLS handshake";

        conn_hub_enter(hub);
        conn_end(c, -ETIMEDOUT, "%s%sno %s in time", c->target ? c->target : "",
                        c->target ? ": " : "", what);
        conn_hub_leave(hub);
        return 0;
}

int conn_start_deadline(struct conn *c, usec_t usec) {
        c->deadline = sd_event_source_disable_unref(c->deadline);
        return sd_event_add_time_relative(conn_hub_event(c->hub), &c->deadline, CLOCK_MONOTONIC,
                        usec, 10 * USEC_PER_MSEC, conn_on_deadline, c);
}

int conn_set_deadline(struct conn *c, usec_t usec) {
        return c->deadline ? conn_start_deadline(c, usec) : 0;
}

/* ---- TLS ---- */

static void conn_tcp_connected(struct conn *c) {
        conn_tcp_options(c->fd);
        conn_peer_text(c->address->ai_addr, c->address->ai_addrlen, c->peer, sizeof c->peer);
        freeaddrinfo(TAKE(c->addresses));
        c->address = NULL;
        c->state = CONN_HANDSHAKE;
        conn_tls_start(c, false);
}

/* Tries c->address and its successors until one does not fail at once. */
static void try_addresses(struct conn *c, int r) {
        for (; c->address; c->address = c->address->ai_next) {
                const struct addrinfo *a = c->address;

                c->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
                if (c->fd < 0) {
                        r = -errno;
                        continue;
                }
                if (connect(c->fd, a->ai_addr, a->ai_addrlen) == 0 || errno == EINPROGRESS) {
                        conn_watch(c);
                        return;
                }
                r = -errno;
                close(TAKE_FD(c->fd));
        }
        conn_end_later(c, r, "cannot connect to %s: %s", c->target, strerror(-r));
}

void conn_connect_turn(struct conn *c) {
        int error = 0;
        socklen_t size = sizeof error;

        if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
                error = errno;
        if (error == 0) {
                conn_tcp_connected(c);
                return;
        }
        conn_unwatch(c);
        close(TAKE_FD(c->fd));
        c->address = c->address->ai_next;
        try_addresses(c, -error);
}

int conn_connect_tls(sd_event *event, const char *host, uint16_t port,
                const struct cluster_key *key, const struct conn_ops *ops, void *user,
                struct conn **ret, struct fail *fail) {
        struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV },
                        *addresses;
        char service[8];
        int r;

        snprintf(service, sizeof service, "%u", port);
        r = getaddrinfo(host, service, &hints, &addresses);
        if (r != 0)
                return fail_set(fail, -EHOSTUNREACH, "cannot find the address of %s: %s", host,
                                gai_strerror(r));

        struct conn_hub *hub = NULL;
        r = conn_hub_get(event, &hub);
        if (r < 0) {
                freeaddrinfo(addresses);
                return fail_set(fail, r, "cannot watch a connection: %s", strerror(-r));
        }
        struct conn *c = conn_new(hub, -1, CONN_CONNECTING);
        conn_hub_put(hub); /* the connection has its own reference */
        conn_set_ops(c, ops, user);
        c->key = cluster_key_ref(key);
        c->target = xasprintf(strchr(host, ':') ? "[%s]:%u" : "%s:%u", host, port);
        c->addresses = c->address = addresses;
        r = conn_start_deadline(c, CONN_DEADLINE);
        if (r < 0) {
                conn_close(c);
                return fail_set(fail, r, "cannot start a timer: %s", strerror(-r));
        }
        try_addresses(c, -EADDRNOTAVAIL);
        *ret = c;
        return 0;
}

/* ---- open descriptors ---- */

int conn_adopt(sd_event *event, int fd, const struct conn_ops *ops, void *user, struct conn **ret) {
        struct conn_hub *hub = NULL;
        struct conn *c;
        int type;
        socklen_t size = sizeof type;

        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0)
                return -errno;
        if (type != SOCK_STREAM)
                return -EPROTOTYPE;
        int r = conn_hub_get(event, &hub);
        if (r < 0)
                return r;
        c = conn_new(hub, fd, CONN_OPEN);
        conn_hub_put(hub);
        conn_set_ops(c, ops, user);
        size = sizeof c->credentials;
        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c->credentials, &size) < 0)
                c->credentials = (struct ucred){ 0 };
        conn_watch(c);
        *ret = c;
        return 0;
}
