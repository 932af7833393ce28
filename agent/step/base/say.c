/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a step daemon to the user, on the step's standard error. */
#include "agent/step/base/stepd.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

/* The user's file may be a FIFO without a reader, and the step daemon must not block. The task's
   descriptor is left blocking, so the file is opened a second time for the line. */
static void write_without_waiting(int fd, const char *line) {
        _cleanup_free_ char *path = xasprintf("/proc/self/fd/%d", fd);
        _cleanup_close_ int again = -1;
        struct stat st;

        if (fstat(fd, &st) < 0)
                return;
        if (!S_ISREG(st.st_mode)) {
                fd = again = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
                if (fd < 0)
                        return;
        }
        (void)!write(fd, line, strlen(line));
}

static void write_error_line(struct step *s, const char *line) {
        if (s->error_fd >= 0)
                write_without_waiting(s->error_fd, line);
        else if (s->n_tasks)
                stream_send_text(s, &s->tasks[0], s->error_stream, line, strlen(line));
}

void step_complain(struct step *s, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        _cleanup_free_ char *line = xasprintf("slurmstepd: error: %s\n", text);
        write_error_line(s, line);
}

void step_say(struct step *s, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *line = xvasprintf(format, ap);
        va_end(ap);
        write_error_line(s, line);
}

void step_debug(struct step *s, int level, const char *format, ...) {
        va_list ap;

        if (!s->launch->spec || (uint32_t)level >= s->launch->spec->debug_level)
                return;
        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        _cleanup_free_ char *line = xasprintf("slurmstepd-%s: %s%s\n", s->spec->node,
                        level == LOG_DEBUG ? "debug:  " : "", text);
        write_error_line(s, line);
}
