/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receiver of sbcast, one per node, running as the job's user.
 *
 * A file stays nameless (O_TMPFILE) until complete, so a killed receiver leaves nothing behind. A
 * new file is then linked to its path; a replacement (-f) is linked to a temporary name and
 * renamed, and only a SIGKILL between both calls leaves the temporary file. On file systems without
 * nameless files the receiver writes a temporary file, removed by a handler for signals. */
#include "commands/command.h"
#include "commands/steps/bcast.h"

#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <zstd.h>

struct source {             /* standard input, decompressed */
        ZSTD_DStream *zstd; /* NULL: not compressed */
        char raw[1 << 16];  /* compressed bytes */
        ZSTD_inBuffer in;
        char out[1 << 17];
        size_t at, n; /* of out */
};

struct entry {
        mode_t mode;
        bool keeps_times, force;
        long long accessed, modified; /* seconds since 1970 */
        unsigned long long size;
        const char *path;
};

static const char *receiver_host_name(void) {
        const char *name = getenv("SLURMD_NODENAME");

        return isempty(name) ? "this node" : name;
}

static int receiver_print_error(const char *what, int r) {
        command_error("sbcast", "%s: %s: %s", receiver_host_name(), what, strerror(-r));
        return r;
}

/* Returns the number of bytes; 0 at the end; or -errno. */
static ssize_t source_read_raw(struct source *s) {
        ssize_t n;

        do
                n = read(STDIN_FILENO, s->raw, sizeof s->raw);
        while (n < 0 && errno == EINTR);
        return n < 0 ? -errno : n;
}

static ssize_t source_unpack(struct source *s) {
        ZSTD_outBuffer out = { s->out, sizeof s->out, 0 };

        while (out.pos == 0) {
                if (s->in.pos == s->in.size) {
                        ssize_t n = source_read_raw(s);
                        if (n <= 0)
                                return n;
                        s->in = (ZSTD_inBuffer){ s->raw, (size_t)n, 0 };
                }
                if (ZSTD_isError(ZSTD_decompressStream(s->zstd, &out, &s->in)))
                        return -EBADMSG;
        }
        return (ssize_t)out.pos;
}

/* Refills out; -EPIPE: end of input. */
static int source_refill(struct source *s) {
        ssize_t n;

        if (s->zstd) {
                n = source_unpack(s);
        } else {
                n = source_read_raw(s);
                if (n > 0)
                        memcpy(s->out, s->raw, (size_t)n);
        }
        s->at = 0;
        s->n = n > 0 ? (size_t)n : 0;
        return n > 0 ? 0 : n == 0 ? -EPIPE : (int)n;
}

static int source_read_line(struct source *s, char line[static BCAST_LINE_MAX]) {
        for (size_t n = 0; n < BCAST_LINE_MAX; n++) {
                int r = s->at == s->n ? source_refill(s) : 0;
                if (r < 0)
                        return r;
                line[n] = s->out[s->at++];
                if (line[n] == '\n') {
                        line[n] = 0;
                        return 0;
                }
        }
        return -EMSGSIZE;
}

/* ---- a file ---- */

static int copy_data(struct source *s, int fd, unsigned long long size) {
        while (size > 0) {
                int r = s->at == s->n ? source_refill(s) : 0;
                size_t n = (size_t)MIN((unsigned long long)(s->n - s->at), size);
                if (r >= 0)
                        r = fd_write(fd, s->out + s->at, n);
                if (r < 0)
                        return r;
                s->at += n;
                size -= n;
        }
        return 0;
}

static int give_attributes(int fd, const struct entry *e) {
        const struct timespec times[2] = { { .tv_sec = e->accessed }, { .tv_sec = e->modified } };

        if (fchmod(fd, e->mode & 0777) < 0)
                return -errno;
        return e->keeps_times && futimens(fd, times) < 0 ? -errno : 0;
}

/* Links the nameless file of fd to path; -EEXIST: path exists. */
static int received_file_link(int fd, const char *path) {
        char own[64];

        snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
        return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0 ? -errno : 0;
}

/* Attempts at a free name: another receiver, or a file left behind, may have the name. */
#define NAMES_MAX 16

static int received_file_link_spare(int fd, const char *path, char **ret_name) {
        int r = -EEXIST;

        for (int i = 0; i < NAMES_MAX && r == -EEXIST; i++) {
                unsigned number = 0;

                (void)getrandom(&number, sizeof number, 0);
                free(*ret_name);
                *ret_name = xasprintf("%s.sbcast.%08x", path, number);
                r = received_file_link(fd, *ret_name);
        }
        return r;
}

static int received_file_replace(int fd, const char *path) {
        _cleanup_free_ char *temporary = NULL;
        int r = received_file_link_spare(fd, path, &temporary);

        if (r >= 0 && rename(temporary, path) < 0) {
                r = -errno;
                (void)unlink(temporary);
        }
        return r;
}

