/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/link.h - the step daemon's connection to slumberd: one slumberd at a time, never
 * blocking */
#pragma once

#include "lib/wire.h"

struct link;

struct link *link_new(void);              /* creates an unconnected link */
struct link *link_free(struct link *l);   /* takes NULL, returns NULL */
void link_accept(struct link *l, int fd); /* takes ownership of fd; drops an earlier connection */
void link_drop(struct link *l);
bool link_up(const struct link *l);
int link_fd(const struct link *l);        /* descriptor for poll(); -1: not connected */
size_t link_queued(const struct link *l); /* bytes still to be sent */
/* Queues a message; no-op without a connection. */
void link_send(struct link *l, Envelope *env);
/* Sends as much as the socket takes. Drops a broken link. */
void link_flush(struct link *l);
/* Reads available messages and calls handle for each. */
void link_read(struct link *l, void (*handle)(Envelope *env, void *user), void *user);
