/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/route.h - a way (way.h) with its connection: from a node to srun's host, or back */
#pragma once

#include "agent/peers/peers.h"
#include "agent/peers/way.h"

struct route {
        struct way way;
        struct peer *peer;   /* NULL: not connected */
        const char *address; /* HOST:PORT of the other slumberd, borrowed; NULL or "": unknown */
};

void route_begin(struct route *r, const char *address);
/* Like route_send(), but the caller sends; WAY_DIRECT: by r->peer. */
enum way_use route_choose(struct peers *all, struct route *r, size_t bytes, bool *ret_again);
void route_dropped(struct route *r); /* r->peer has dropped the message */
/* Sends env if WAY_DIRECT; WAY_BY_CONTROLLER: the caller sends env to the controller.
   *ret_again: see way_lost(). */
enum way_use route_send(struct peers *all, struct route *r, Envelope *env, size_t bytes,
                bool *ret_again);
/* The following functions return true if all data has to be sent again. */
bool route_use_peer(struct route *r, struct peer *p); /* p is established to the route's address */
/* The other end has sent by connection p. anew: the other end has changed its way and sends all
   data again. */
bool route_heard(struct route *r, struct peer *p, bool anew);
void route_next(struct route *r, const char *address, bool more); /* see way_next() */
bool route_up(struct route *r, const struct peer *p);
bool route_slow(struct route *r, const struct peer *p);
bool route_lost(struct route *r, const struct peer *p, bool quiet);
bool route_do_due_work(struct peers *all, struct route *r); /* call at way_due() */
/* Tells the sender p that io's step or client is not here (yet), so that the sender repeats.
   to_node: p is a node of the step, not srun's host. */
void route_send_lost(struct peer *p, const Slumber__StepIo *io, bool to_node);
