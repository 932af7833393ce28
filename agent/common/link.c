/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/link.h"

#include "lib/frame.h"

#include <sys/socket.h>

struct link {
        int fd; /* -1: not connected */
        struct frame_buffer *in;
        uint8_t *out;
        size_t out_size, out_allocated;
};

struct link *link_new(void) {
        struct link *l = xnew0(struct link, 1);

        l->fd = -1;
        l->in = frame_buffer_new(WIRE_FRAME_MAX);
        return l;
}

void link_drop(struct link *l) {
        if (l->fd >= 0)
                close(l->fd);
        l->fd = -1;
        l->out_size = 0;
        frame_buffer_free(l->in);
        l->in = frame_buffer_new(WIRE_FRAME_MAX);
}

struct link *link_free(struct link *l) {
        if (!l)
                return NULL;
        link_drop(l);
        frame_buffer_free(l->in);
        free(l->out);
        free(l);
        return NULL;
}

void link_accept(struct link *l, int fd) {
        link_drop(l);
        l->fd = fd;
}

bool link_up(const struct link *l) {
        return l->fd >= 0;
}

int link_fd(const struct link *l) {
        return l->fd;
}

size_t link_queued(const struct link *l) {
        return l->out_size;
}

void link_send(struct link *l, Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;

        env->version = WIRE_VERSION;
        if (!link_up(l) || wire_pack(env, &frame, &size) < 0)
                return;
        if (l->out_size + size > l->out_allocated) {
                l->out_allocated = MAX(l->out_allocated * 2, l->out_size + size);
                l->out = xrenew(l->out, l->out_allocated);
        }
        memcpy(l->out + l->out_size, frame, size);
        l->out_size += size;
        link_flush(l);
}

void link_flush(struct link *l) {
        size_t sent = 0;

        while (sent < l->out_size) {
                ssize_t n = send(l->fd, l->out + sent, l->out_size - sent,
                                MSG_NOSIGNAL | MSG_DONTWAIT);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0 && errno == EAGAIN)
                        break;
                if (n <= 0) {
                        link_drop(l);
                        return;
                }
                sent += (size_t)n;
        }
        if (sent)
                memmove(l->out, l->out + sent, l->out_size - sent);
        l->out_size -= sent;
}

static bool link_next_message(struct link *l, Envelope **ret) {
        const uint8_t *data;
        size_t size;
        int r = frame_buffer_next(l->in, &data, &size);

        if (r > 0)
                r = wire_unpack(data, size, ret) < 0 ? -EBADMSG : 1;
        if (r < 0)
                link_drop(l);
        return r > 0;
}

void link_read(struct link *l, void (*handle)(Envelope *env, void *user), void *user) {
        while (link_up(l)) {
                size_t size;
                uint8_t *space = frame_buffer_space(l->in, &size);
                ssize_t n = recv(l->fd, space, size, MSG_DONTWAIT);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0 && errno == EAGAIN)
                        return;
                if (n <= 0) {
                        link_drop(l);
                        return;
                }
                frame_buffer_filled(l->in, (size_t)n);
                for (;;) {
                        _cleanup_envelope_ Envelope *env = NULL;

                        if (!link_next_message(l, &env))
                                break;
                        handle(env, user);
                }
                if ((size_t)n < size) /* poll() reports further data */
                        return;
        }
}
