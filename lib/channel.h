/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/channel.h - one end of a connection of X11 (docs/launch.md), whose bytes go both ways by
 * StepIo: each end counts them and keeps what the other one has not taken
 *
 * A channel ends for both at once, as there is nothing to say to a program that has closed its
 * connection.  Pure: bytes go in and out, the caller has the descriptor. */
#pragma once

#include "lib/wire.h"

#define CHANNEL_WINDOW STEP_WINDOW /* bytes in each direction that the other end has not taken */
/* Many share what is kept of them: each has a smaller window then, not below the least. */
#define CHANNEL_SHARED ((size_t)1 << 20)
#define CHANNEL_LEAST  ((size_t)4 << 10)
/* StepIo.offset of an end that waits for nothing any more: the channel is not known there */
#define CHANNEL_CLOSED UINT64_MAX

struct channel_bytes {
        uint8_t *data;
        size_t size, allocated;
};

struct channel { /* zeroed: it begins */
        /* to the other end: what it has not taken, from taken on */
        struct channel_bytes kept;
        uint64_t taken, sent;
        bool ended, end_sent;
        /* from it: what waits to be written, up to had */
        struct channel_bytes waits;
        uint64_t had, told;
        bool end_came;
        bool asks; /* the other end is to send again */
};

void channel_done(struct channel *c);
/* ---- to the other end ---- */
/* How many bytes are to be put; n: channels that there are between both ends, this one included. */
size_t channel_room(const struct channel *c, size_t n);
/* size: what there is room for, or of a channel that has nothing yet at most CHANNEL_LEAST */
void channel_put(struct channel *c, const void *data, size_t size);
void channel_end(struct channel *c); /* no more is put */
/* The next message, with at most so many bytes, which are the channel's: data, offset, eof, taken
   and resume of *io are set.  false: there is none now. */
bool channel_next(struct channel *c, size_t most, Slumber__StepIo *io);
/* What was under way is lost: all that was not taken goes again, both ways. */
void channel_again(struct channel *c);
/* ---- from it ---- */
size_t channel_held(const struct channel *c); /* bytes of memory that it takes */
/* -EPROTO: more than it may send.  Bytes behind a gap are dropped: they come again. */
int channel_take(struct channel *c, const Slumber__StepIo *io);
const uint8_t *channel_waiting(const struct channel *c, size_t *ret_size); /* to be written */
void channel_written(struct channel *c, size_t size);
bool channel_is_over(const struct channel *c); /* all that came before its end is written */
/* The message that says so, or that a channel is not known; *io is zeroed before. */
void channel_say_closed(uint32_t id, Slumber__StepIo *io);
static inline bool channel_says_closed(const Slumber__StepIo *io) {
        return io->eof && io->offset == CHANNEL_CLOSED;
}
