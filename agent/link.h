/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/link.h - the step daemon's side of its socket: one slumberd at a time, nothing blocks */
#pragma once

#include "lib/frame.h"
#include "lib/wire.h"

struct link {
        int fd; /* -1: not connected */
        struct frame_buffer in;
        uint8_t *out;
        size_t out_size, out_allocated;
};

void link_init(struct link *l);
void link_done(struct link *l);
void link_accept(struct link *l, int fd); /* takes fd over; the peer before is dropped */
void link_drop(struct link *l);
bool link_up(const struct link *l);
/* Queues; nothing when it is not connected. */
void link_send(struct link *l, Envelope *env);
/* Writes what the peer takes.  Drops the link when it is broken. */
void link_flush(struct link *l);
/* Reads what is there and calls handle for each message. */
void link_read(struct link *l, void (*handle)(Envelope *env, void *user), void *user);
