/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks' pipes and the client's StepIo.
 *
 * Output: data of a pipe is kept until acknowledged by the client, at most STEP_WINDOW bytes of a
 * stream and HELD_MAX of the step; above the limits the pipe is not read, and the task blocks in
 * its write. No failure on the path (slumberd, the controller) loses data: both ends count bytes,
 * and data is sent again from the client's offset. The pipe of a task writing many small pieces
 * without a pause is read every few milliseconds only, so that pieces are gathered.
 *
 * Input: bytes are queued per task, and acknowledged when every task has taken them, so that a
 * client respecting its window never makes a task's queue exceed STEP_WINDOW. */
#include "agent/step/base/stepd.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#define CHUNK (64u << 10)
/* smaller room in the window is not filled: small room would lead to small pieces for ever */
#define ROOM_MIN     (16u << 10)
#define SMALL        (4u << 10) /* a smaller piece is small */
#define GATHER_AFTER 8          /* small pieces in a series before the step daemon gathers */
#define GATHER_TIME  (4 * USEC_PER_MSEC)
#define UNDER_WAY_MAX                                                                              \
        (1u << 20) /* bytes of all streams: maximum held of a step by slumberds on the path */
#define HELD_MAX                                                                                   \
        ((size_t)64 << 20) /* maximum bytes of a step: thousands of tasks with a client not reading
                              must not fill the node */
#define LINK_QUEUE_MAX (1u << 20) /* bytes for slumberd; the rest stays in the queues */

void stream_done(struct stream *stream) {
        if (stream->fd >= 0)
                close(stream->fd);
        free(stream->queue);
        labels_free(stream->labels);
        *stream = (struct stream){ .fd = -1 };
}

static void stream_send_io(struct step *s, Slumber__StepIo *io) {
        io->job_id = s->credential->job_id;
        io->step_id = s->credential->step_id;
        io->node = s->spec->node;
        ENVELOPE(env, STEP_IO, step_io, io);
        link_send(s->link, &env);
}

/* ---- output ---- */

bool stream_wants_read(struct step *s, const struct task *t, int number, usec_t now) {
        const struct stream *p = &t->stream[number];

        if (number == STREAM_IN || p->fd < 0)
                return false;
        if (s->output_unread && !p->labels)
                return true;
        if (p->queued > STEP_WINDOW - ROOM_MIN || s->held >= HELD_MAX)
                return false;
        if (s->n_running == 0 || p->small < GATHER_AFTER || p->read_again <= now)
                return true;
        s->gather_until = MIN(s->gather_until, p->read_again);
        return false;
}

static void send_output(struct step *s, const struct task *t, int number, size_t *room) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        struct stream *p = (struct stream *)&t->stream[number];
        uint64_t end = p->taken + p->queued;

        while (*room > 0 && link_up(s->link) && link_queued(s->link) < LINK_QUEUE_MAX) {
                bool last = p->open && p->fd < 0 && end - p->sent <= CHUNK;

                if (last && end == 0) /* the end of an empty stream is not sent */
                        p->open = false;
                if (p->sent == end && !(last && p->open))
                        return;
                io.rank = t->rank;
                io.stream = (uint32_t)number;
                io.offset = p->sent;
                io.data.data = p->queue ? p->queue + (p->sent - p->taken) : NULL;
                io.data.len = MIN(end - p->sent, CHUNK);
                io.eof = last;
                p->sent += io.data.len;
                *room -= MIN(*room, io.data.len);
                p->open = p->open && !last;
                stream_send_io(s, &io);
        }
}

static size_t under_way(const struct step *s) {
        size_t sum = 0;

        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        sum += (size_t)(s->tasks[i].stream[k].sent - s->tasks[i].stream[k].taken);
        return sum;
}

/* Sends output of the tasks in turns, so that the first tasks cannot use up the room. */
void step_send_output(struct step *s) {
        size_t room = UNDER_WAY_MAX - MIN(under_way(s), (size_t)UNDER_WAY_MAX);
        size_t first = s->send_first;

        for (size_t i = 0; i < s->n_tasks && room > 0; i++) {
                size_t at = (first + i) % s->n_tasks;

                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        if (!s->tasks[at].stream[k].labels)
                                send_output(s, &s->tasks[at], k, &room);
                if (room == 0)
                        s->send_first = at + 1;
        }
}

void stream_send_text(struct step *s, struct task *t, int number, const char *text, size_t size) {
        if (t->stream[number].labels)
                labels_add(s, t, number, text, size);
        else if (!s->output_unread)
                stream_put(s, t, number, text, size);
}

static void count_small(struct stream *p, size_t n, usec_t now) {
        if (n >= SMALL || now > p->read_again + GATHER_TIME)
                p->small = 0;
        else if (p->small < GATHER_AFTER)
                p->small++;
        p->read_again = now + GATHER_TIME;
}

void stream_read(struct step *s, struct task *t, int number) {
        static uint8_t buf[CHUNK];
        struct stream *p = &t->stream[number];
        bool unread = s->output_unread && !p->labels;
        ssize_t n = read(p->fd, buf, unread ? CHUNK : MIN(STEP_WINDOW - p->queued, CHUNK));

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n <= 0) {
                close(TAKE_FD(p->fd));
                if (p->labels)
                        labels_finish(s, t, number);
                return;
        }
        if (!unread)
                count_small(p, (size_t)n, now_monotonic());
        if (p->labels)
                labels_add(s, t, number, buf, (size_t)n);
        else if (!unread)
                stream_put(s, t, number, buf, (size_t)n);
}

bool step_drained(const struct step *s) {
        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        if (s->tasks[i].stream[k].fd >= 0 || s->tasks[i].stream[k].queued)
                                return false;
        return true;
}

