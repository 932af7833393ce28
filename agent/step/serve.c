/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main() of slumberstepd: a process waiting for requests, which forks a step daemon for each step.
 *
 * Starting a program takes many times as long as forking a small process: the loader, relocations,
 * on virtual machines each CPUID instruction of the start code, the name service's configuration.
 * So slumberd starts this program once, and requests each step by a message with descriptors over
 * descriptor 3 (rendezvous.h). The process keeps no state of steps: slumberd restarts it if it
 * dies, and it ends with slumberd. Step daemons run on in both cases. */
#include "agent/common/realtime.h"
#include "agent/step/parts.h"
#include "agent/step/spank_scripts.h"

#include "lib/options.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define REQUEST_FD 3

/* Receives the descriptors of a request. Returns 1; 0: slumberd has ended; negative errno. */
static int request_receive(int fds[STEP_FDS]) {
        union {
                struct cmsghdr header;
                char space[CMSG_SPACE(STEP_FDS * sizeof(int))];
        } control;
        char byte;
        struct iovec data = { &byte, 1 };
        struct msghdr m = {
                .msg_iov = &data,
                .msg_iovlen = 1,
                .msg_control = &control,
                .msg_controllen = sizeof control,
        };
        ssize_t n;

        do
                n = recvmsg(REQUEST_FD, &m, MSG_CMSG_CLOEXEC);
        while (n < 0 && errno == EINTR);
        if (n <= 0)
                return n < 0 ? -errno : 0;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(STEP_FDS * sizeof(int)))
                return -EPROTO;
        memcpy(fds, CMSG_DATA(c), STEP_FDS * sizeof(int));
        return 1;
}

static int serve_set_up(void) {
        if (fcntl(REQUEST_FD, F_SETFD, FD_CLOEXEC) < 0)
                return -errno;
        (void)close_range(REQUEST_FD + 1, ~0U, 0); /* descriptors inherited by slumberd */
        (void)setsid();                            /* a terminal's ^C is for slumberd only */
        (void)prctl(PR_SET_NAME, "stepspawner");
        (void)realtime_take(0);
        tasks_prepare();
        (void)signal(SIGCHLD, SIG_IGN); /* step daemons need no waitpid() */
        (void)getpwuid(0);              /* reads nsswitch.conf for all step daemons */
        return 0;
}

static int requests_serve(void) {
        int fds[STEP_FDS], r;

        while ((r = request_receive(fds)) > 0) {
                pid_t pid = fork();

                if (pid == 0) {
                        (void)signal(SIGCHLD, SIG_DFL);
                        close(REQUEST_FD);
                        stepd_run(fds);
                }
                /* slumberd notices a failed fork by the closed socket */
                for (int i = 0; i < STEP_FDS; i++)
                        close(fds[i]);
        }
        return r;
}

/* Keeps the cgroup scope of the jobs alive while no job runs, see cgroup/scope.h. */
static void serve_hold_scope(void) __attribute__((noreturn));
static void serve_hold_scope(void) {
        (void)!chdir("/");
        (void)prctl(PR_SET_NAME, "slumber-holder");
        (void)close_range(0, ~0U, 0);
        for (;;)
                (void)pause();
}

struct serve_options {
        bool hold;
        const char *slurmd_init, *slurmd_exit; /* path of plugstack.conf, for spank_scripts.c */
};
#define AT(field) offsetof(struct serve_options, field)

/* slumberd uses no other options. */
static const struct option_row option_rows[] = {
        { "hold", 0, OPTION_FLAG, AT(hold), NULL, NULL, NULL },
        { "slurmd-init", 0, OPTION_TEXT, AT(slurmd_init), NULL, NULL, NULL },
        { "slurmd-exit", 0, OPTION_TEXT, AT(slurmd_exit), NULL, NULL, NULL },
        OPTION_ROWS_HELP('h'),
};
static const struct option_table options = {
        .program = "slumberstepd",
        .about = "The daemon of a step: slumberd starts it, without arguments.\n",
        .rows = option_rows,
        .n_rows = ELEMENTSOF(option_rows),
};

int main(int argc, char **argv) {
        struct serve_options o = { 0 };

        standard_streams_open();
        int r = options_only(&options, argc, argv, &o);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (o.slurmd_init || o.slurmd_exit)
                return spank_slurmd(o.slurmd_init ? o.slurmd_init : o.slurmd_exit, o.slurmd_exit);
        if (o.hold)
                serve_hold_scope();
        r = serve_set_up();
        if (r >= 0)
                r = requests_serve();
        if (r < 0)
                fprintf(stderr, "slumberstepd: no slumberd at descriptor %d: %s\n", REQUEST_FD,
                                strerror(-r));
        _exit(r < 0);
}
