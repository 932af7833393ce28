/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step daemon that has hooks instead of a step: runs the programs of Prolog or Epilog one after
 * the other, says in a file what came of them, and ends.
 *
 * The file is made before the first program and must not be there before: so no hook runs twice,
 * and a slumberd that finds this daemon gone knows whether they have begun (the file is there), and
 * ended (it is not empty).  It needs no slumberd for that: the socket that this process holds open
 * is all that one looks at.
 *
 * Programs run as the daemon itself, root, so only those that nobody else can change
 * (lib/trusted.h).  What they leave in their process group ends with them, a daemon in a session of
 * its own goes on. */
#include "agent/step/spank_scripts.h"
#include "agent/step/stepd.h"

#include "lib/child.h"
#include "lib/trusted.h"

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define KILLED_WAIT (10 * USEC_PER_SEC) /* for a program that was killed */

/* Waits for pid until then (CLOCK_MONOTONIC); false: it has not ended. */
static bool await(const struct step *s, pid_t pid, usec_t until, int *ret_status) {
        struct signalfd_siginfo info;
        pid_t ended;

        while ((ended = waitpid(pid, ret_status, WNOHANG)) == 0) {
                usec_t now = now_monotonic();
                struct pollfd p = { .fd = s->signal_fd, .events = POLLIN };

                if (now >= until)
                        return false;
                (void)poll(&p, 1, (int)MIN((until - now) / USEC_PER_MSEC + 1, (usec_t)INT_MAX));
                while (read(s->signal_fd, &info, sizeof info) > 0)
                        ;
        }
        return ended > 0;
}

static int await_in_time(const struct step *s, const Slumber__HookSpec *h, pid_t pid,
                const char *what, int *ret_status, struct fail *fail) {
        usec_t until = h->timeout ? now_monotonic() + h->timeout : USEC_INFINITY;

        bool in_time = await(s, pid, until, ret_status);
        (void)kill(-pid, SIGKILL); /* what it has left behind in its group, as in Slurm */
        if (in_time)
                return 0;
        (void)await(s, pid, now_monotonic() + KILLED_WAIT, ret_status);
        return fail_set(fail, -ETIMEDOUT, "%.300s took longer than its timeout of %llu s", what,
                        (unsigned long long)(h->timeout / USEC_PER_SEC));
}

/* job_prolog or job_epilog of plugstack.conf, in a child: a plug-in may do anything to it. */
static int run_plugins(const struct step *s, const Slumber__HookSpec *h, struct fail *fail) {
        struct spank_script *result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        int status = 0, r;

        if (result == MAP_FAILED)
                return fail_set(fail, -errno, "plugstack.conf: %s", strerror(errno));
        pid_t pid = fork();
        if (pid == 0)
                spank_job_script(h, result);
        if (pid < 0) {
                r = fail_set(fail, -errno, "plugstack.conf: %s", strerror(errno));
                (void)munmap(result, sizeof *result);
                return r;
        }
        (void)setpgid(pid, pid); /* whichever of us is first */
        r = await_in_time(s, h, pid, "plugstack.conf", &status, fail);
        result->doing.text[sizeof result->doing.text - 1] = 0;
        result->text[sizeof result->text - 1] = 0;
        if (r < 0 && *result->doing.text)
                fail_set(fail, r, "%s took longer than its timeout", result->doing.text);
        else if (r >= 0 && *result->doing.text)
                r = fail_set(fail, -ECHILD, "%s ended with %s %d", result->doing.text,
                                WIFSIGNALED(status) ? "signal" : "exit status",
                                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        else if (r >= 0 && status)
                r = fail_set(fail, -ECHILD, "%s",
                                *result->text ? result->text : "plugstack.conf: it was killed");
        (void)munmap(result, sizeof *result);
        return r;
}

static int run_program(const struct step *s, const Slumber__HookSpec *h, const char *path,
                struct fail *fail) {
        _cleanup_free_ char **environment = xnew0(char *, h->n_environment + 1);
        char *argv[] = { (char *)(uintptr_t)path, NULL };
        int status = 0, r = trusted_program(path, fail);
        pid_t pid;

        for (size_t i = 0; i < h->n_environment; i++)
                environment[i] = h->environment[i];
        const struct child_program program = { .program = path,
                .argv = argv,
                .output = CHILD_NOTHING,
                .error = STDERR_FILENO,
                .input = CHILD_NOTHING };
        if (r >= 0)
                r = child_start_with(&program, environment, &pid, fail);
        if (r < 0)
                return r;
        r = await_in_time(s, h, pid, path, &status, fail);
        if (r < 0)
                return r;
        if (WIFSIGNALED(status))
                return fail_set(fail, -ECHILD, "%.200s ended with signal %d", path,
                                WTERMSIG(status));
        if (WEXITSTATUS(status))
                return fail_set(fail, -ECHILD, "%.200s ended with exit status %d", path,
                                WEXITSTATUS(status));
        return 0;
}

static int reversed(const void *a, const void *b) {
        return strcmp(*(char *const *)b, *(char *const *)a);
}

static int run_all(const struct step *s, const Slumber__HookSpec *h, struct fail *fail) {
        glob_t found = { 0 };
        int r = *h->plugstack ? run_plugins(s, h, fail) : 0;

        for (size_t i = 0; i < h->n_files && r >= 0; i++) {
                /* a path without a pattern stands for itself, and is missed if it is missing */
                int e = glob(h->files[i], GLOB_NOMAGIC | GLOB_ERR | (i ? GLOB_APPEND : 0), NULL,
                                &found);
                if (e && e != GLOB_NOMATCH)
                        r = fail_set(fail, -EIO, "%.200s cannot be read", h->files[i]);
        }
        if (found.gl_pathc)
                qsort(found.gl_pathv, found.gl_pathc, sizeof found.gl_pathv[0], reversed);
        for (size_t i = 0; i < found.gl_pathc && r >= 0; i++)
                r = run_program(s, h, found.gl_pathv[i], fail);
        globfree(&found);
        return r;
}

void hook_run(const struct step *s, const Slumber__HookSpec *h) {
        _cleanup_close_ int fd = open(h->result, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        struct fail fail = { 0 };

        if (fd < 0) {
                if (errno != EEXIST)
                        fprintf(stderr, "slumberstepd: cannot make %s: %s\n", h->result,
                                        strerror(errno));
                _exit(1);
        }
        (void)setrlimit(RLIMIT_NOFILE, &s->files);
        (void)umask(022);
        (void)!chdir("/");
        const char *text = run_all(s, h, &fail) < 0 ? fail.text : "ok";
        int r = fd_write(fd, (const uint8_t *)text, strlen(text));
        if (r < 0)
                fprintf(stderr, "slumberstepd: cannot write %s: %s\n", h->result, strerror(-r));
        _exit(r < 0);
}
