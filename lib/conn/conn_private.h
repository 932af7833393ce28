/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/conn/conn_private.h - shared by the files of lib/conn only */
#pragma once

#include "lib/conn/conn.h"

#include <netdb.h>
#include <openssl/ssl.h>
#include <sys/queue.h>
#include <sys/socket.h>

/* Maximum time from the first packet to the end of the handshake: a silent peer occupies a slot
   that long. */
#define CONN_DEADLINE (10 * USEC_PER_SEC)

struct frame_buffer;

enum conn_state {
        CONN_CONNECTING, /* TCP */
        CONN_HANDSHAKE,  /* TLS */
        CONN_OPEN,
        CONN_ENDED, /* graveyard: must not be used any more */
};

struct chunk { /* element of the write queue */
        TAILQ_ENTRY(chunk) next;
        size_t start, end, room;
        struct wire_tail *tail; /* NULL: data is in the chunk */
        uint8_t data[];
};

struct conn {
        struct conn_hub *hub;
        enum conn_state state;
        int fd;
        uint32_t watched; /* epoll events in force; 0: not in the epoll set */

        SSL *ssl;
        struct cluster_key *key;
        char *cluster;   /* result of conn_cluster() */
        unsigned shown;  /* number of key identities offered by the client */
        bool want_write; /* TLS itself has data to write */

        const struct conn_ops *ops;
        void *user;

        struct frame_buffer *in; /* NULL: in the graveyard */
        size_t held;             /* bytes of in, counted for the user */
        bool paused, paused_large;
        bool drained;      /* the last read emptied the socket */
        size_t slow_limit; /* no reading while more bytes are queued; 0: none */
        usec_t last_received;

        TAILQ_HEAD(chunks, chunk) out;
        size_t queued, queue_limit;
        uint64_t written;
        uint64_t sent, received; /* number of messages */
        size_t mark;             /* threshold of taken(); 0: none */
        bool above_mark;
        bool write_failed; /* Unix: the peer reads no more; its data is still read */
        bool unread;       /* Unix: the peer closed before reading all data */

        int pending_r; /* error for the end in the next turn: callbacks come from the loop only */
        char *pending_why;

        sd_event_source *deadline;
        struct conn_server *server; /* while the handshake runs */
        TAILQ_ENTRY(conn) handshakes;

        struct addrinfo *addresses, *address; /* outgoing: all addresses; the one being tried */
        char *target;
        char peer[INET6_ADDRSTRLEN];
        struct ucred credentials; /* pid 0: unknown */

        bool gathers;                   /* see conn_set_gathers() */
        bool runnable, bulky, gathered; /* in its hub's lists */
        TAILQ_ENTRY(conn) run, bulk, gather;
        SLIST_ENTRY(conn) grave;
};

struct conn_server {
        struct conn_hub *hub;
        int fd;
        sd_event_source *io, *retry;
        const struct conn_server_ops *ops;
        void *user;
        struct cluster_key *key; /* NULL: Unix socket */
        struct other_cluster {
                char *name, *identity;
                struct cluster_key *key;
        } * others;
        size_t n_others, a_others;
        usec_t deadline;
        TAILQ_HEAD(, conn) handshakes;
        size_t n_handshakes;
        char *path; /* Unix: path to remove, if it still has this inode */
        dev_t dev;
        ino_t ino;
        bool freed, paused;
        SLIST_ENTRY(conn_server) grave;
};

/* ---- conn.c ---- */

/* Returns the hub of an event loop, with a reference; each connection and server holds one. The
   first call opens a descriptor and may fail with a negative errno. */
int conn_hub_get(sd_event *event, struct conn_hub **ret);
void conn_hub_put(struct conn_hub *hub);
sd_event *conn_hub_event(const struct conn_hub *hub);
/* Enclose all code that runs callbacks: objects closed inside are freed at the outermost leave. */
void conn_hub_enter(struct conn_hub *hub);
void conn_hub_leave(struct conn_hub *hub);
void conn_hub_bury_server(struct conn_hub *hub, struct conn_server *s);

struct conn *conn_new(struct conn_hub *hub, int fd, enum conn_state state);
/* Calls closed() or refused() and moves c to the graveyard. Only from inside the hub. */
void conn_end(struct conn *c, int r, const char *format, ...) _printf_(3, 4);
/* conn_end() from anywhere, done in the next turn of the loop. */
void conn_end_later(struct conn *c, int r, const char *format, ...) _printf_(3, 4);
void conn_watch(struct conn *c);   /* asks epoll for the events of c's state */
void conn_unwatch(struct conn *c); /* before the descriptor changes */

/* ---- conn_connect.c ---- */
void conn_connect_turn(struct conn *c); /* descriptor of a CONN_CONNECTING connection is writable */
void conn_tcp_options(int fd);
void conn_peer_text(const struct sockaddr *address, socklen_t size, char *ret, size_t ret_size);
int conn_start_deadline(struct conn *c, usec_t usec);

/* ---- conn_server.c ---- */
void conn_server_handshake_done(struct conn *c);
void conn_server_handshake_failed(struct conn *c, const char *why);
void conn_server_destroy(struct conn_server *s);

/* ---- conn_tls.c ---- */
int conn_tls_start(struct conn *c, bool server);
/* 1: finished; 0: continues; negative errno: failed, with fail. */
int conn_tls_handshake(struct conn *c, struct fail *fail);
/* Like read() and write(), but return a negative errno; 0 from read: orderly end; -EAGAIN:
   later. */
ssize_t conn_tls_read(struct conn *c, uint8_t *data, size_t size, struct fail *fail);
/* True if the session has no more data, and the last read of n bytes was not a full record, which
   another record usually follows. */
bool conn_tls_is_drained(const struct conn *c, size_t n);
ssize_t conn_tls_write(struct conn *c, const uint8_t *data, size_t size, struct fail *fail);
void conn_tls_close(struct conn *c);

/* ---- cluster_key.c ---- */
#define CLUSTER_PSK_SIZE 32
struct cluster_key {
        unsigned refs;
        char *identity; /* name of the key in a client's offer */
        uint8_t psk[CLUSTER_PSK_SIZE];
        uint8_t print[CLUSTER_PSK_SIZE]; /* fingerprint of the file, equal for all uses */
        SSL_CTX *context[2];             /* client, server */
};
/* Returns the identity of a cluster's controller for keys shared with other clusters; the caller
   frees. */
char *cluster_key_identity(const char *cluster);
struct cluster_key *cluster_key_ref(const struct cluster_key *key);
SSL_CTX *conn_tls_context(struct cluster_key *key, bool server);

/* conn_unix.c: listens on a Unix socket at path with mode. Replaces the socket of a killed daemon,
   without a moment in which no socket exists. Returns the descriptor or a negative errno. */
int unix_listen(const char *path, mode_t mode, int backlog, struct fail *fail);
