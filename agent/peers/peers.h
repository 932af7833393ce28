/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/peers.h - connections to the slumberds of other nodes
 *
 * A connection is made when a message needs one, serves all steps in both directions, and is closed
 * after a minute without use unless an answer is awaited. Messages are not kept: when a connection
 * ends, messages under way are lost, and their owners are told. */
#pragma once

#include "lib/conn/conn.h"

struct peers;
struct peer; /* a connection, or an address that could not be reached */

struct peers_ops {
        void (*message)(struct peer *p, Envelope *env, void *user);
        /* A connection made from this host is established. */
        void (*up)(struct peer *p, void *user);
        /* A connection attempt has had no answer for a second. */
        void (*slow)(struct peer *p, void *user);
        /* A connection has ended, could not be made, or is silent. quiet: no message was under
           way, as the connection was long unused, or made room for a new connection after all
           messages were read. p may be freed after the call. */
        void (*lost)(struct peer *p, bool quiet, void *user);
        /* Returns whether an answer is awaited that may take long: the connection stays open
           without use. May be NULL. */
        bool (*awaited)(const struct peer *p, void *user);
};

/* ops and key must outlive the result. */
int peers_new(sd_event *event, const struct cluster_key *key, const struct peers_ops *ops,
                void *user, struct peers **ret, struct fail *fail);
/* Closes all connections without calling lost(); takes NULL, returns NULL. */
struct peers *peers_free(struct peers *all);
/* Listens at port (0: any free port) on address, if a numeric address of this machine, else on
   all addresses: a name may resolve to 127.0.1.1 here, and behind a router the address is the
   router's. */
int peers_listen(struct peers *all, const char *address, uint16_t port, struct fail *fail);
uint16_t peers_port(const struct peers *all); /* takes NULL; 0: not listening */

/* Returns the connection to the slumberd at HOST:PORT, also while being established: messages
   wait. NULL: a recent attempt failed, too many connections are in use, or address is empty. */
struct peer *peers_get(struct peers *all, const char *address);
/* An established connection, or NULL */
struct peer *peers_find(struct peers *all, const char *address);
bool peer_is_up(const struct peer *p);
/* A connection is being established, and the present or the last attempt has had no answer for a
   second. */
bool peer_is_slow(const struct peer *p);
size_t peer_queued(const struct peer *p); /* bytes in the queue */
/* false: the message is dropped, as the queue is full or the connection has just ended. */
bool peer_send(struct peer *p, Envelope *env);
/* A message from p is invalid and dropped: logged once for each connection. */
void peer_log_bad_message(struct peer *p, const char *format, ...) _printf_(2, 3);
