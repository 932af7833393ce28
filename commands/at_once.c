/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks several clusters at a time, each in a child process. Answers are printed in the order of the
 * clusters; a slow cluster does not delay the questions to other clusters. */
#include "commands/command.h"

#include "lib/wire.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct asking {
        pid_t pid;    /* -1: no child process */
        int out, err; /* memfds with the child's output */
};

static int cluster_run_here(const struct clusters *c, size_t at, int (*run)(void *user, size_t at),
                void *user) {
        command_use_cluster(c, at);
        int code = run(user, at);
        return fflush(stdout) == 0 ? code : EXIT_FAILURE;
}

static void cluster_run_begin(const struct clusters *c, size_t at,
                int (*run)(void *user, size_t at), void *user, struct asking *ret) {
        pid_t parent = getpid();

        *ret = (struct asking){ -1, memfd_create("out", MFD_CLOEXEC),
                memfd_create("err", MFD_CLOEXEC) };
        if (ret->out >= 0 && ret->err >= 0)
                ret->pid = fork();
        if (ret->pid != 0)
                return;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent || dup2(ret->out, STDOUT_FILENO) < 0 ||
                        dup2(ret->err, STDERR_FILENO) < 0)
                _exit(EXIT_FAILURE);
        _exit(cluster_run_here(c, at, run, user));
}

/* Returns whether the whole output was written. */
static bool cluster_output_print(int from, FILE *to) {
        char text[65536];
        bool done = true;
        off_t at = 0;
        ssize_t n;

        while ((n = pread(from, text, sizeof text, at)) > 0) {
                done &= fwrite(text, 1, (size_t)n, to) == (size_t)n;
                at += n;
        }
        return fflush(to) == 0 && done;
}

static int cluster_run_end(struct asking *a) {
        int status = 0;
        pid_t r;

        do
                r = waitpid(a->pid, &status, 0);
        while (r < 0 && errno == EINTR);
        bool printed = cluster_output_print(a->out, stdout);
        (void)cluster_output_print(a->err, stderr);
        return printed && r == a->pid && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

int command_at_once(const struct clusters *c, int (*run)(void *user, size_t at), void *user) {
        _cleanup_free_ struct asking *list = NULL;

        if (c->n == 1)
                return cluster_run_here(c, 0, run, user);
        list = xnew0(struct asking, c->n);
        int worst = fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
        for (size_t i = 0; i < c->n; i++)
                cluster_run_begin(c, i, run, user, &list[i]);
        for (size_t i = 0; i < c->n; i++) {
                int code = list[i].pid < 0 ? cluster_run_here(c, i, run, user)
                                           : cluster_run_end(&list[i]);
                worst = MAX(worst, code);
                if (list[i].out >= 0)
                        close(list[i].out);
                if (list[i].err >= 0)
                        close(list[i].err);
        }
        return worst;
}

static int cluster_fetch_name(void *user, size_t at) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_free_ char *name = NULL;
        struct fail fail = { 0 };

        (void)user, (void)at;
        if (command_connect_now(&w, &fail) >= 0)
                (void)command_cluster_name(w, &name, &fail);
        return EXIT_SUCCESS;
}

void command_greet(const struct clusters *c) {
        if (c->n > 1)
                (void)command_at_once(c, cluster_fetch_name, NULL);
}
