/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/base.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>

void out_of_memory(void) {
        static const char text[] = "out of memory\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        abort();
}

void *xmalloc(size_t size) {
        void *p = malloc(size ? size : 1);
        if (!p)
                out_of_memory();
        return p;
}

void *xcalloc(size_t n, size_t size) {
        void *p = calloc(n ? n : 1, size ? size : 1);
        if (!p)
                out_of_memory();
        return p;
}

void *xrealloc_array(void *p, size_t n, size_t size) {
        p = reallocarray(p, n ? n : 1, size ? size : 1);
        if (!p)
                out_of_memory();
        return p;
}

char *xstrdup(const char *s) {
        return s ? xstrndup(s, strlen(s)) : NULL;
}

char *xstrndup(const char *s, size_t n) {
        char *p = strndup(s, n);
        if (!p)
                out_of_memory();
        return p;
}

char *text_copy_or_null(const char *s) {
        return isempty(s) ? NULL : xstrdup(s);
}

void texts_free(char **texts, size_t n) {
        for (size_t i = 0; texts && i < n; i++)
                free(texts[i]);
        free(texts);
}

void texts_set(char ***texts, size_t *n, char *const *from, size_t n_from) {
        texts_free(*texts, *n);
        *texts = n_from ? xnew(char *, n_from) : NULL;
        for (*n = 0; *n < n_from; ++*n)
                (*texts)[*n] = xstrdup(from[*n]);
}

char *xvasprintf(const char *format, va_list ap) {
        char *p = NULL;

        if (vasprintf(&p, format, ap) < 0)
                out_of_memory();
        return p;
}

char *xasprintf(const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        char *p = xvasprintf(format, ap);
        va_end(ap);
        return p;
}

/* open_memstream() of the C library reports nothing when memory is exhausted; memstream_open() ends
   the process instead. */
struct memstream {
        char **text;
        size_t *size, allocated;
};

static ssize_t memstream_write(void *cookie, const char *data, size_t n) {
        struct memstream *m = cookie;

        if (*m->size + n >= m->allocated) {
                m->allocated = MAX(2 * m->allocated, *m->size + n + 1);
                *m->text = xrenew(*m->text, m->allocated);
        }
        memcpy(*m->text + *m->size, data, n);
        *m->size += n;
        (*m->text)[*m->size] = 0;
        return (ssize_t)n;
}

/* Supports ftell() only. */
static int memstream_seek(void *cookie, off64_t *offset, int whence) {
        const struct memstream *m = cookie;

        if (whence != SEEK_CUR || *offset != 0)
                return -1;
        *offset = (off64_t)*m->size;
        return 0;
}

static int memstream_end(void *cookie) {
        free(cookie);
        return 0;
}

FILE *memstream_open(char **text, size_t *size) {
        static const cookie_io_functions_t functions = { .write = memstream_write,
                .seek = memstream_seek,
                .close = memstream_end };
        struct memstream *m = xnew0(struct memstream, 1);

        *m = (struct memstream){ .text = text, .size = size, .allocated = 1 };
        *text = xstrdup("");
        *size = 0;
        FILE *f = fopencookie(m, "w", functions);
        if (!f)
                out_of_memory();
        return f;
}

void memstream_close(FILE *f) {
        fclose(f);
}

void free_and_strdup(char **p, const char *s) {
        char *copy = xstrdup(s);
        free(*p);
        *p = copy;
}

int fd_write(int fd, const void *data, size_t size) {
        for (size_t done = 0; done < size;) {
                ssize_t n = write(fd, (const uint8_t *)data + done, size - done);
                if (n < 0 && errno != EINTR)
                        return -errno;
                if (n == 0)
                        return -ENOSPC;
                done += n > 0 ? (size_t)n : 0;
        }
        return 0;
}

void standard_streams_open(void) {
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
                if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
                        _exit(EXIT_FAILURE);
}

void boot_id(char ret[static BOOT_ID_SIZE]) {
        _cleanup_fclose_ FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

        if (!f || !fgets(ret, BOOT_ID_SIZE, f))
                strcpy(ret, "unknown");
        ret[strcspn(ret, "\n")] = 0;
}

static usec_t clock_now(clockid_t clock) {
        struct timespec ts;

        clock_gettime(clock, &ts);
        return (usec_t)ts.tv_sec * USEC_PER_SEC + (usec_t)ts.tv_nsec / 1000;
}

bool path_is_there(const char *path) {
        struct stat st;

        return lstat(path, &st) == 0;
}

usec_t now_realtime(void) {
        return clock_now(CLOCK_REALTIME);
}

usec_t now_monotonic(void) {
        return clock_now(CLOCK_MONOTONIC);
}

usec_t now_boottime(void) {
        return clock_now(CLOCK_BOOTTIME);
}
