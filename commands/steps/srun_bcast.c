/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/steps/srun_bcast.h"

#include "commands/command.h"
#include "commands/steps/bcast_config.h"
#include "commands/submit/script.h"
#include "lib/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define ARGUMENTS_MAX 16

extern char **environ;

/* Where the copy will be.  Without a name it has the job's and this srun's number: the step has
   none yet. */
static char *place_of_copy(const struct srun *s, const struct bcast_config *c) {
        const char *to = s->o.bcast;
        bool folder = !*to || to[strlen(to) - 1] == '/';
        _cleanup_free_ char *name = folder ? xasprintf("slurm_bcast_%u.%d", s->job, (int)getpid())
                                           : NULL,
                            *path = bcast_config_path(c, to);

        return xasprintf("%s%s", path, strempty(name));
}

static int read_config(struct bcast_config *ret, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        int r = command_connect(&w, fail);

        return r < 0 ? r : bcast_config_read(w, ret, fail);
}

/* A new size of the window is of no interest yet: the step is told of the one that it begins with.
 */
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

/* Its wait status.  A signal to srun is left to be read, and ends it. */
static int wait_for_end(const struct srun *s, pid_t pid) {
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

static int copy(const struct srun *s, char *to, struct fail *fail) {
        _cleanup_free_ char *program = program_beside("sbcast", "commands"),
                            *from = script_find(s->argv[0]), *job = xasprintf("-j%u", s->job),
                            *libs = xasprintf("--send-libs=%s", strempty(s->o.send_libs)),
                            *exclude = xasprintf("--exclude=%s", strempty(s->o.bcast_exclude)),
                            *packed = xasprintf("--compress=%s", strempty(s->o.compress));
        char *argv[ARGUMENTS_MAX], force[] = "-f", name[] = "sbcast";
        size_t n = 0;
        pid_t pid;

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
        const struct child_program child = { .program = program,
                .argv = argv,
                .input = CHILD_NOTHING,
                .output = STDOUT_FILENO,
                .error = STDERR_FILENO };
        int r = child_start_with(&child, environ, &pid, fail);
        if (r < 0)
                return r;
        return wait_for_end(s, pid) ? fail_set(fail, -EREMOTEIO,
                                                      "--bcast: %s has not come to all nodes", from)
                                    : 0;
}

static void use_libs(const char *to) {
        const char *had = getenv("LD_LIBRARY_PATH");
        _cleanup_free_ char *path = xasprintf("%s_libs%s%s", to, isempty(had) ? "" : ":",
                        strempty(had));

        (void)setenv("LD_LIBRARY_PATH", path, 1);
}

int srun_bcast(struct srun *s) {
        _cleanup_(bcast_config_done) struct bcast_config config = { 0 };
        struct fail fail = { 0 };

        if (!s->o.bcast || s->bcast_done)
                return 0;
        s->bcast_done = true;
        int r = read_config(&config, &fail);
        char *to = place_of_copy(s, &config); /* until the end of the process, as s->argv */
        if (r >= 0)
                r = copy(s, to, &fail);
        if (r < 0) {
                command_error(SRUN, "%s", fail.text);
                free(to);
                return r;
        }
        s->argv[0] = to;
        if (s->o.send_libs ? !streq(s->o.send_libs, "no") : config.send_libs)
                use_libs(to);
        return 0;
}
