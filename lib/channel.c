/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/channel.h"

/* bytes taken before an acknowledgement is sent while more bytes wait to be written */
#define TELL_AFTER (CHANNEL_WINDOW / 4)

/* At most CHANNEL_WINDOW bytes in total. */
static void channel_bytes_append(struct channel_bytes *b, const void *data, size_t size) {
        if (b->size + size > b->allocated) {
                b->allocated = MIN(MAX(2 * b->allocated, b->size + size), (size_t)CHANNEL_WINDOW);
                b->data = xrenew(b->data, b->allocated);
        }
        if (size)
                memcpy(b->data + b->size, data, size);
        b->size += size;
}

static void channel_bytes_drop(struct channel_bytes *b, size_t size) {
        b->size -= size;
        if (b->size) {
                memmove(b->data, b->data + size, b->size);
                return;
        }
        free(TAKE(b->data));
        b->allocated = 0;
}

void channel_done(struct channel *c) {
        free(c->kept.data);
        free(c->waits.data);
        *c = (struct channel){ 0 };
}

/* ---- to the other end ---- */

size_t channel_room(const struct channel *c, size_t n) {
        size_t window = MIN((size_t)CHANNEL_WINDOW, CHANNEL_SHARED / MAX(n, (size_t)1));

        window = MAX(window, CHANNEL_LEAST);
        return c->ended || c->kept.size >= window ? 0 : window - c->kept.size;
}

void channel_put(struct channel *c, const void *data, size_t size) {
        assert(!c->ended && size <= CHANNEL_WINDOW - c->kept.size);
        channel_bytes_append(&c->kept, data, size);
}

void channel_end(struct channel *c) {
        c->ended = true;
}

static bool tells_taken(const struct channel *c) {
        uint64_t untold = c->had - c->waits.size - c->told;

        return untold >= TELL_AFTER || (untold && c->waits.size == 0);
}

bool channel_next(struct channel *c, size_t most, Slumber__StepIo *io) {
        uint64_t end = c->taken + c->kept.size;
        bool last = c->ended && !c->end_sent && end - c->sent <= most;

        if (c->sent == end && !last && !tells_taken(c) && !c->asks)
                return false;
        io->offset = c->sent;
        io->data.len = (size_t)MIN(end - c->sent, (uint64_t)most);
        io->data.data = io->data.len ? c->kept.data + (c->sent - c->taken) : NULL;
        io->eof = last;
        io->taken = c->told = c->had - c->waits.size;
        io->resume = c->asks;
        c->sent += io->data.len;
        c->end_sent |= last;
        c->asks = false;
        return true;
}

void channel_again(struct channel *c) {
        c->sent = c->taken;
        c->end_sent = false;
        c->asks = true;
}

/* ---- from the other end ---- */

size_t channel_held(const struct channel *c) {
        return c->kept.allocated + c->waits.allocated;
}

static void channel_take_acknowledged(struct channel *c, const Slumber__StepIo *io) {
        uint64_t end = c->taken + c->kept.size;

        if (io->taken > c->taken && io->taken <= end) {
                channel_bytes_drop(&c->kept, (size_t)(io->taken - c->taken));
                c->taken = io->taken;
                c->sent = MAX(c->sent, c->taken);
        }
        if (io->resume) {
                c->sent = c->taken;
                c->end_sent = false;
        }
}

int channel_take(struct channel *c, const Slumber__StepIo *io) {
        channel_take_acknowledged(c, io);
        if (io->offset > c->had)
                return 0;
        uint64_t known = c->had - io->offset;
        if (known < io->data.len) {
                size_t size = io->data.len - (size_t)known;
                if (size > CHANNEL_WINDOW - c->waits.size)
                        return -EPROTO;
                channel_bytes_append(&c->waits, io->data.data + known, size);
                c->had += size;
        }
        c->end_came |= io->eof && io->offset + io->data.len == c->had;
        return 0;
}

const uint8_t *channel_waiting(const struct channel *c, size_t *ret_size) {
        *ret_size = c->waits.size;
        return c->waits.data;
}

void channel_written(struct channel *c, size_t size) {
        channel_bytes_drop(&c->waits, size);
}

bool channel_is_over(const struct channel *c) {
        return c->end_came && c->waits.size == 0;
}

void channel_say_closed(uint32_t id, Slumber__StepIo *io) {
        io->rank = id;
        io->eof = true;
        io->offset = CHANNEL_CLOSED;
}
