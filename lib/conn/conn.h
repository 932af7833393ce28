/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/conn/conn.h - a daemon's connections: Envelopes over Unix sockets or TLS 1.3 with the cluster
 * key, on sd-event
 *
 * Writes never block: what the peer does not take is queued, and a connection with a queue above
 * its limit is closed with -ENOBUFS.  What is large goes in slices, so that others are served
 * meanwhile.  A connection may be closed from inside its own callbacks. */
#pragma once

#include "lib/wire.h"

#include <sys/types.h>
#include <systemd/sd-event.h>

struct conn;
struct conn_server;
struct cluster_key;

struct conn_ops {
        /* env is borrowed and freed after the call. */
        void (*message)(struct conn *c, Envelope *env, void *user);
        /* The last call for c, which is freed after it.  r: 0 closed by the peer, negative errno;
           why: a sentence.  Not called for conn_close(). */
        void (*closed)(struct conn *c, int r, const char *why, void *user);
        /* The outgoing connection stands, TLS included. May be NULL. Messages sent before it are
           queued. */
        void (*ready)(struct conn *c, void *user);
        /* More than the mark waited for this peer, and now only half of it does.  May be NULL. */
        void (*taken)(struct conn *c, void *user);
};

#define CLUSTER_KEY_MIN 32 /* bytes of the key file */
#define CLUSTER_KEY_MAX 4096
/* Where the key is: systemd's credential cluster.key if the service was given one, else configured,
   else /etc/slumber/cluster.key.  The caller frees. */
char *cluster_key_path(const char *configured);
/* Reads a key file: a regular file of the caller's or root's, no bits for group or others. */
int cluster_key_read(const char *path, struct cluster_key **ret, struct fail *fail);
/* The key that two clusters share, with which the controller of own asks that of another one; read
   and checked likewise.  It is derived in another way: the same bytes are not a cluster key. */
int cluster_key_read_shared(const char *path, const char *own, struct cluster_key **ret,
                struct fail *fail);
bool cluster_key_same(const struct cluster_key *a, const struct cluster_key *b);
struct cluster_key *cluster_key_free(struct cluster_key *key);
DEFINE_CLEANUP(struct cluster_key *, cluster_key_free)

/* Outgoing TLS connection to host:port; ready or closed follows.  The name look-up must be numeric
   or local: it may block. */
int conn_connect_tls(sd_event *event, const char *host, uint16_t port,
                const struct cluster_key *key, const struct conn_ops *ops, void *user,
                struct conn **ret, struct fail *fail);
/* Takes an open stream descriptor over (a socket pair, a step daemon's socket). */
int conn_adopt(sd_event *event, int fd, const struct conn_ops *ops, void *user, struct conn **ret);

/* accepted() gets each new connection and sets its ops by conn_set_ops() before it returns; TLS
   connections are handed over when the handshake is through, a failed one is only reported by
   refused(). */
struct conn_server_ops {
        void (*accepted)(struct conn_server *s, struct conn *c, void *user);
        void (*refused)(struct conn_server *s, const char *peer, const char *why, void *user);
};
int conn_listen_unix(sd_event *event, const char *path, mode_t mode,
                const struct conn_server_ops *ops, void *user, struct conn_server **ret,
                struct fail *fail);
int conn_listen_tls(sd_event *event, const char *address, uint16_t port,
                const struct cluster_key *key, const struct conn_server_ops *ops, void *user,
                struct conn_server **ret, struct fail *fail);
/* Takes a listening Unix socket of its own away again. Connections that were handed over live
   on. */
struct conn_server *conn_server_free(struct conn_server *s);
DEFINE_CLEANUP(struct conn_server *, conn_server_free)
/* From now on the controller of that other cluster is let in by this key, too (conn_cluster());
   NULL: no more. */
void conn_server_let_in(struct conn_server *s, const char *cluster, const struct cluster_key *key);
/* Connections that come wait in the kernel meanwhile. */
void conn_server_pause(struct conn_server *s, bool pause);
uint16_t conn_server_port(const struct conn_server *s); /* what port 0 became; 0 for Unix */
/* How long a handshake may take; default 10 s. */
void conn_server_set_deadline(struct conn_server *s, usec_t usec);

void conn_set_ops(struct conn *c, const struct conn_ops *ops, void *user);
/* Queues a message (packed at once; env stays the caller's).  version is set here. */
int conn_send(struct conn *c, Envelope *env);
/* Already packed by wire_pack(). Copies. */
int conn_send_packed(struct conn *c, const uint8_t *frame, size_t size);
/* The frame that begins so (wire_pack_before()) and ends with tail, to which a reference is taken:
   not copied, and sent in slices beside others. */
int conn_send_with_tail(struct conn *c, const uint8_t *begin, size_t size, struct wire_tail *tail);
size_t conn_queued(const struct conn *c);    /* bytes not yet taken by the peer */
uint64_t conn_written(const struct conn *c); /* ... that its host has been given, ever */
/* Messages that it was given to send, and that have come by it, ever; in a call of message() with
   the one that comes. */
uint64_t conn_sent(const struct conn *c);
uint64_t conn_received(const struct conn *c);
void conn_set_queue_limit(struct conn *c, size_t bytes); /* default 256 MiB */
/* A peer that has not taken so much of what it was sent is not read from until it has: for peers
   that ask and are answered.  Default none. */
void conn_set_slow_limit(struct conn *c, size_t bytes);
/* See taken() above, for peers that relay what others send; default none. */
void conn_set_mark(struct conn *c, size_t bytes);
bool conn_above_mark(const struct conn *c); /* taken() will follow, or closed() */
/* What one user, neither root nor this process's own, has begun to say by all of its connections,
   in memory here until it is said: at most so much of large messages, or the connection is closed
   with -ENOBUFS. */
#define CONN_HELD_OF_USER_MAX ((size_t)512 << 20)
/* Of one message from this peer; default and most WIRE_FRAME_MAX. A longer one closes the
   connection. */
void conn_set_frame_limit(struct conn *c, size_t bytes);
/* Outgoing TLS: until when ready or closed must have come, from now; default 10 s. */
int conn_set_deadline(struct conn *c, usec_t usec);
void conn_pause(struct conn *c, bool pause); /* stop reading: back pressure */
/* The same for messages of more than CONN_SMALL bytes: they are read no further. */
#define CONN_SMALL ((size_t)64 << 10)
void conn_pause_large(struct conn *c, bool pause);
void conn_close(struct conn *c);           /* frees; what is queued is tried once */
int conn_descriptor(const struct conn *c); /* its socket, which stays its own */
/* Unix sockets: the peer's identity, from the kernel (SO_PEERCRED). -ENOTSUP for TLS. */
int conn_peer_credentials(const struct conn *c, uid_t *ret_uid, gid_t *ret_gid, pid_t *ret_pid);
const char *conn_peer_address(const struct conn *c); /* numeric address, "" for Unix */
/* Accepted: the other cluster whose key it has shown; NULL: it has this one's. */
const char *conn_cluster(const struct conn *c);
/* This end's numeric address, as the peer sees it; "" for Unix, or not known. */
void conn_own_address(const struct conn *c, char *ret, size_t size);
usec_t conn_last_received(const struct conn *c); /* CLOCK_MONOTONIC */
/* something of what was sent has not reached the peer's host */
bool conn_unacknowledged(const struct conn *c);
/* Unix sockets: the peer has closed its end, or is dead; closed() follows when what it had sent is
   read. */
bool conn_hung_up(const struct conn *c);
/* Unix sockets, in closed(): some bytes of what was sent were never read by the peer. */
bool conn_unread(const struct conn *c);
