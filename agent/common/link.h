/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/link.h - the step daemon's side of its socket: one slumberd at a time, nothing
 * blocks */
#pragma once

#include "lib/wire.h"

struct link;

struct link *link_new(void);              /* not connected */
struct link *link_free(struct link *l);   /* takes NULL, returns NULL */
void link_accept(struct link *l, int fd); /* takes fd over; the peer before is dropped */
void link_drop(struct link *l);
bool link_up(const struct link *l);
int link_fd(const struct link *l);        /* to be polled; -1: not connected */
size_t link_queued(const struct link *l); /* bytes that the peer has not taken yet */
/* Queues; nothing when it is not connected. */
void link_send(struct link *l, Envelope *env);
/* Writes what the peer takes.  Drops the link when it is broken. */
void link_flush(struct link *l);
/* Reads what is there and calls handle for each message. */
void link_read(struct link *l, void (*handle)(Envelope *env, void *user), void *user);
