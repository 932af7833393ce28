/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberd's part of serve.c: starts the spawner, which forks step daemons, and sends requests to
 * it.
 *
 * A dead spawner is noticed by the next request or when reaped, and is replaced. A hanging
 * spawner is replaced when a few hundred requests wait and none is taken for a second. Requests
 * lost with the spawner end the steps' connections; steps.c requests a daemon again. */
#include "agent/jobs/cpus.h"
#include "agent/jobs/stepds.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

#define REQUEST_FD 3 /* the spawner's end of the request socket, see serve.c */

static void become_spawner(struct agent *a, int fd) __attribute__((noreturn));
static void become_spawner(struct agent *a, int fd) {
        char *argv[] = { (char *)"slumberstepd", NULL };
        sigset_t none;
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);

        /* dup2() onto the same number would keep O_CLOEXEC */
        fd = fcntl(fd, F_DUPFD_CLOEXEC, REQUEST_FD + 1);
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
        if (!a->options.foreground && log_leave_terminal())
                (void)dup2(log_stream(null), STDERR_FILENO);
        if (dup2(fd, REQUEST_FD) < 0)
                _exit(1);
        (void)unsetenv("NOTIFY_SOCKET");
        (void)unsetenv("WATCHDOG_USEC");
        if (a->socket)
                (void)setenv("SLUMBER_SOCKET", a->socket, 1);
        if (a->config)
                (void)setenv("SLURM_CONF", a->config->path, 1);
        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        spec_cores_leave(a);
        execv(a->stepd, argv);
        _exit(1);
}

int spawner_start(struct agent *a, struct fail *fail) {
        const struct timeval patience = { .tv_sec = 1 };
        int fds[2];
        pid_t pid;

        spawner_stop(a);
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        pid = cg_system_fork(a->cgroups);
        if (pid == 0)
                become_spawner(a, fds[1]);
        close(fds[1]);
        (void)setsockopt(fds[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        a->spawner = fds[0];
        if (pid < 0)
                return fail_set(fail, -errno, "cannot start slumberstepd: %s", strerror(errno));
        int r = program_reap(a->event, pid, fail);
        if (r < 0)
                spawner_stop(a);
        return r;
}

void spawner_stop(struct agent *a) {
        if (a->spawner >= 0)
                close(TAKE_FD(a->spawner));
}

static int spawner_send_request(int spawner, const int fds[STEP_FDS]) {
        union {
                struct cmsghdr header;
                char space[CMSG_SPACE(STEP_FDS * sizeof(int))];
        } control = { 0 };
        struct iovec data = { (char *)"", 1 };
        struct msghdr m = {
                .msg_iov = &data,
                .msg_iovlen = 1,
                .msg_control = &control,
                .msg_controllen = sizeof control,
        };

        control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(STEP_FDS * sizeof(int)),
                .cmsg_level = SOL_SOCKET,
                .cmsg_type = SCM_RIGHTS };
        memcpy(CMSG_DATA(&control.header), fds, STEP_FDS * sizeof(int));
        return sendmsg(spawner, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int spawner_ask(struct agent *a, const int fds[STEP_FDS], struct fail *fail) {
        int r = a->spawner < 0 ? -EPIPE : spawner_send_request(a->spawner, fds);

        if (r >= 0)
                return 0;
        r = spawner_start(a, fail);
        if (r < 0)
                return r;
        r = spawner_send_request(a->spawner, fds);
        return r < 0 ? fail_set(fail, r, "cannot start slumberstepd: %s", strerror(-r)) : 0;
}
