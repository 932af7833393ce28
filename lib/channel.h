/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/channel.h - one end of a forwarded X11 connection (docs/launch.md)
 *
 * Bytes go both ways by StepIo. Each end counts bytes and keeps a copy of sent bytes until the
 * other end has acknowledged them (StepIo.taken).
 *
 * Both directions end together: a program that has closed the connection reads nothing more. Pure:
 * the caller owns the descriptor and moves the bytes. */
#pragma once

#include "lib/wire.h"

#define CHANNEL_WINDOW STEP_WINDOW /* bytes in each direction without acknowledgement */
/* Memory shared by all channels between two ends: with many channels each window is smaller, but at
   least CHANNEL_LEAST. */
#define CHANNEL_SHARED ((size_t)1 << 20)
#define CHANNEL_LEAST  ((size_t)4 << 10)
/* StepIo.offset sent by an end that does not know the channel (any more) */
#define CHANNEL_CLOSED UINT64_MAX

struct channel_bytes {
        uint8_t *data;
        size_t size, allocated;
};

struct channel { /* zeroed: a new channel */
        /* Bytes for the other end without acknowledgement; kept starts at offset taken. */
        struct channel_bytes kept;
        uint64_t taken, sent;
        bool ended, end_sent;
        /* Bytes from the other end not yet written; waits ends at offset had. told: last
           acknowledgement sent. */
        struct channel_bytes waits;
        uint64_t had, told;
        bool end_came;
        bool asks; /* the other end has to send again */
};

void channel_done(struct channel *c);
/* ---- to the other end ---- */
/* Returns how many bytes channel_put() may add; n: number of channels between both ends, including
   c. */
size_t channel_room(const struct channel *c, size_t n);
/* Queues size bytes, at most channel_room(); at most CHANNEL_LEAST before anything else was put. */
void channel_put(struct channel *c, const void *data, size_t size);
void channel_end(struct channel *c); /* the local end puts no more bytes */
/* Sets data (borrowed, at most so many bytes), offset, eof, taken and resume of *io to the next
   message. false: nothing to send now. */
bool channel_next(struct channel *c, size_t most, Slumber__StepIo *io);
/* Resends all bytes without acknowledgement and asks the other end to resend: after a lost
   connection. */
void channel_again(struct channel *c);
/* ---- from the other end ---- */
size_t channel_held(const struct channel *c); /* bytes of memory in use */
/* Takes a message. -EPROTO: more bytes than the window. Bytes behind a gap are dropped: the other
   end sends them again. */
int channel_take(struct channel *c, const Slumber__StepIo *io);
const uint8_t *channel_waiting(const struct channel *c, size_t *ret_size); /* bytes to write */
void channel_written(struct channel *c, size_t size);
/* the other end has ended and all bytes are written */
bool channel_is_over(const struct channel *c);
/* Makes the message for a channel that is over or unknown; the caller has zeroed *io. */
void channel_say_closed(uint32_t id, Slumber__StepIo *io);
static inline bool channel_says_closed(const Slumber__StepIo *io) {
        return io->eof && io->offset == CHANNEL_CLOSED;
}