void step_drop_output(struct step *s) {
        s->output_unread = true;
        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        if (!s->tasks[i].stream[k].labels)
                                stream_taken(s, &s->tasks[i], k, s->tasks[i].stream[k].queued);
}

void step_drop_files(struct step *s) {
        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        if (s->tasks[i].stream[k].labels)
                                labels_drop(s, &s->tasks[i], k);
}

/* ---- input ---- */

bool stream_wants_write(const struct task *t) {
        const struct stream *p = &t->stream[STREAM_IN];

        return p->fd >= 0 && p->queued > 0;
}

/* Returns the offset up to which every task has taken its input. */
static uint64_t input_taken(const struct step *s) {
        uint64_t least = UINT64_MAX;

        for (size_t i = 0; i < s->n_tasks; i++)
                least = MIN(least, s->tasks[i].stream[STREAM_IN].taken);
        return least;
}

static void say_taken(struct step *s, bool resume) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        uint64_t taken = input_taken(s);

        if (taken == s->in_acknowledged && !resume)
                return;
        s->in_acknowledged = taken;
        io.rank = RANK_ALL;
        io.stream = STREAM_IN;
        io.taken = taken;
        io.resume = resume;
        stream_send_io(s, &io);
}

static void close_input(struct step *s, struct task *t) {
        struct stream *p = &t->stream[STREAM_IN];

        if (p->fd >= 0)
                close(TAKE_FD(p->fd));
        stream_queue_taken(p, p->queued);
        say_taken(s, false);
}

void stream_write(struct step *s, struct task *t) {
        struct stream *p = &t->stream[STREAM_IN];
        ssize_t n = write(p->fd, p->queue, p->queued);

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n < 0) { /* the task does not read any more: the rest counts as read */
                close_input(s, t);
                return;
        }
        stream_queue_taken(p, (size_t)n);
        say_taken(s, false);
        if (p->finish && p->queued == 0)
                close_input(s, t);
}

static void task_input(struct step *s, struct task *t, const uint8_t *data, size_t n, bool eof) {
        struct stream *p = &t->stream[STREAM_IN];
        bool waits = (size_t)(t - s->tasks) >= s->n_started;

        if ((p->fd < 0 && !waits) || p->queued + n > STEP_WINDOW) {
                p->taken += n; /* the task has no reader, or the client exceeds its window */
                return;
        }
        stream_queue_put(p, data, n);
        if (eof && !p->finish && task_has_pty(s, t)) { /* the end of input is a key on a terminal */
                char key = pty_end_of_file(t);
                stream_queue_put(p, &key, 1);
        }
        p->finish = p->finish || eof;
        if (waits)
                return;
        if (p->queued)
                stream_write(s, t);
        else if (p->finish)
                close_input(s, t);
}

/* Counts bytes meant for other tasks only. */
static void skip_input(struct stream *p, size_t n) {
        if (p->queued)
                p->skipped += n;
        else
                p->taken += n;
}

void stream_started(struct step *s, struct task *t) {
        const struct stream *p = &t->stream[STREAM_IN];

        if (p->fd < 0 || (p->finish && p->queued == 0))
                close_input(s, t);
}

/* Bytes already received are skipped. Bytes behind a gap are not taken: the client sends them again
   (resume). */
static void take_input(struct step *s, const Slumber__StepIo *io) {
        uint64_t known = s->in_received - MIN(s->in_received, io->offset);
        size_t n = io->data.len;

        if (io->offset > s->in_received)
                return;
        if (known > 0)
                s->in_acknowledged = UINT64_MAX; /* the client missed an answer: repeated */
        if (known < n || (known == n && io->eof)) {
                s->in_received = io->offset + n;
                n -= (size_t)known;
                for (size_t i = 0; i < s->n_tasks; i++)
                        if (io->rank == RANK_ALL || io->rank == s->tasks[i].rank)
                                task_input(s, &s->tasks[i], io->data.data + known, n, io->eof);
                        else
                                skip_input(&s->tasks[i].stream[STREAM_IN], n);
        }
        say_taken(s, false);
}

/* ---- acknowledgements of the client ---- */

static void take_taken(struct step *s, struct task *t, const Slumber__StepIo *io) {
        struct stream *p = &t->stream[io->stream];
        size_t n = io->taken > p->taken ? (size_t)MIN(io->taken - p->taken, p->queued) : 0;

        stream_queue_taken(p, n);
        s->held -= MIN(s->held, n);
        p->sent = io->resume ? p->taken : MAX(p->sent, p->taken);
}

void step_resume(struct step *s) {
        for (size_t i = 0; i < s->n_tasks; i++)
                for (int k = STREAM_OUT; k < STREAM_MAX; k++)
                        s->tasks[i].stream[k].sent = s->tasks[i].stream[k].taken;
        if (s->linked)
                say_taken(s, true);
        s->linked = true;
}

void step_io(struct step *s, const Slumber__StepIo *io) {
        if (io->stream >= STREAM_MAX)
                return;
        if (io->lost) { /* slumberd now uses another way than before */
                step_resume(s);
                return;
        }
        if (io->window) {
                pty_resize(s, io->window);
                return;
        }
        if (io->stream == STREAM_IN) {
                take_input(s, io);
                return;
        }
        if (io->eof) { /* the client has ended or does not read any more */
                step_drop_output(s);
                return;
        }
        for (size_t i = 0; i < s->n_tasks; i++)
                if ((io->rank == RANK_ALL || io->rank == s->tasks[i].rank) &&
                                !s->tasks[i].stream[io->stream].labels)
                        take_taken(s, &s->tasks[i], io);
}
