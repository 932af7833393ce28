/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/frame.h"

/* Minimum room for one read of a busy stream. */
#define SPACE_MIN ((size_t)4 << 10)
/* An empty buffer above this size is freed: a daemon has thousands of connections. */
#define KEEP_MAX ((size_t)64 << 10)

struct frame_buffer {
        uint8_t *data;
        size_t allocated;
        size_t start, end; /* received bytes not yet taken */
        size_t limit;
};

struct frame_buffer *frame_buffer_new(size_t limit) {
        struct frame_buffer *b = xnew0(struct frame_buffer, 1);

        frame_buffer_set_limit(b, limit);
        return b;
}

struct frame_buffer *frame_buffer_free(struct frame_buffer *b) {
        if (b)
                free(b->data);
        free(b);
        return NULL;
}

void frame_buffer_set_limit(struct frame_buffer *b, size_t limit) {
        assert(limit > 0 && limit <= UINT32_MAX);
        b->limit = limit;
}

size_t frame_buffer_limit(const struct frame_buffer *b) {
        return b->limit;
}

size_t frame_buffer_rest(const struct frame_buffer *b) {
        return b->end - b->start;
}

size_t frame_buffer_size(const struct frame_buffer *b) {
        return b->allocated;
}

static void move_to_front(struct frame_buffer *b) {
        if (b->start == 0)
                return;
        memmove(b->data, b->data + b->start, b->end - b->start);
        b->end -= b->start;
        b->start = 0;
}

/* Returns the missing bytes of the first message; 0 while its length is unknown. */
static size_t frame_missing_bytes(const struct frame_buffer *b) {
        size_t have = b->end - b->start;

        if (have < FRAME_HEADER)
                return 0;
        size_t want = FRAME_HEADER + frame_get_length(b->data + b->start);
        return want > have && want - FRAME_HEADER <= b->limit ? want - have : 0;
}

uint8_t *frame_buffer_space(struct frame_buffer *b, size_t *ret_size) {
        if (b->start == b->end) {
                b->start = b->end = 0;
                if (b->allocated > KEEP_MAX) {
                        free(TAKE(b->data));
                        b->allocated = 0;
                }
        }
        if (b->allocated - b->end < SPACE_MIN)
                move_to_front(b);
        if (b->allocated - b->end < SPACE_MIN) {
                /* Doubles the room, but beyond a minimum never exceeds the need of the first
                   message. */
                size_t more = MIN(frame_missing_bytes(b), b->end);
                b->allocated = b->end + MAX(more, 4 * SPACE_MIN);
                b->data = xrenew(b->data, b->allocated);
        }
        *ret_size = b->allocated - b->end;
        return b->data + b->end;
}

void frame_buffer_trim(struct frame_buffer *b) {
        if (b->start < b->end)
                return;
        free(TAKE(b->data));
        b->allocated = b->start = b->end = 0;
}

void frame_buffer_filled(struct frame_buffer *b, size_t size) {
        assert(size <= b->allocated - b->end);
        b->end += size;
}

int frame_buffer_peek(const struct frame_buffer *b) {
        size_t have = b->end - b->start;

        if (have < FRAME_HEADER)
                return 0;
        size_t size = frame_get_length(b->data + b->start);
        if (size == 0)
                return -EBADMSG;
        if (size > b->limit)
                return -EMSGSIZE;
        return have - FRAME_HEADER >= size;
}

int frame_buffer_next(struct frame_buffer *b, const uint8_t **ret, size_t *ret_size) {
        int r = frame_buffer_peek(b);

        if (r <= 0)
                return r;
        *ret_size = frame_get_length(b->data + b->start);
        *ret = b->data + b->start + FRAME_HEADER;
        b->start += FRAME_HEADER + *ret_size;
        return 1;
}
