/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream as a stranger may send it, through the same parser and unpacker that the wire and conn
   use.  The first byte says in which pieces it arrives: the same frames must come out however it is
   cut.  What unpacks and can be relayed unpacks again. */
#include "lib/frame.h"
#include "lib/wire.h"

#define LIMIT ((size_t)64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_message(const uint8_t *data, size_t size) {
        _cleanup_envelope_ Envelope *env = NULL, *again = NULL;
        _cleanup_free_ uint8_t *frame = NULL;
        size_t frame_size;

        if (wire_unpack(data, size, &env) < 0)
                return;
        assert(env->version == WIRE_VERSION);
        int r = wire_pack_relayed(env, &frame, &frame_size);
        if (r == -EMSGSIZE)
                return;
        assert(r == 0);
        assert(frame_get_length(frame) == frame_size - FRAME_HEADER);
        if (wire_unpack(frame + FRAME_HEADER, frame_size - FRAME_HEADER, &again) < 0)
                abort();
        assert(again->body_case == env->body_case && again->id == env->id);
}

/* Returns the number of frames, or the error that ended the stream. */
static int parse(const uint8_t *data, size_t size, size_t piece, size_t *ret_bytes) {
        struct frame_buffer *b = NULL;
        size_t room, message_size;
        const uint8_t *message;
        int n = 0, r = 0;

        b = frame_buffer_new(LIMIT);
        *ret_bytes = 0;
        while (size > 0 && r == 0) {
                uint8_t *space = frame_buffer_space(b, &room);
                size_t now = MIN(MIN(piece, room), size);

                assert(now > 0);
                memcpy(space, data, now);
                frame_buffer_filled(b, now);
                data += now;
                size -= now;
                while ((r = frame_buffer_next(b, &message, &message_size)) > 0) {
                        assert(message_size > 0 && message_size <= LIMIT);
                        check_message(message, message_size);
                        *ret_bytes += message_size;
                        n++;
                }
        }
        frame_buffer_free(b);
        return r < 0 ? r : n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        size_t whole, cut;

        if (size < 1)
                return 0;
        int a = parse(data + 1, size - 1, SIZE_MAX, &whole);
        int b = parse(data + 1, size - 1, data[0] + 1u, &cut);
        assert(a == b);
        assert(whole == cut);
        return 0;
}
