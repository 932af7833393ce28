/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/conn/conn.h - a daemon's connections: Envelopes over Unix sockets, or over TLS 1.3 with the
 * cluster key, on sd-event
 *
 * Writes never block: data not taken by the peer is queued; a queue above its limit closes the
 * connection with -ENOBUFS. Large data goes in slices, in turns with other connections. Callbacks
 * may close their own connection. */
#pragma once

#include "lib/wire.h"

#include <sys/types.h>
#include <systemd/sd-event.h>

struct conn;
struct conn_server;
struct cluster_key;

struct conn_ops {
        /* A message arrived. env is borrowed. */
        void (*message)(struct conn *c, Envelope *env, void *user);
        /* The last call for c, which is freed afterwards. r: 0 if closed by the peer, else negative
           errno; why: a sentence. Not called after conn_close(). */
        void (*closed)(struct conn *c, int r, const char *why, void *user);
        /* The outgoing connection is established, with TLS. May be NULL. Messages may be sent
           earlier and are queued. */
        void (*ready)(struct conn *c, void *user);
        /* The queue was above the mark and is now down to half of the mark. May be NULL. */
        void (*taken)(struct conn *c, void *user);
};

#define CLUSTER_KEY_MIN 32 /* bytes of the key file */
#define CLUSTER_KEY_MAX 4096
/* Returns the path of the key: systemd's credential cluster.key if the service has one, else
   configured, else /etc/slumber/cluster.key. The caller frees. */
char *cluster_key_path(const char *configured);
/* Reads a key file: regular, owned by the caller or root, without permissions for group and
   others. */
int cluster_key_read(const char *path, struct cluster_key **ret, struct fail *fail);
/* Reads a key shared by two clusters, used by the controller of cluster own for requests to another
   cluster's controller. Derived differently: the file does not work as a cluster key. */
int cluster_key_read_shared(const char *path, const char *own, struct cluster_key **ret,
                struct fail *fail);
bool cluster_key_same(const struct cluster_key *a, const struct cluster_key *b);
struct cluster_key *cluster_key_free(struct cluster_key *key);
DEFINE_CLEANUP(struct cluster_key *, cluster_key_free)

/* Opens a TLS connection to host:port; ready() or closed() follows. host must be numeric or resolve
   locally: the look-up may block. */
int conn_connect_tls(sd_event *event, const char *host, uint16_t port,
                const struct cluster_key *key, const struct conn_ops *ops, void *user,
                struct conn **ret, struct fail *fail);
/* Takes ownership of an open stream descriptor (a socket pair, a step daemon's socket). */
int conn_adopt(sd_event *event, int fd, const struct conn_ops *ops, void *user, struct conn **ret);

/* accepted() gets each new connection and must set its ops by conn_set_ops(). A TLS connection is
   passed after its handshake; a failed handshake only calls refused(). */
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
/* Closes the socket and removes its path if owned. Accepted connections continue. */
struct conn_server *conn_server_free(struct conn_server *s);
DEFINE_CLEANUP(struct conn_server *, conn_server_free)
/* Accepts connections of another cluster's controller with this key, too (conn_cluster()); NULL: no
   longer. */
void conn_server_let_in(struct conn_server *s, const char *cluster, const struct cluster_key *key);
/* Stops accepting; new connections wait in the kernel. */
void conn_server_pause(struct conn_server *s, bool pause);
uint16_t conn_server_port(const struct conn_server *s); /* the port chosen for port 0; 0 for Unix */
/* Sets the maximum duration of a handshake; default 10 s. */
void conn_server_set_deadline(struct conn_server *s, usec_t usec);

void conn_set_ops(struct conn *c, const struct conn_ops *ops, void *user);
/* Queues a message, packed at once; env stays the caller's. Sets env->version. */
int conn_send(struct conn *c, Envelope *env);
/* Queues a copy of a frame packed by wire_pack(). */
int conn_send_packed(struct conn *c, const uint8_t *frame, size_t size);
/* Queues the frame that begins with begin (wire_pack_before()) and ends with tail, taking a
   reference to tail. Not copied; sent in slices in turns with other data. */
int conn_send_with_tail(struct conn *c, const uint8_t *begin, size_t size, struct wire_tail *tail);
size_t conn_queued(const struct conn *c);    /* bytes not yet written to the socket */
uint64_t conn_written(const struct conn *c); /* total bytes written to the socket */
/* Total messages queued, and total received, including the current one in message(). */
uint64_t conn_sent(const struct conn *c);
uint64_t conn_received(const struct conn *c);
void conn_set_queue_limit(struct conn *c, size_t bytes); /* default 256 MiB */
/* Messages sent to this peer within callbacks of connections are written together at the end of the
   loop's turn: for a peer that gets many small messages. Default: written at once. */
void conn_set_gathers(struct conn *c, bool gathers);
/* Stops reading while more bytes than this are queued: for peers that send requests. Default:
   none. */
void conn_set_slow_limit(struct conn *c, size_t bytes);
/* Sets the mark for taken(), for peers that relay others' data; default: none. */
void conn_set_mark(struct conn *c, size_t bytes);
bool conn_above_mark(const struct conn *c); /* taken() or closed() will follow */
/* Maximum memory of incomplete large messages of one user, over all its connections; beyond, the
   connection closes with -ENOBUFS. Root and the daemon's own user are exempt. */
#define CONN_HELD_OF_USER_MAX ((size_t)512 << 20)
/* Maximum length of a message from the peer; default and maximum WIRE_FRAME_MAX. A longer message
   closes the connection. */
void conn_set_frame_limit(struct conn *c, size_t bytes);
/* Outgoing TLS: maximum time from now until ready() or closed(); default 10 s. */
int conn_set_deadline(struct conn *c, usec_t usec);
void conn_pause(struct conn *c, bool pause); /* stop reading: back pressure */
/* Stops reading messages of more than CONN_SMALL bytes. */
#define CONN_SMALL ((size_t)64 << 10)
void conn_pause_large(struct conn *c, bool pause);
void conn_close(struct conn *c);           /* frees c; writes queued data once, if possible */
int conn_descriptor(const struct conn *c); /* the socket, borrowed */
/* Unix sockets: the peer's identity from the kernel (SO_PEERCRED). -ENOTSUP for TLS. */
int conn_peer_credentials(const struct conn *c, uid_t *ret_uid, gid_t *ret_gid, pid_t *ret_pid);
const char *conn_peer_address(const struct conn *c); /* numeric address, "" for Unix */
/* Accepted connections: the other cluster whose key the peer has used; NULL: the own cluster's
   key. */
const char *conn_cluster(const struct conn *c);
/* Local numeric address, as seen by the peer; "" for Unix, or if unknown. */
void conn_own_address(const struct conn *c, char *ret, size_t size);
usec_t conn_last_received(const struct conn *c); /* CLOCK_MONOTONIC */
/* True if some sent data has not reached the peer's host. */
bool conn_unacknowledged(const struct conn *c);
/* Unix sockets: the peer has closed or died; closed() follows after all its data is read. */
bool conn_hung_up(const struct conn *c);
/* Unix sockets, in closed(): the peer left some sent bytes unread. */
bool conn_unread(const struct conn *c);
