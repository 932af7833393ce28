/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun --label with files written by this node: whole lines of a task, each preceded by the task's
 * rank.
 *
 * The task writes to a pipe, and lines for the file wait in the stream's queue. The file is written
 * without blocking (a FIFO may have no reader) and as the user, whose quota counts. When the file
 * cannot be written, the pipe is closed, so that the task's next write fails. */
#include "agent/step/base/stepd.h"

#include <fcntl.h>

#define KEPT_MAX ((size_t)64 << 10) /* bytes of an unfinished line; longer lines are split */

struct labels {
        int fd;     /* borrowed from step->outputs */
        char *line; /* the unfinished line */
        size_t size, allocated;
};

void stream_label(struct stream *p, int fd) {
        (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        p->labels = xnew0(struct labels, 1);
        p->labels->fd = fd;
}

void labels_free(struct labels *l) {
        if (!l)
                return;
        free(l->line);
        free(l);
}

static void labels_keep_rest(struct labels *l, const char *data, size_t size) {
        if (l->size + size > l->allocated) {
                l->allocated = (l->size + size) * 2;
                l->line = xrenew(l->line, l->allocated);
        }
        memcpy(l->line + l->size, data, size);
        l->size += size;
}

/* Queues a labelled line: the unfinished line followed by size bytes of data. */
static void put_line(struct step *s, struct task *t, int number, const char *data, size_t size) {
        struct labels *l = t->stream[number].labels;
        char label[16];
        int n = snprintf(label, sizeof label, "%u: ", t->rank);

        stream_put(s, t, number, label, (size_t)n);
        stream_put(s, t, number, l->line, l->size);
        stream_put(s, t, number, data, size);
        if (size == 0 || data[size - 1] != '\n')
                stream_put(s, t, number, "\n", 1);
        l->size = 0;
}

void labels_add(struct step *s, struct task *t, int number, const void *data, size_t size) {
        struct labels *l = t->stream[number].labels;

        for (const char *p = data, *end = p + size; p < end;) {
                const char *newline = memchr(p, '\n', (size_t)(end - p));
                size_t n = (size_t)((newline ? newline + 1 : end) - p);

                if (newline || l->size + n > KEPT_MAX)
                        put_line(s, t, number, p, n);
                else
                        labels_keep_rest(l, p, n);
                p += n;
        }
}

void labels_finish(struct step *s, struct task *t, int number) {
        if (t->stream[number].labels->size)
                put_line(s, t, number, NULL, 0);
}

bool labels_wait(const struct task *t, int number) {
        return t->stream[number].labels && t->stream[number].queued > 0;
}

int labels_fd(const struct task *t, int number) {
        return t->stream[number].labels->fd;
}

static ssize_t write_as_user(struct step *s, int fd, const void *data, size_t size) {
        int r = step_put_on_user(s);
        ssize_t n = r < 0 ? r : write(fd, data, size);

        if (r >= 0 && n < 0)
                n = -errno;
        r = step_take_off_user();
        return r < 0 ? r : n;
}

void labels_write(struct step *s, struct task *t, int number) {
        struct stream *p = &t->stream[number];
        ssize_t n = write_as_user(s, p->labels->fd, p->queue, p->queued);

        if (n == -EAGAIN || n == -EINTR)
                return;
        if (n >= 0) {
                stream_taken(s, t, number, (size_t)n);
                return;
        }
        fprintf(stderr, "slumberstepd: job %u: a file of task %u cannot be written: %s\n",
                        s->credential->job_id, t->rank, strerror((int)-n));
        labels_drop(s, t, number);
}

void labels_drop(struct step *s, struct task *t, int number) {
        struct stream *p = &t->stream[number];

        if (p->fd >= 0)
                close(TAKE_FD(p->fd));
        p->labels->size = 0;
        stream_taken(s, t, number, p->queued);
}
