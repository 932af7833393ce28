/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The daemons' log. log_open() decides once where lines go:
 *
 *   a path is given                   -> that file, appended to; log_reopen() opens the path again
 *   stderr is the journal's stream    -> the journal's socket, with fields ($JOURNAL_STREAM has the
 *                                        device and inode of the stream that systemd has opened)
 *   otherwise                         -> stderr; the journal once the daemon leaves the terminal
 *
 * Lines in a file and on stderr begin with the local time in ISO 8601 with milliseconds. Each line
 * is a single write(), so that lines of daemons sharing a file stay whole. If a file cannot be
 * written, lines are lost but the daemon runs on. */
#include "lib/log.h"

#include "lib/printable.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>
#include <time.h>

/* Longer lines are cut: nobody reads them, and users' text must not fill the disk. */
#define LINE_SIZE 2048

static struct {
        char *program, *path;
        int level;
        int fd; /* stderr or the file; -1: the journal */
} out = { .level = LOG_INFO, .fd = STDERR_FILENO };

/* ---- destination ---- */

static bool stderr_is_journal(void) {
        const char *text = getenv("JOURNAL_STREAM");
        unsigned long long dev, ino;
        struct stat st;

        return text && sscanf(text, "%llu:%llu", &dev, &ino) == 2 &&
               fstat(STDERR_FILENO, &st) == 0 && st.st_dev == dev && st.st_ino == ino;
}

static int log_open_file(const char *path) {
        /* 0640: the log has job names and users' commands */
        int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0640);

        return fd < 0 ? -errno : fd;
}

static void set_fd(int fd) {
        if (out.fd > STDERR_FILENO)
                close(out.fd);
        out.fd = fd;
}

int log_open(const char *program, const char *path, int level) {
        int fd = STDERR_FILENO;

        if (path)
                fd = log_open_file(path);
        else if (stderr_is_journal())
                fd = -1;
        if (path && fd < 0)
                return fd;
        set_fd(fd);
        free_and_strdup(&out.program, program);
        free_and_strdup(&out.path, path);
        out.level = level;
        return 0;
}

int log_level(void) {
        return out.level;
}

void log_set_level(int level) {
        out.level = level;
}

/* Returns whether the log is a file, not stderr. */
static bool log_has_file(void) {
        return out.path;
}

/* An open pipe on stderr would keep its reader (ssh, $(...)) waiting while the daemon runs. A
   regular file on stderr is intended and stays. */
bool log_leave_terminal(void) {
        struct stat st;
        bool file = out.fd == STDERR_FILENO && fstat(STDERR_FILENO, &st) == 0 &&
                    S_ISREG(st.st_mode);

        if (out.fd == STDERR_FILENO && !file && access("/run/systemd/journal/socket", W_OK) == 0)
                out.fd = -1;
        return out.fd != STDERR_FILENO;
}

int log_stream(int otherwise) {
        int fd = out.fd >= 0 ? out.fd : sd_journal_stream_fd(out.program, LOG_WARNING, false);

        return fd < 0 ? otherwise : fd;
}

void log_reopen(void) {
        if (!out.path)
                return;
        int fd = log_open_file(out.path);
        if (fd < 0)
                log_warning(fd, "cannot open the log file %s anew, the old one is kept: %m",
                                out.path);
        else
                set_fd(fd);
}

/* ---- levels ---- */

static const char *level_word(int level) {
        return level <= LOG_ERR       ? "error: "
               : level == LOG_WARNING ? "warning: "
               : level == LOG_DEBUG   ? "debug: "
                                      : "";
}

/* ---- lines ---- */

/* A newline in a user's text must not begin a forged log line, and no escape sequence may reach a
   terminal. */
static void make_harmless(char *text) {
        char *begin = text;

        for (; *text; text++)
                if ((unsigned char)*text < 0x20 || *text == 0x7f)
                        *text = '?';
        printable_clean(begin);
}

