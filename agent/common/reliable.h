/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/reliable.h - messages between two nodes of a step: each message arrives once and in
 * order, despite losses
 *
 * A struct reliable is the state of one node: sent messages, numbered from 1 and kept until
 * acknowledged by the peer, and the messages received from the peer. No I/O is done and no clock is
 * read; now is CLOCK_MONOTONIC. A large message is sent in several numbered pieces. */
#pragma once

#include "lib/base.h"

/* Maximum bytes of a piece, so that further messages on the connection need not wait longer. */
#define RELIABLE_PIECE ((size_t)256 << 10)
/* Maximum bytes under way to one node: with more, a node not receiving would fill the memory of
 * slumberds. */
#define RELIABLE_WINDOW ((size_t)1 << 20)

/* Reference-counted bytes shared by several messages. */
struct shared_bytes {
        unsigned refs;
        size_t size;
        uint8_t data[];
};
struct shared_bytes *shared_bytes_new(size_t size);              /* not initialized */
struct shared_bytes *shared_bytes_unref(struct shared_bytes *b); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct shared_bytes *, shared_bytes_unref)

/* A piece as sent; data is borrowed. */
struct reliable_piece {
        uint64_t serial;       /* 0: only an acknowledgement */
        uint64_t acknowledged; /* the sender has received all pieces up to here */
        bool repeat;           /* the sender misses the pieces after acknowledged */
        uint32_t kind;
        bool more; /* the message continues in the next piece */
        const uint8_t *data;
        size_t size;
};

struct reliable;

struct reliable *reliable_new(size_t message_max);  /* message_max: bytes of an incoming message */
struct reliable *reliable_free(struct reliable *q); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct reliable *, reliable_free)

/* ---- sending ---- */
/* Queues data as a message; adds a reference. */
void reliable_put(struct reliable *q, uint32_t kind, struct shared_bytes *data);
/* true: the caller sends *ret now, and the piece counts as sent. */
bool reliable_next(struct reliable *q, usec_t now, struct reliable_piece *ret);
/* The peer could not be reached: sends again after a growing pause. */
void reliable_undelivered(struct reliable *q, usec_t now);
/* The connection is new, and messages of both directions may be lost: sends unacknowledged pieces
   and the acknowledgement again. */
void reliable_resume(struct reliable *q);
/* Returns the time when reliable_next() may have a piece without an event; USEC_INFINITY: never. */
usec_t reliable_due(const struct reliable *q);
/* Returns the memory held by unacknowledged pieces: their bytes, and RELIABLE_EXTRA for each
   piece. */
#define RELIABLE_EXTRA ((size_t)128)
size_t reliable_held(const struct reliable *q);
bool reliable_idle(const struct reliable *q);  /* nothing to send or acknowledge */
bool reliable_heard(const struct reliable *q); /* the peer has sent something */

/* ---- receiving ---- */
struct reliable_message {
        uint32_t kind;
        const uint8_t *data; /* valid until the next call */
        size_t size;
};
/* Handles an incoming piece. 1: *ret is a whole message; 0: no whole message yet, or a repeated
   piece; -EMSGSIZE: the message is too long; -EBADMSG: the piece is invalid. */
int reliable_receive(struct reliable *q, const struct reliable_piece *piece,
                struct reliable_message *ret);
