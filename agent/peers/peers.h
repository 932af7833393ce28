/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/peers.h - connections to the slumberds of other nodes
 *
 * A connection is made when a message needs it, serves all steps and both directions, and is closed
 * after a minute without use, if nothing is waited for.  Nothing is kept here: what a connection
 * had under way when it ends is lost, and the owners of the messages are told. */
#pragma once

#include "lib/conn/conn.h"

struct peers;
struct peer; /* one connection, or an address that could not be reached */

struct peers_ops {
        void (*message)(struct peer *p, Envelope *env, void *user);
        /* A connection that was made from here stands. */
        void (*up)(struct peer *p, void *user);
        /* One is being made, and has got no answer for a second. */
        void (*slow)(struct peer *p, void *user);
        /* There is no connection any more, none could be made, or nothing is heard on it; quiet:
           nothing was under way, as it had not been used for long, or it gives way to another and
           all that was sent had been read.  p may be gone after the call.
         */
        void (*lost)(struct peer *p, bool quiet, void *user);
        /* Something is waited for that may take long: it is not closed for want of use.  May be
           NULL. */
        bool (*awaited)(const struct peer *p, void *user);
};

/* ops and key must outlive it. */
int peers_new(sd_event *event, const struct cluster_key *key, const struct peers_ops *ops,
                void *user, struct peers **ret, struct fail *fail);
/* Closes all without a call of lost(); takes NULL, returns NULL. */
struct peers *peers_free(struct peers *all);
/* Takes connections at port, 0: any one; address, if it is one of this machine's: a name may stand
   for 127.0.1.1 here, and behind a router the address is the router's. */
int peers_listen(struct peers *all, const char *address, uint16_t port, struct fail *fail);
uint16_t peers_port(const struct peers *all); /* takes NULL; 0: nothing listens */

/* The connection to the slumberd at HOST:PORT, which may be being made: what is sent waits.  NULL:
   not now, because an attempt has just failed, too many others are in use or address is empty. */
struct peer *peers_at(struct peers *all, const char *address);
struct peer *peers_find(struct peers *all, const char *address); /* one that stands; or NULL */
bool peer_is_up(const struct peer *p);
/* It is being made, and that, or the last attempt, has got no answer for a second. */
bool peer_is_slow(const struct peer *p);
bool peer_takes(const struct peer *p);    /* not too much waits for it */
size_t peer_queued(const struct peer *p); /* bytes that it has yet to take */
/* false: it is lost, as too much waits or the connection has just ended. */
bool peer_send(struct peer *p, Envelope *env);
/* A message of p cannot be true and is dropped: said in the log once for each connection. */
void peer_complain(struct peer *p, const char *format, ...) _printf_(2, 3);
