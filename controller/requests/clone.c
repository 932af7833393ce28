/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clone: a file in memory is made -> fork -> the child closes all further descriptors, works,
 * writes the result into the file and exits -> the exit is an event in slumberctld, and the file is
 * read. No step blocks on a pipe.
 *
 * slumberctld has threads, the child only the forking thread: libc keeps its own locks valid over a
 * fork, and the work is pure code that takes no locks. Descriptors are closed first: a connection
 * open in the child would not look closed to its peer. */
#include "controller/requests/clone.h"

#include "lib/thread.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define NICE 10

struct clone {
        pid_t pid;
        int fd;
        bool timed_out;
        sd_event_source *child, *timer;
        struct clone_request req;
};

/* ---- child ---- */

/* Prepares the child: only fd stays open. A parent that died before PR_SET_PDEATHSIG has left the
   child to init. */
static void clone_arrange_child(int fd, pid_t parent) {
        sigset_t none;

        if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
                _exit(1);
        for (int i = 1; i < NSIG; i++)
                (void)signal(i, SIG_DFL);
        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        (void)setpriority(PRIO_PROCESS, 0, NICE);
        if (fd > 0)
                (void)close_range(0, (unsigned)fd - 1, 0);
        (void)close_range((unsigned)fd + 1, ~0u, 0);
}

struct start {
        const struct clone_request *req;
        int fd;
        pid_t parent;
};

static void clone_run_child(void *user) {
        const struct start *s = user;
        uint8_t *data = NULL;
        size_t size = 0;

        clone_arrange_child(s->fd, s->parent);
        s->req->work(s->req->user, &data, &size);
        _exit(data && fd_write(s->fd, data, size) >= 0 ? 0 : 1);
}

struct sum {
        void (*work)(void *user, void *result);
        void *user, *result;
        size_t size;
        int fd;
        pid_t parent;
};

static void clone_run_compute(void *user) {
        const struct sum *s = user;

        clone_arrange_child(s->fd, s->parent);
        s->work(s->user, s->result);
        _exit(fd_write(s->fd, s->result, s->size) < 0);
}

int clone_compute(void (*work)(void *user, void *result), void *user, void *result, size_t size) {
        int fds[2], status;
        ssize_t n;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        pid_t pid = thread_fork(clone_run_compute,
                        &(struct sum){ work, user, result, size, fds[1], getpid() });
        int r = pid < 0 ? pid : 0;
        close(fds[1]);
        do
                /* the result is written at once: it is smaller than a pipe's buffer */
                n = r < 0 ? 0 : read(fds[0], result, size);
        while (n < 0 && errno == EINTR);
        close(fds[0]);
        if (r < 0)
                return r;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        return n == (ssize_t)size ? 0 : -EIO;
}

/* ---- parent ---- */

static struct clone *clone_free(struct clone *c) {
        sd_event_source_disable_unref(c->timer);
        sd_event_source_disable_unref(c->child);
        close(c->fd);
        free(c);
        return NULL;
}

static void clone_report_result(struct clone *c, int r) {
        struct stat st;
        size_t size = fstat(c->fd, &st) < 0 ? 0 : (size_t)st.st_size;
        void *data = MAP_FAILED;

        if (r == 0 && (size == 0 || size > CLONE_RESULT_MAX ||
                                      (data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, c->fd, 0)) ==
                                                      MAP_FAILED))
                r = -EIO;
        c->req.ended(r, r < 0 ? NULL : data, r < 0 ? 0 : size, c->req.user);
        if (data != MAP_FAILED)
                (void)munmap(data, size);
}

static int clone_on_exit(sd_event_source *source, const siginfo_t *si, void *user) {
        struct clone *c = user;
        bool well = si->si_code == CLD_EXITED && si->si_status == 0;

        clone_report_result(c, well ? 0 : c->timed_out ? -ETIMEDOUT : -EIO);
        clone_free(c);
        return 0;
}

static int clone_on_timeout(sd_event_source *source, uint64_t now, void *user) {
        struct clone *c = user;

        c->timed_out = true;
        (void)kill(c->pid, SIGKILL);
        return 0;
}

int clone_start(sd_event *event, const struct clone_request *req, struct clone **ret,
                struct fail *fail) {
        _cleanup_close_ int fd = memfd_create("slumber-clone", MFD_CLOEXEC);

        assert(event);
        assert(req && req->work && req->ended);
        assert(ret);

        if (fd < 0)
                return fail_set(fail, -errno, "cannot make a file in memory: %s", strerror(errno));
        pid_t pid = thread_fork(clone_run_child, &(struct start){ req, fd, getpid() });
        if (pid < 0)
                return fail_set(fail, pid, "cannot fork: %s", strerror(-pid));
        struct clone *c = xnew0(struct clone, 1);
        *c = (struct clone){ .pid = pid, .fd = TAKE_FD(fd), .req = *req };
        int r = sd_event_add_child(event, &c->child, pid, WEXITED, clone_on_exit, c);
        if (r >= 0)
                r = sd_event_add_time_relative(event, &c->timer, CLOCK_MONOTONIC, req->timeout,
                                50 * USEC_PER_MSEC, clone_on_timeout, c);
        if (r < 0) {
                clone_stop(c);
                return fail_set(fail, r, "cannot watch a process: %s", strerror(-r));
        }
        *ret = c;
        return 0;
}

struct clone *clone_stop(struct clone *c) {
        if (!c)
                return NULL;
        sd_event_source_disable_unref(TAKE(c->child));
        (void)kill(c->pid, SIGKILL);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
                ;
        return clone_free(c);
}