/* ---- temporary files with a name ---- */

static const char *named; /* the temporary file; NULL: none */

static void receiver_on_signal(int signal_number) {
        if (named)
                (void)unlink(named);
        _exit(128 + signal_number);
}

static void catch_signals(void) {
        static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGXCPU };
        const struct sigaction action = { .sa_handler = receiver_on_signal };

        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                (void)sigaction(signals[i], &action, NULL);
}

/* Opens a temporary file on file systems without nameless files. */
static int open_temporary(const char *path, char **ret_name) {
        *ret_name = xasprintf("%s.sbcast.XXXXXX", path);
        int fd = mkostemp(*ret_name, O_CLOEXEC);

        named = fd < 0 ? NULL : *ret_name;
        return fd < 0 ? -errno : fd;
}

static int received_file_place(int fd, const char *temporary, const struct entry *e) {
        if (!temporary)
                return e->force ? received_file_replace(fd, e->path)
                                : received_file_link(fd, e->path);
        if (e->force)
                return rename(temporary, e->path) < 0 ? -errno : 0;
        int r = link(temporary, e->path) < 0 ? -errno : 0;
        (void)unlink(temporary);
        return r;
}

static int received_file_write(struct source *s, const struct entry *e) {
        _cleanup_free_ char *copy = xstrdup(e->path), *temporary = NULL;
        _cleanup_close_ int fd = -1;

        if (!e->force && path_is_there(e->path))
                return -EEXIST;
        fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
        if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
                fd = open_temporary(e->path, &temporary);
        int r = fd < 0 ? (temporary ? fd : -errno) : copy_data(s, fd, e->size);
        if (r >= 0)
                r = give_attributes(fd, e);
        if (r >= 0)
                r = received_file_place(fd, temporary, e);
        if (r < 0 && temporary && fd >= 0)
                (void)unlink(temporary);
        named = NULL;
        return r;
}

static int receive_file(struct source *s, const char *line) {
        struct entry e = { 0 };
        unsigned mode, times, force;
        int at = 0;

        if (sscanf(line, "%o %u %lld %lld %u %llu %n", &mode, &times, &e.accessed, &e.modified,
                            &force, &e.size, &at) != 6 ||
                        line[at] != '/')
                return receiver_print_error("standard input", -EBADMSG);
        e.mode = (mode_t)mode;
        e.keeps_times = times;
        e.force = force;
        e.path = line + at;
        int r = received_file_write(s, &e);
        if (r == -EPIPE) {
                command_error("sbcast", "%s: %s: the file has not come whole", receiver_host_name(),
                                e.path);
                return r;
        }
        return r < 0 ? receiver_print_error(e.path, r) : 0;
}

static int receive_all(struct source *s) {
        char line[BCAST_LINE_MAX];

        for (;;) {
                int r = source_read_line(s, line);
                if (r == -EPIPE) {
                        command_error("sbcast", "%s: not all has come", receiver_host_name());
                        return r;
                }
                if (r < 0)
                        return receiver_print_error("standard input", r);
                if (streq(line, "end"))
                        return 0;
                if (strncmp(line, "file ", 5) == 0)
                        r = receive_file(s, line + 5);
                else if (strncmp(line, "folder /", 8) != 0)
                        r = receiver_print_error("standard input", -EBADMSG);
                else if (mkdir(line + 7, 0777) < 0 && errno != EEXIST)
                        r = receiver_print_error(line + 7, -errno);
                if (r < 0)
                        return r;
        }
}

int bcast_receive_main(int argc, char **argv) {
        static struct source s;
        char line[BCAST_LINE_MAX];
        bool packed;

        catch_signals();
        (void)argc, (void)argv;
        /* whole lines, as other receivers write to the same stream */
        (void)setvbuf(stderr, NULL, _IOLBF, 2 * BCAST_LINE_MAX);
        int r = source_read_line(&s, line);
        if (r < 0 || strncmp(line, BCAST_MAGIC, strlen(BCAST_MAGIC)) != 0) {
                receiver_print_error("standard input", r == -EPIPE || r == 0 ? -EBADMSG : r);
                return EXIT_FAILURE;
        }
        packed = streq(line + strlen(BCAST_MAGIC), "zstd");
        if (packed) { /* bytes after the first line are the beginning of the compressed data */
                memcpy(s.raw, s.out + s.at, MIN(s.n - s.at, sizeof s.raw));
                s.in = (ZSTD_inBuffer){ s.raw, MIN(s.n - s.at, sizeof s.raw), 0 };
                s.at = s.n = 0;
                s.zstd = ZSTD_createDStream();
                if (!s.zstd)
                        out_of_memory();
        }
        r = receive_all(&s);
        ZSTD_freeDStream(s.zstd);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
