/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/reliable.h - messages between two nodes of a step: each arrives once and in its
 * order, whatever gets lost on the way
 *
 * One struct reliable is the end of one node: what it sends to the other, numbered from 1 and kept
 * until that has acknowledged it, and what it has had from there.  It does no I/O and reads no
 * clock; now is CLOCK_MONOTONIC.  A large message goes in several pieces, each with a number. */
#pragma once

#include "lib/base.h"

/* of data in one piece: others on the same connection do not wait for more */
#define RELIABLE_PIECE ((size_t)256 << 10)
/* bytes that are under way to one node: with more, a node that takes nothing would fill slumberds
 */
#define RELIABLE_WINDOW ((size_t)1 << 20)

/* Bytes that several messages share. */
struct shared_bytes {
        unsigned refs;
        size_t size;
        uint8_t data[];
};
struct shared_bytes *shared_bytes_new(size_t size); /* not filled */
struct shared_bytes *shared_bytes_ref(struct shared_bytes *b);
struct shared_bytes *shared_bytes_unref(struct shared_bytes *b); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct shared_bytes *, shared_bytes_unref)

/* As it goes over the wire; data is borrowed. */
struct reliable_piece {
        uint64_t serial;       /* 0: it says what has been had, and nothing else */
        uint64_t acknowledged; /* its sender has had all up to here */
        bool repeat;           /* its sender misses what comes behind that */
        uint32_t kind;
        bool more; /* the next piece goes on with this message */
        const uint8_t *data;
        size_t size;
};

struct reliable;

struct reliable *reliable_new(size_t message_max);  /* bytes of a message that comes in */
struct reliable *reliable_free(struct reliable *q); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct reliable *, reliable_free)

/* ---- sending ---- */
/* Takes a reference. */
void reliable_put(struct reliable *q, uint32_t kind, struct shared_bytes *data);
/* true: *ret is to be sent now, and counts as sent. */
bool reliable_next(struct reliable *q, usec_t now, struct reliable_piece *ret);
/* The other node could not be reached: it is tried again after a pause, which grows. */
void reliable_undelivered(struct reliable *q, usec_t now);
/* What was sent may be lost, both ways: it is sent again, and what was had is told again. */
void reliable_resume(struct reliable *q);
/* When reliable_next() may have something without an event; USEC_INFINITY: never. */
usec_t reliable_due(const struct reliable *q);
/* Memory of what waits for its acknowledgement: bytes, and about what a piece costs besides. */
#define RELIABLE_EXTRA ((size_t)128)
size_t reliable_held(const struct reliable *q);
bool reliable_idle(const struct reliable *q);  /* nothing is to be sent or acknowledged */
bool reliable_heard(const struct reliable *q); /* something has come from there */

/* ---- receiving ---- */
struct reliable_message {
        uint32_t kind;
        const uint8_t *data; /* until the next call */
        size_t size;
};
/* 1: *ret is a whole message; 0: nothing yet, or it was here already; -EMSGSIZE: the message is
   longer than it may be; -EBADMSG: it cannot be. */
int reliable_receive(struct reliable *q, const struct reliable_piece *piece,
                struct reliable_message *ret);
