/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/route.h - a way (way.h) with its connection: from a node to srun's host, or back */
#pragma once

#include "agent/peers/peers.h"
#include "agent/peers/way.h"

struct route {
        struct way way;
        struct peer *peer;   /* its connection; NULL: none, or not now */
        const char *address; /* HOST:PORT of the other slumberd, borrowed; NULL or "": not known */
};

void route_begin(struct route *r, const char *address);
/* As route_send(), but the caller sends it: DIRECT, by r->peer. */
enum way_use route_choose(struct peers *all, struct route *r, size_t bytes, bool *ret_again);
void route_dropped(struct route *r); /* which did not take it */
/* BY_CONTROLLER: the caller sends env there.  *ret_again: see way_lost(). */
enum way_use route_send(struct peers *all, struct route *r, Envelope *env, size_t bytes,
                bool *ret_again);
/* These return true where all is to be sent again. */
bool route_takes(struct route *r, struct peer *p); /* p stands, and was made to the same address */
/* The other end, on this connection; anew: it sends all again, as it has changed its way. */
bool route_heard(struct route *r, struct peer *p, bool anew);
void route_next(struct route *r, const char *address, bool more); /* see way_next() */
bool route_up(struct route *r, const struct peer *p);
bool route_slow(struct route *r, const struct peer *p);
bool route_lost(struct route *r, const struct peer *p, bool quiet);
bool route_timed(struct peers *all, struct route *r); /* at way_due() */
/* The step or client of io, which came from p, is not here, or not yet: the sender is to send
   again. to_node: that is a node of the step, not srun's host. */
void route_say_lost(struct peer *p, const Slumber__StepIo *io, bool to_node);
