/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/submit/srun_bcast.h"

#include "commands/command.h"
#include "commands/steps/bcast.h"
#include "lib/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define ARGUMENTS_MAX 16

extern char **environ;

/* Returns the path of the copy on the nodes. If --bcast names no file, the file's name has the
   job id, srun's process id (the step has no id yet), and the number of a later component. */
static char *name_of_copy(const struct srun *s, uint32_t job, size_t part) {
        const char *to = s->o.bcast;
        bool folder = !*to || to[strlen(to) - 1] == '/';
        _cleanup_free_ char *place = part ? xasprintf("+%zu", part) : NULL,
                            *name = folder ? xasprintf("slurm_bcast_%u.%d%s", job, (int)getpid(),
                                                             strempty(place))
                                           : NULL;

        return xasprintf("%s%s", to, strempty(name));
}

/* Drops a pending SIGWINCH, as the step gets the window's size at its start. Returns whether
   another signal is pending. */
static bool ends_srun(const struct srun *s) {
        sigset_t pending;

        if (sigpending(&pending) < 0 || !sigismember(&pending, SIGWINCH))
                return true;
        sigset_t window;
        sigemptyset(&window);
        sigaddset(&window, SIGWINCH);
        (void)sigtimedwait(&window, NULL, &(struct timespec){ 0 });
        return poll(&(struct pollfd){ .fd = s->signal_fd, .events = POLLIN }, 1, 0) > 0;
}

/* Waits for sbcast and returns its wait status. Any signal to srun ends sbcast and stays
   pending. */
static int sbcast_wait(const struct srun *s, pid_t pid) {
        int status = 0, fd = (int)syscall(SYS_pidfd_open, pid, 0);
        struct pollfd p[] = { { .fd = fd, .events = POLLIN },
                { .fd = s->signal_fd, .events = POLLIN } };

        while (fd >= 0 && (poll(p, ELEMENTSOF(p), -1) < 0 ? errno == EINTR
                                                          : !p[0].revents && !ends_srun(s)))
                ;
        if (fd >= 0 && !p[0].revents && p[1].revents)
                (void)kill(-pid, SIGTERM);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        if (fd >= 0)
                close(fd);
        return status;
}

/* Reads sbcast's report: the copy's path in *ret, owned by the caller, and whether libraries
   were copied. */
static int read_told(int fd, char **ret, bool *ret_libs, struct fail *fail) {
        char line[BCAST_LINE_MAX];
        ssize_t n = read(fd, line, sizeof line - 1);
        char *end = n > 0 ? memchr(line, '\n', (size_t)n) : NULL;

        if (!end || end - line < 2)
                return fail_set(fail, -EPROTO, "--bcast: sbcast does not say where the copy is");
        *end = 0;
        *ret_libs = *line == '1';
        *ret = xstrdup(line + 2);
        return 0;
}

static int run_sbcast(const struct srun *s, char *const *argv, const char *from, char **ret,
                bool *ret_libs, struct fail *fail) {
        _cleanup_free_ char *program = program_beside("sbcast", "commands");
        int fds[2];
        pid_t pid;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "--bcast: %s", strerror(errno));
        const struct child_program child = { .program = program,
                .argv = argv,
                .input = CHILD_NOTHING,
                .output = fds[1],
                .error = STDERR_FILENO };
        (void)setenv(BCAST_TELL, "1", 1);
        int r = child_start_with(&child, environ, &pid, fail);
        (void)unsetenv(BCAST_TELL);
        close(fds[1]);
        if (r >= 0 && sbcast_wait(s, pid))
                r = fail_set(fail, -EREMOTEIO, "--bcast: %s has not come to all nodes", from);
        if (r >= 0)
                r = read_told(fds[0], ret, ret_libs, fail);
        close(fds[0]);
        return r;
}

/* Copies to the nodes of the job, or of the part's component of the job. */
static int program_copy(const struct srun *s, size_t part, char **ret, bool *ret_libs,
                struct fail *fail) {
        uint32_t number = srun_job_of(s, part);
        _cleanup_free_ char *from = program_find(s->argv[0], getenv("PATH"), true),
                            *job = xasprintf("-j%u", number), *to = name_of_copy(s, number, part),
                            *libs = xasprintf("--send-libs=%s", strempty(s->o.send_libs)),
                            *exclude = xasprintf("--exclude=%s", strempty(s->o.bcast_exclude)),
                            *packed = xasprintf("--compress=%s", strempty(s->o.compress));
        char *argv[ARGUMENTS_MAX], force[] = "-f", name[] = "sbcast";
        size_t n = 0;

        argv[n++] = name;
        argv[n++] = job;
        argv[n++] = force;
        if (s->o.send_libs)
                argv[n++] = *s->o.send_libs ? libs : strcpy(libs, "--send-libs");
        if (s->o.bcast_exclude)
                argv[n++] = exclude;
        if (s->o.compress)
                argv[n++] = *s->o.compress ? packed : strcpy(packed, "--compress");
        argv[n++] = from;
        argv[n++] = to;
        argv[n] = NULL;
        return run_sbcast(s, argv, from, ret, ret_libs, fail);
}

void srun_copy_done(struct srun_copy *c) {
        if (c->argv)
                free(c->argv[0]);
        free(c->argv);
        free(c->libs);
}

/* Makes a command line for this component, because components may share the original words. */
static void use_copy(struct srun *s, char *to, bool libs) {
        s->copy.argv = xnew0(char *, (size_t)s->argc + 1);
        memcpy(s->copy.argv, s->argv, (size_t)s->argc * sizeof s->argv[0]);
        s->copy.argv[0] = to;
        s->argv = s->copy.argv;
        if (libs)
                s->copy.libs = xasprintf("%s_libs", to);
}

static int copy_part(struct srun *s, size_t part, struct fail *fail) {
        char *to = NULL;
        bool libs = false;

        if (!s->o.bcast)
                return 0;
        int r = program_copy(s, part, &to, &libs, fail);
        if (r >= 0)
                use_copy(s, to, libs);
        return r;
}

int srun_bcast(struct srun *s) {
        struct fail fail = { 0 };
        int r = 0;

        if (s->bcast_done)
                return 0;
        s->bcast_done = true;
        for (size_t part = 0; part < srun_count_parts(s) && r >= 0; part++) {
                srun_turn(s, part);
                r = copy_part(s, part, &fail);
                srun_turn(s, part);
        }
        if (r < 0)
                command_error(SRUN, "%s", fail.text);
        return r;
}
