/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/conn/conn_private.h - what the files of conn share; no other file includes it */
#pragma once

#include "lib/conn/conn.h"

#include <netdb.h>
#include <openssl/ssl.h>
#include <sys/queue.h>
#include <sys/socket.h>

/* From the first packet to the last of the handshake: a peer that says nothing holds a slot for so
   long. */
#define CONN_DEADLINE (10 * USEC_PER_SEC)

struct frame_buffer;

enum conn_state {
        CONN_CONNECTING, /* TCP */
        CONN_HANDSHAKE,  /* TLS */
        CONN_OPEN,
        CONN_ENDED, /* in the graveyard: nothing may be done with it any more */
};

struct chunk { /* of the write queue */
        TAILQ_ENTRY(chunk) next;
        size_t start, end, room;
        struct wire_tail *tail; /* NULL: the data are here */
        uint8_t data[];
};

struct conn {
        struct conn_hub *hub;
        enum conn_state state;
        int fd;
        uint32_t watched; /* epoll events in force; 0 = not in the epoll set */

        SSL *ssl;
        struct cluster_key *key;
        char *cluster;   /* see conn_cluster() */
        unsigned shown;  /* identities of keys that it has offered */
        bool want_write; /* TLS has something of its own to write */

        const struct conn_ops *ops;
        void *user;

        struct frame_buffer *in; /* NULL: buried */
        size_t held;             /* of in, as it is counted with its user's */
        bool paused, paused_large;
        bool drained;      /* the last read has left nothing */
        size_t slow_limit; /* nothing is read while more is queued; 0: none */
        usec_t last_received;

        TAILQ_HEAD(chunks, chunk) out;
        size_t queued, queue_limit;
        uint64_t written;
        uint64_t sent, received; /* messages */
        size_t mark;             /* see taken(); 0: none */
        bool above_mark;
        bool write_failed; /* Unix: the peer reads no more; what it wrote is still to be read */
        bool unread;       /* Unix: it has closed before it had read all */

        int pending_r; /* ends with this in its next turn: callbacks come from the loop only */
        char *pending_why;

        sd_event_source *deadline;
        struct conn_server *server; /* while its handshake runs */
        TAILQ_ENTRY(conn) handshakes;

        struct addrinfo *addresses, *address; /* of an outgoing connection; the one being tried */
        char *target;
        char peer[INET6_ADDRSTRLEN];
        struct ucred credentials; /* pid 0: not known */

        bool runnable, bulky; /* in its hub's lists */
        TAILQ_ENTRY(conn) run, bulk;
        SLIST_ENTRY(conn) grave;
};

struct conn_server {
        struct conn_hub *hub;
        int fd;
        sd_event_source *io, *retry;
        const struct conn_server_ops *ops;
        void *user;
        struct cluster_key *key; /* NULL: Unix */
        struct other_cluster {
                char *name, *identity;
                struct cluster_key *key;
        } * others;
        size_t n_others, a_others;
        usec_t deadline;
        TAILQ_HEAD(, conn) handshakes;
        size_t n_handshakes;
        char *path; /* Unix: to be removed at the end, if it is still this inode */
        dev_t dev;
        ino_t ino;
        bool freed, paused;
        SLIST_ENTRY(conn_server) grave;
};

/* ---- conn.c ---- */

/* One per sd_event: an epoll set that is one event source.  References: each connection and each
   server.  The first needs a descriptor: a negative errno where there is none. */
int conn_hub_get(sd_event *event, struct conn_hub **ret);
void conn_hub_put(struct conn_hub *hub);
sd_event *conn_hub_event(const struct conn_hub *hub);
/* Around everything that runs callbacks: what is closed in between is freed at the last leave. */
void conn_hub_enter(struct conn_hub *hub);
void conn_hub_leave(struct conn_hub *hub);
void conn_hub_bury_server(struct conn_hub *hub, struct conn_server *s);

struct conn *conn_new(struct conn_hub *hub, int fd, enum conn_state state);
/* Reports to closed() or refused() and buries. Only from inside the hub. */
void conn_end(struct conn *c, int r, const char *format, ...) _printf_(3, 4);
/* The same from anywhere: in the next turn of the loop. */
void conn_end_later(struct conn *c, int r, const char *format, ...) _printf_(3, 4);
void conn_run_later(struct conn *c);
void conn_watch(struct conn *c);   /* what its state waits for */
void conn_unwatch(struct conn *c); /* before its descriptor changes */

/* ---- conn_connect.c ---- */
void conn_connect_turn(struct conn *c); /* the descriptor of CONN_CONNECTING is writable */
void conn_tcp_options(int fd);
void conn_peer_text(const struct sockaddr *address, socklen_t size, char *ret, size_t ret_size);
int conn_start_deadline(struct conn *c, usec_t usec);

/* ---- conn_server.c ---- */
void conn_server_handshake_done(struct conn *c);
void conn_server_handshake_failed(struct conn *c, const char *why);
void conn_server_destroy(struct conn_server *s);

/* ---- conn_tls.c ---- */
int conn_tls_start(struct conn *c, bool server);
/* 1: through, 0: goes on, negative: failed, fail says why. */
int conn_tls_handshake(struct conn *c, struct fail *fail);
/* As read() and write(), the error returned; 0 from read: an orderly end. -EAGAIN: later. */
ssize_t conn_tls_read(struct conn *c, uint8_t *data, size_t size, struct fail *fail);
/* The session has nothing more, and that last read of n bytes was no full record, behind which the
   next one waits as a rule. */
bool conn_tls_is_drained(const struct conn *c, size_t n);
ssize_t conn_tls_write(struct conn *c, const uint8_t *data, size_t size, struct fail *fail);
void conn_tls_close(struct conn *c);

/* ---- cluster_key.c ---- */
#define CLUSTER_PSK_SIZE 32
struct cluster_key {
        unsigned refs;
        char *identity; /* under which a client shows it */
        uint8_t psk[CLUSTER_PSK_SIZE];
        uint8_t print[CLUSTER_PSK_SIZE]; /* of its file, whatever it is used for */
        SSL_CTX *context[2];             /* client, server */
};
/* Of the controller of that cluster, by a key that it shares with another one; the caller frees. */
char *cluster_key_identity(const char *cluster);
struct cluster_key *cluster_key_ref(const struct cluster_key *key);
SSL_CTX *conn_tls_context(struct cluster_key *key, bool server);

/* conn_unix.c: a listening socket of that name and with these rights; one that a killed daemon has
   left is replaced, without a moment in which none is there.  Or a negative errno. */
int unix_listen(const char *path, mode_t mode, int backlog, struct fail *fail);
