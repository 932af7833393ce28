/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/command.h"

#include "lib/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>

#define REAP_PAUSE (2 * USEC_PER_MSEC)

/* First line read from a pipe. */
struct line {
        int fd; /* -1: end of file */
        char text[COMMAND_ANSWER_MAX + 1];
        size_t n;
        bool complete;
};

static void output_line_read(struct line *line) {
        char data[4096];
        ssize_t n = read(line->fd, data, sizeof data);

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n <= 0) {
                close(line->fd);
                line->fd = -1;
                return;
        }
        for (ssize_t i = 0; i < n && !line->complete && line->n < COMMAND_ANSWER_MAX; i++) {
                if (data[i] == '\n')
                        line->complete = line->n > 0; /* skip empty lines */
                else
                        line->text[line->n++] = data[i] < ' ' || data[i] > '~' ? '?' : data[i];
        }
}

static int command_spawn(char *const argv[], int out, int err, pid_t *ret) {
        _cleanup_free_ char *conf = xasprintf("SLURM_CONF=%s", getenv("SLURM_CONF"));
        const struct child_program s = { argv[0], argv,
                { (char *)"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                (char *)"LC_ALL=C", getenv("SLURM_CONF") ? conf : NULL },
                out, err, CHILD_NOTHING };

        return child_start(&s, ret, NULL);
}

/* Waits until the program ends or limit has passed, then kills the rest of its process group. A
   descendant keeping a pipe open does not delay the return. */
static int command_watch(pid_t pid, usec_t limit, struct line *out, struct line *err,
                int *ret_status) {
        usec_t until = now_monotonic() + limit;

        for (;;) {
                struct pollfd fds[] = { { .fd = out->fd, .events = POLLIN },
                        { .fd = err->fd, .events = POLLIN } };
                pid_t ended = waitpid(pid, ret_status, WNOHANG);
                poll(fds, 2, ended ? 0 : (int)(REAP_PAUSE / USEC_PER_MSEC));
                if (fds[0].revents)
                        output_line_read(out);
                if (fds[1].revents)
                        output_line_read(err);
                if (ended && !fds[0].revents && !fds[1].revents) {
                        kill(-pid, SIGKILL);
                        return 0;
                }
                if (out->fd < 0 && err->fd < 0 && !ended)
                        usleep((useconds_t)REAP_PAUSE);
                if (now_monotonic() >= until) {
                        kill(-pid, SIGKILL);
                        if (!ended)
                                waitpid(pid, ret_status, 0);
                        return -ETIMEDOUT;
                }
        }
}

static int command_fault(struct power_cause *cause, enum power_fault kind, const char *program,
                const char *why, const char *more) {
        cause->fault = kind;
        return fail_set(&cause->fail, -EIO, "program %s %s%s%s", program, why, *more ? ": " : "",
                        more);
}

static int command_ended(const char *program, int status, const char *said,
                struct power_cause *cause) {
        _cleanup_free_ char *why = NULL;
        enum power_fault kind = POWER_FAULT_REFUSED;

        if (WIFSIGNALED(status)) {
                why = xasprintf("was killed by signal %d", WTERMSIG(status));
                return command_fault(cause, POWER_FAULT_BUSY, program, why, said);
        }
        int code = WEXITSTATUS(status);
        if (code == 0)
                return 0;
        if (code == EX_TEMPFAIL)
                kind = POWER_FAULT_BUSY;
        else if (code == EX_NOPERM || code == EX_CONFIG)
                kind = POWER_FAULT_SHARED;
        why = xasprintf("ended with exit code %d", code);
        return command_fault(cause, kind, program, why, said);
}

int power_command_run(char *const argv[], usec_t limit, char answer[COMMAND_ANSWER_MAX + 1],
                struct power_cause *cause) {
        struct line out = { .fd = -1 }, err = { .fd = -1 };
        int pipe_out[2], pipe_err[2], status = 0, r;
        struct stat st;
        pid_t pid;

        if (stat(argv[0], &st) == 0 && st.st_mode & 022)
                return command_fault(cause, POWER_FAULT_SHARED, argv[0],
                                "may be written by its group or others", "");
        cause->fault = POWER_FAULT_BUSY;
        if (pipe2(pipe_out, O_CLOEXEC) < 0)
                return fail_set(&cause->fail, -errno, "pipe: %s", strerror(errno));
        if (pipe2(pipe_err, O_CLOEXEC) < 0) {
                r = fail_set(&cause->fail, -errno, "pipe: %s", strerror(errno));
                close(pipe_out[0]);
                close(pipe_out[1]);
                return r;
        }
        r = command_spawn(argv, pipe_out[1], pipe_err[1], &pid);
        close(pipe_out[1]);
        close(pipe_err[1]);
        out.fd = pipe_out[0];
        err.fd = pipe_err[0];
        if (r >= 0)
                r = command_watch(pid, limit, &out, &err, &status);
        if (out.fd >= 0)
                close(out.fd);
        if (err.fd >= 0)
                close(err.fd);
        memcpy(answer, out.text, sizeof out.text);
        if (r == -ETIMEDOUT)
                return command_fault(cause, POWER_FAULT_SILENT, argv[0], "did not end in time",
                                err.text);
        if (r < 0)
                return command_fault(cause, POWER_FAULT_SHARED, argv[0], "cannot be started",
                                strerror(-r));
        return command_ended(argv[0], status, err.text, cause);
}
