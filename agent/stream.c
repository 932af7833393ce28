/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks' pipes and the client's StepIo.
 *
 * Output: at most STEP_WINDOW bytes of a stream are beyond what the client has acknowledged; when the
 * window is full, or nobody is at the link, the pipe is left alone and the task waits in its write.
 * Input: bytes are queued per task and credited when every task that gets them has taken them, so a
 * client that keeps to its window never makes us hold more than STEP_WINDOW per task. */
#include "agent/stepd.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#define CHUNK           (64u << 10)
#define LINK_QUEUE_MAX  (1u << 20) /* bytes for slumberd before pipes are left alone */
#define STREAM_TEXT_MAX 1024

void stream_done(struct stream *stream) {
        if (stream->fd >= 0)
                close(stream->fd);
        free(stream->queue);
        *stream = (struct stream){ .fd = -1 };
}

static void send_io(struct step *s, Slumber__StepIo *io) {
        io->job_id = s->credential->job_id;
        io->step_id = s->credential->step_id;
        io->node = s->spec->node;
        ENVELOPE(env, STEP_IO, step_io, io);
        link_send(&s->link, &env);
}

bool stream_wants_read(const struct step *s, const struct task *t, int number) {
        const struct stream *p = &t->stream[number];

        if (number == STREAM_IN || p->fd < 0)
                return false;
        return s->nobody_reads || (link_up(&s->link) && p->unacknowledged < STEP_WINDOW &&
                                                  s->link.out_size < LINK_QUEUE_MAX);
}

void stream_send_text(struct step *s, struct task *t, int number, const char *text, size_t size) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.rank = t->rank;
        io.stream = (uint32_t)number;
        io.data.data = (uint8_t *)text;
        io.data.len = size;
        t->stream[number].unacknowledged += size;
        send_io(s, &io);
}

static void send_eof(struct step *s, struct task *t, int number) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.rank = t->rank;
        io.stream = (uint32_t)number;
        io.eof = true;
        send_io(s, &io);
}

void stream_read(struct step *s, struct task *t, int number) {
        static char buf[CHUNK];
        struct stream *p = &t->stream[number];
        size_t room = s->nobody_reads ? CHUNK : STEP_WINDOW - p->unacknowledged;
        ssize_t n = read(p->fd, buf, MIN(room, CHUNK));

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n <= 0) {
                close(TAKE_FD(p->fd));
                send_eof(s, t, number);
        } else if (!s->nobody_reads) {
                stream_send_text(s, t, number, buf, (size_t)n);
        }
}

bool step_drained(const struct step *s) {
        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        if (s->tasks[i].stream[k].fd >= 0)
                                return false;
        return s->link.out_size == 0;
}

void step_forget_credit(struct step *s) {
        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        s->tasks[i].stream[k].unacknowledged = 0;
}

/* ---- input ---- */

bool stream_wants_write(const struct task *t) {
        const struct stream *p = &t->stream[STREAM_IN];

        return p->fd >= 0 && p->queued > 0;
}

static void send_credit(struct step *s, uint32_t rank, uint64_t bytes) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.rank = rank;
        io.stream = STREAM_IN;
        io.credit = (uint32_t)MIN(bytes, UINT32_MAX);
        if (io.credit)
                send_io(s, &io);
}

/* What every task has taken of the input that goes to all. */
static void credit_broadcast(struct step *s) {
        uint64_t least = UINT64_MAX;

        for (size_t i = 0; i < s->n_tasks; i++)
                least = MIN(least, s->tasks[i].stream[STREAM_IN].consumed);
        if (least > s->in_acknowledged) {
                send_credit(s, RANK_ALL, least - s->in_acknowledged);
                s->in_acknowledged = least;
        }
}

static void consumed(struct step *s, struct task *t, size_t n) {
        t->stream[STREAM_IN].consumed += n;
        if (s->in_to_all)
                credit_broadcast(s);
        else
                send_credit(s, t->rank, n);
}

static void close_input(struct step *s, struct task *t) {
        struct stream *p = &t->stream[STREAM_IN];
        size_t rest = p->queued;

        if (p->fd >= 0)
                close(TAKE_FD(p->fd));
        p->queued = 0;
        if (rest)
                consumed(s, t, rest);
}

void stream_write(struct step *s, struct task *t) {
        struct stream *p = &t->stream[STREAM_IN];
        ssize_t n = write(p->fd, p->queue, p->queued);

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n < 0) { /* the task does not read any more: what is left counts as read */
                close_input(s, t);
                return;
        }
        memmove(p->queue, p->queue + n, p->queued - (size_t)n);
        p->queued -= (size_t)n;
        consumed(s, t, (size_t)n);
        if (p->finish && p->queued == 0)
                close_input(s, t);
}

static void take_input(struct step *s, struct task *t, const Slumber__StepIo *io) {
        struct stream *p = &t->stream[STREAM_IN];
        size_t n = io->data.len;

        if (n > 0 && (p->fd < 0 || p->queued + n > STEP_WINDOW)) {
                consumed(s, t, n); /* nobody takes it, or the client broke its promise */
                return;
        }
        if (n > 0) {
                if (!p->queue)
                        p->queue = xmalloc(STEP_WINDOW);
                memcpy(p->queue + p->queued, io->data.data, n);
                p->queued += n;
        }
        p->finish = p->finish || io->eof;
        if (p->queued)
                stream_write(s, t);
        else if (p->finish)
                close_input(s, t);
}

static void take_credit(struct task *t, const Slumber__StepIo *io) {
        struct stream *p = &t->stream[io->stream];

        p->unacknowledged -= MIN(p->unacknowledged, io->credit);
}

void step_io(struct step *s, const Slumber__StepIo *io) {
        if (io->stream >= STREAM_MAX)
                return;
        if (io->stream != STREAM_IN && io->eof) {
                s->nobody_reads = true; /* the client is gone or does not listen any more */
                return;
        }
        s->in_to_all = io->stream == STREAM_IN ? io->rank == RANK_ALL : s->in_to_all;
        for (size_t i = 0; i < s->n_tasks; i++) {
                struct task *t = &s->tasks[i];

                if (io->rank != RANK_ALL && io->rank != t->rank)
                        continue;
                if (io->stream == STREAM_IN)
                        take_input(s, t, io);
                else
                        take_credit(t, io);
        }
}
