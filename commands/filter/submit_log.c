/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces syslog(), which would wait while the system log hangs, and cannot report a missing
 * log. */
#include "commands/filter/submit_log.h"

#include "commands/filter/filter.h"
#include "commands/jobspec/jobspec_rows.h"
#include "lib/printable.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <time.h>

#define LOG_SOCKET "/dev/log"
#define PATIENCE   200 /* ms */

/* ---- the line ---- */

static void submit_log_put_text(FILE *out, const char *text) {
        fputc('"', out);
        while (*text) {
                size_t n = utf8_length(text);
                if (n == 0)
                        fputs("\\ufffd", out);
                else if (n == 1 && ((unsigned char)*text < 0x20 || strchr("\"\\\x7f", *text)))
                        fprintf(out, "\\u%04x", (unsigned)*text);
                else
                        fwrite(text, 1, n, out);
                text += MAX(n, (size_t)1);
        }
        fputc('"', out);
}

static void submit_log_put_options(FILE *out, const struct job_options *o) {
        const struct job_row *row;
        bool first = true;

        for (size_t i = 0; (row = job_row_at(i)); i++) {
                bool own = row->row.name && row->commands & o->command;
                _cleanup_free_ char *value = own ? job_options_value(o, row->row.name) : NULL;
                if (!value)
                        continue;
                fputs(first ? "" : ",", out);
                submit_log_put_text(out, row->row.name);
                fputc(':', out);
                submit_log_put_text(out, value);
                first = false;
        }
}

char *submit_log_line(const struct job_options *o, char *const *argv, size_t argc, uint32_t job,
                uint32_t step) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        fprintf(out, "{\"type\":\"%s\",\"job_id\":%u", job_options_table(o->command)->program, job);
        if (step != STEP_NONE)
                fprintf(out, ",\"step_id\":%u", step);
        fputs(",\"options\":{", out);
        submit_log_put_options(out, o);
        fputs("},\"argv\":[", out);
        for (size_t i = 0; i < argc; i++) {
                fputs(i ? "," : "", out);
                submit_log_put_text(out, argv[i]);
        }
        fputs("]}", out);
        memstream_close(out);
        return text;
}

/* ---- sending ---- */

static int send_now(int fd, const char *text) {
        return send(fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int send_text(const char *text) {
        static const struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = LOG_SOCKET };
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof to) < 0)
                return -errno;
        int r = send_now(fd, text);
        struct pollfd room = { .fd = fd, .events = POLLOUT };
        if (r == -EAGAIN && poll(&room, 1, PATIENCE) > 0)
                r = send_now(fd, text);
        return r;
}

int submit_log(const struct job_options *o, char *const *argv, size_t argc, uint32_t job,
                uint32_t step, struct fail *fail) {
        _cleanup_free_ char *line = submit_log_line(o, argv, argc, job, step);
        time_t now = time(NULL);
        char when[32] = "";
        struct tm tm;

        /* English month names: these commands set no locale. */
        if (localtime_r(&now, &tm))
                (void)strftime(when, sizeof when, "%b %e %H:%M:%S", &tm);
        _cleanup_free_ char *text = xasprintf("<%d>%s %s[%d]: %s", LOG_USER | LOG_INFO, when,
                        job_options_table(o->command)->program, (int)getpid(), line);
        int r = send_text(text);
        return r < 0 ? fail_set(fail, r, "%s: %s", LOG_SOCKET, strerror(-r)) : 0;
}
