/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/frame.h - splits a stream of bytes into frames; the reading half of wire and conn
 *
 * Usage: read into frame_buffer_space(), report the size by frame_buffer_filled(), take frames by
 * frame_buffer_next(). The buffer grows with received bytes, not with announced lengths, so that a
 * peer cannot force large allocations by a false length. */
#pragma once

#include "lib/base.h"

#define FRAME_HEADER 4

struct frame_buffer;

/* limit: maximum bytes of a message without its length; up to UINT32_MAX. */
struct frame_buffer *frame_buffer_new(size_t limit);
struct frame_buffer *frame_buffer_free(struct frame_buffer *b); /* takes NULL, returns NULL */
void frame_buffer_set_limit(struct frame_buffer *b, size_t limit);
size_t frame_buffer_limit(const struct frame_buffer *b);
/* Returns room for the next read, at least one byte. Invalidates frames taken before. */
uint8_t *frame_buffer_space(struct frame_buffer *b, size_t *ret_size);
/* Frees the memory of an empty buffer; called when no data is expected for now. */
void frame_buffer_trim(struct frame_buffer *b);
void frame_buffer_filled(struct frame_buffer *b, size_t size);
/* 1: *ret is one whole message, borrowed until the next frame_buffer_space(); 0: incomplete;
   -EBADMSG: length 0; -EMSGSIZE: length beyond the limit. After a failure the stream cannot be read
   any more. */
int frame_buffer_next(struct frame_buffer *b, const uint8_t **ret, size_t *ret_size);
/* Returns the result of frame_buffer_next() without taking the message. */
int frame_buffer_peek(const struct frame_buffer *b);
/* Bytes of an incomplete message, lost if the stream ends now. */
size_t frame_buffer_rest(const struct frame_buffer *b);
size_t frame_buffer_size(const struct frame_buffer *b); /* bytes of memory in use */

static inline void frame_put_length(uint8_t *p, size_t size) {
        p[0] = (uint8_t)(size >> 24);
        p[1] = (uint8_t)(size >> 16);
        p[2] = (uint8_t)(size >> 8);
        p[3] = (uint8_t)size;
}
static inline size_t frame_get_length(const uint8_t *p) {
        return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}