static void to_journal(int level, uint32_t job, const char *node, const char *message) {
        char message_field[LINE_SIZE + 16], priority[16], job_field[32], node_field[300],
                        program[64];
        struct iovec fields[5];
        int n = 0;

#define FIELD(buffer, ...)                                                                         \
        do {                                                                                       \
                snprintf(buffer, sizeof buffer, __VA_ARGS__);                                      \
                fields[n++] = (struct iovec){ buffer, strlen(buffer) };                            \
        } while (0)
        FIELD(message_field, "MESSAGE=%s", message);
        FIELD(priority, "PRIORITY=%d", level);
        FIELD(program, "SYSLOG_IDENTIFIER=%s",
                        out.program ? out.program : program_invocation_short_name);
        if (job > 0)
                FIELD(job_field, "JOB_ID=%u", job);
        if (node)
                FIELD(node_field, "NODE=%s", node);
#undef FIELD
        (void)sd_journal_sendv(fields, n);
}

static void to_file(int level, const char *message) {
        char line[LINE_SIZE + 128], when[32], zone[8];
        struct timespec now;
        struct tm tm;

        clock_gettime(CLOCK_REALTIME, &now);
        localtime_r(&now.tv_sec, &tm);
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
        strftime(zone, sizeof zone, "%z", &tm);
        int n = snprintf(line, sizeof line, "%s.%03ld%s %s%s%s%s\n", when, now.tv_nsec / 1000000,
                        zone, out.program ? out.program : "", out.program ? ": " : "",
                        level_word(level), message);
        (void)!write(out.fd, line, MIN((size_t)n, sizeof line - 1));
}

static void log_write_message(int level, uint32_t job, const char *node, const char *format,
                va_list ap) _printf_(4, 0);
static void log_write_message(int level, uint32_t job, const char *node, const char *format,
                va_list ap) {
        char message[LINE_SIZE];

        vsnprintf(message, sizeof message, format, ap);
        make_harmless(message);
        if (out.fd < 0)
                to_journal(level, job, node, message);
        else
                to_file(level, message);
}

/* ---- folded lines ---- */

static void write_line(int level, const char *format, ...) _printf_(2, 3);
static void write_line(int level, const char *format, ...) {
        va_list ap;

        if (level > out.level)
                return;
        va_start(ap, format);
        log_write_message(level, 0, NULL, format, ap);
        va_end(ap);
}

static struct log_fold *folds; /* currently counting */
static pthread_mutex_t folds_lock = PTHREAD_MUTEX_INITIALIZER;

/* Removes a fold whose time is over from the list; NULL: none. */
static struct log_fold *log_fold_take_expired(usec_t now) {
        for (struct log_fold **at = &folds; *at; at = &(*at)->next) {
                struct log_fold *fold = *at;
                if (now - fold->since < LOG_FOLD_TIME)
                        continue;
                *at = fold->next;
                return fold;
        }
        return NULL;
}

static void tell_folded(void) {
        struct log_fold *fold;

        if (!folds || pthread_mutex_trylock(&folds_lock) != 0)
                return;
        usec_t now = now_monotonic();
        while ((fold = log_fold_take_expired(now))) {
                struct log_fold told = *fold;
                *fold = (struct log_fold){ 0 };
                if (told.folded)
                        write_line(told.level, "%u more lines like this: %s", told.folded,
                                        told.last);
        }
        pthread_mutex_unlock(&folds_lock);
}

bool log_fold(struct log_fold *fold, int level, const char *format, ...) {
        va_list ap;

        tell_folded();
        pthread_mutex_lock(&folds_lock);
        if (!fold->since) {
                *fold = (struct log_fold){ .since = now_monotonic(),
                        .level = level,
                        .next = folds };
                folds = fold;
        }
        bool written = fold->lines++ < LOG_FOLD_LINES;
        if (!written) {
                fold->folded++;
                va_start(ap, format);
                vsnprintf(fold->last, sizeof fold->last, format, ap);
                va_end(ap);
        }
        pthread_mutex_unlock(&folds_lock);
        return written;
}

int log_fields(int level, int r, uint32_t job, const char *node, const char *format, ...) {
        int saved_errno = errno;

        tell_folded();
        errno = saved_errno;
        va_list ap;

        if (level > out.level)
                return r;
        errno = r < 0 ? -r : saved_errno;
        va_start(ap, format);
        log_write_message(level, job, node, format, ap);
        va_end(ap);
        errno = saved_errno;
        return r;
}

void log_told(int level, const char *text) {
        int usual = out.level;

        out.level = MAX(usual, level);
        log_full(level, 0, "%s", text);
        out.level = usual;
        if (log_has_file())
                printable_fprintf(stderr, "%s%s%s%s\n", out.program ? out.program : "",
                                out.program ? ": " : "", level_word(level), text);
}
