/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun --pty: task 0 runs on a pseudo-terminal. The step daemon reads and writes a single terminal.
 * The task's streams of output and input each have a descriptor of the terminal, so that code for
 * pipes applies. A read fails with EIO when the last process has closed the other end: the end of
 * the output. */
#include "agent/step/base/stepd.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

bool task_has_pty(const struct step *s, const struct task *t) {
        return !s->launch->batch && s->launch->spec->pty && t->rank == 0;
}

static void pty_set_size(int fd, const Slumber__Window *w) {
        struct winsize size = {
                .ws_row = (unsigned short)MIN(w->rows, 0xffffu),
                .ws_col = (unsigned short)MIN(w->columns, 0xffffu),
        };

        if (size.ws_row && size.ws_col)
                (void)ioctl(fd, TIOCSWINSZ, &size);
}

/* Opens both ends. The task's end belongs to the user, as after a login. */
static int open_both(const struct step *s, int *ret_ours, int *ret_theirs) {
        _cleanup_close_ int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK),
                            theirs = -1;
        char name[64];

        if (ours < 0 || grantpt(ours) < 0 || unlockpt(ours) < 0)
                return -errno;
        int r = ptsname_r(ours, name, sizeof name);
        if (r != 0)
                return -r;
        theirs = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (theirs < 0)
                return -errno;
        if (geteuid() == 0 &&
                        (fchown(theirs, s->user.uid, (gid_t)-1) < 0 || fchmod(theirs, 0620) < 0))
                return -errno;
        *ret_ours = TAKE_FD(ours);
        *ret_theirs = TAKE_FD(theirs);
        return 0;
}

int pty_open(struct step *s, struct task *t, int fds[STREAM_MAX], bool own[STREAM_MAX],
                struct fail *fail) {
        int ours = -1, theirs = -1, r = open_both(s, &ours, &theirs);

        if (r < 0)
                return fail_set(fail, r, "Could not open a pseudo-terminal: %s", strerror(-r));
        pty_set_size(ours, s->launch->spec->pty);
        t->stream[STREAM_OUT].fd = ours;
        t->stream[STREAM_OUT].open = true;
        t->stream[STREAM_IN].fd = fcntl(ours, F_DUPFD_CLOEXEC, 0);
        for (int i = 0; i < STREAM_MAX; i++) {
                fds[i] = i == 0 ? theirs : fcntl(theirs, F_DUPFD_CLOEXEC, 0);
                own[i] = true;
                if (fds[i] < 0)
                        return fail_set(fail, -errno, "Could not open a pseudo-terminal: %s",
                                        strerror(errno));
        }
        return 0;
}

void pty_take(void) {
        (void)ioctl(STDIN_FILENO, TIOCSCTTY, 0);
}

void pty_resize(struct step *s, const Slumber__Window *window) {
        for (size_t i = 0; i < s->n_tasks; i++)
                if (task_has_pty(s, &s->tasks[i]) && s->tasks[i].stream[STREAM_OUT].fd >= 0)
                        pty_set_size(s->tasks[i].stream[STREAM_OUT].fd, window);
}

char pty_end_of_file(const struct task *t) {
        struct termios now;

        return tcgetattr(t->stream[STREAM_IN].fd, &now) < 0 ? 4 : (char)now.c_cc[VEOF];
}
