/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue of a task's stream: bytes in order, and the count of bytes taken. */
#include "agent/step/base/stepd.h"

#define KEPT (4u << 10) /* an empty queue up to this size is not freed */

void stream_queue_put(struct stream *p, const void *data, size_t size) {
        if (p->queued + size > p->allocated) {
                p->allocated = MAX(p->allocated * 2, p->queued + size);
                p->queue = xrenew(p->queue, p->allocated);
        }
        if (size)
                memcpy(p->queue + p->queued, data, size);
        p->queued += size;
}

void stream_queue_taken(struct stream *p, size_t n) {
        p->queued -= n;
        p->taken += n;
        if (p->queued == 0) {
                p->taken += p->skipped;
                p->skipped = 0;
        }
        if (p->queued) {
                memmove(p->queue, p->queue + n, p->queued);
        } else if (p->allocated > KEPT) {
                free(TAKE(p->queue));
                p->allocated = 0;
        }
}

void stream_put(struct step *s, struct task *t, int number, const void *data, size_t size) {
        stream_queue_put(&t->stream[number], data, size);
        s->held += size;
}

void stream_taken(struct step *s, struct task *t, int number, size_t size) {
        struct stream *p = &t->stream[number];

        stream_queue_taken(p, size);
        p->sent = MAX(p->sent, p->taken);
        s->held -= MIN(s->held, size);
}
