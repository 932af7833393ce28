/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/frame.h - bytes of a stream in, whole frames out; the reading half of the wire and of conn
 *
 * Fill what frame_buffer_space() offers, say how much by frame_buffer_filled(), take frames by
 * frame_buffer_next().  The buffer grows with what has arrived, not with what a length promises, so
 * a peer cannot make us allocate what it does not send. */
#pragma once

#include "lib/base.h"

#define FRAME_HEADER 4

struct frame_buffer;

/* limit: bytes of one message, without its length; up to UINT32_MAX. */
struct frame_buffer *frame_buffer_new(size_t limit);
struct frame_buffer *frame_buffer_free(struct frame_buffer *b); /* takes NULL, returns NULL */
void frame_buffer_set_limit(struct frame_buffer *b, size_t limit);
size_t frame_buffer_limit(const struct frame_buffer *b);
/* Room for the next read, at least one byte.  Frames taken before are overwritten. */
uint8_t *frame_buffer_space(struct frame_buffer *b, size_t *ret_size);
/* Nothing comes for now: a buffer that holds nothing gives its memory back. */
void frame_buffer_trim(struct frame_buffer *b);
void frame_buffer_filled(struct frame_buffer *b, size_t size);
/* 1: *ret is one whole message, borrowed until the next space(); 0: not there yet; -EBADMSG: a
   length of 0; -EMSGSIZE: a length beyond the limit.  After a failure the stream cannot be read on.
 */
int frame_buffer_next(struct frame_buffer *b, const uint8_t **ret, size_t *ret_size);
/* What frame_buffer_next() would answer, without taking it. */
int frame_buffer_peek(const struct frame_buffer *b);
/* Bytes of a message that has begun: what is lost if the stream ends here. */
size_t frame_buffer_rest(const struct frame_buffer *b);
size_t frame_buffer_size(const struct frame_buffer *b); /* bytes of memory that it takes */

static inline void frame_put_length(uint8_t *p, size_t size) {
        p[0] = (uint8_t)(size >> 24);
        p[1] = (uint8_t)(size >> 16);
        p[2] = (uint8_t)(size >> 8);
        p[3] = (uint8_t)size;
}
static inline size_t frame_get_length(const uint8_t *p) {
        return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}
