/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/machine/program.h"

#include "lib/child.h"
#include "lib/config/config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <sys/wait.h>

/* Owned by its child source, which the loop owns: program_free() kills a running program, whose
   memory is freed when the program has ended. */
struct program {
        struct program_wish wish;
        pid_t pid;
        int output;
        sd_event_source *child, *limit; /* child: owned by the loop */
        bool overdue;
};

static void program_dispose(void *user) {
        struct program *p = user;

        sd_event_source_disable_unref(p->limit);
        if (p->output >= 0)
                close(p->output);
        free(p);
}

struct program *program_free(struct program *p) {
        if (!p)
                return NULL;
        (void)kill(-p->pid, SIGKILL);
        p->wish.ended = NULL;
        return NULL;
}

static int program_on_limit(sd_event_source *source, uint64_t usec, void *user) {
        struct program *p = user;

        (void)source, (void)usec;
        p->overdue = true;
        (void)kill(-p->pid, SIGKILL);
        return 0;
}

/* Returns the reason of failure; NULL: success. */
static char *program_failure_text(const struct program *p, const siginfo_t *info) {
        if (p->overdue)
                return xasprintf("took longer than %s (%" PRIu64 " s)", p->wish.limit_name,
                                p->wish.limit / USEC_PER_SEC);
        if (info->si_code != CLD_EXITED || info->si_status > p->wish.last_good)
                return xasprintf("ended with %s %d",
                                info->si_code == CLD_EXITED ? "exit status" : "signal",
                                info->si_status);
        return NULL;
}

/* The output is in the pipe, whose size exceeds PROGRAM_OUTPUT_MAX: remaining child processes
   are not waited for. */
static int program_on_ended(sd_event_source *source, const siginfo_t *info, void *user) {
        struct program *p = user;
        char buf[PROGRAM_OUTPUT_MAX + 1];
        ssize_t n = p->output >= 0 ? read(p->output, buf, sizeof buf - 1) : 0;
        _cleanup_free_ char *why = program_failure_text(p, info);
        const struct program_wish wish = p->wish;

        if (wish.alone)
                (void)kill(-p->pid, SIGKILL); /* before p->pid is reaped and reused */
        buf[MAX(n, 0)] = 0;
        (void)sd_event_source_set_floating(source, false); /* frees p */
        if (wish.ended)
                wish.ended(wish.user, buf, info->si_status, why);
        return 0;
}

static int program_spawn(struct program *p, struct fail *fail) {
        const struct program_wish *w = &p->wish;
        _cleanup_free_ char *copy = xstrdup(w->path);
        char *name = basename(copy), *one[] = { name, w->argument, NULL };
        _cleanup_free_ char **many = NULL;
        size_t n = 0;
        _cleanup_close_ int writer = -1;
        int fds[2], r = program_check(w->path, fail);

        if (r < 0)
                return r;
        for (; w->arguments && w->arguments[n]; n++) {
                many = xrenew(many, n + 3);
                many[n + 1] = w->arguments[n];
        }
        if (n) {
                many[0] = name;
                many[n + 1] = NULL;
        }
        if (w->listen) {
                if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
                        return fail_set(fail, -errno, "cannot make a pipe: %s", strerror(errno));
                p->output = fds[0];
                writer = fds[1];
                (void)fcntl(writer, F_SETFL, 0);
        }
        const struct child_program s = { w->path, n ? many : one,
                { (char *)(uintptr_t)CHILD_PATH, w->variables[0], w->variables[1], w->variables[2],
                                w->variables[3] },
                w->listen ? writer : CHILD_NOTHING, w->heard ? STDERR_FILENO : CHILD_NOTHING,
                CHILD_NOTHING };
        return child_start(&s, &p->pid, fail);
}

/* Gives p to the loop. */
static int program_watch(sd_event *event, struct program *p) {
        int r = sd_event_add_child(event, &p->child, p->pid, WEXITED, program_on_ended, p);

        if (r < 0)
                return r;
        (void)sd_event_source_set_destroy_callback(p->child, program_dispose);
        (void)sd_event_source_set_floating(p->child, true);
        sd_event_source_unref(p->child);
        return p->wish.limit ? sd_event_add_time_relative(event, &p->limit, CLOCK_MONOTONIC,
                                               p->wish.limit, 0, program_on_limit, p)
                             : 0;
}

struct program *program_start(sd_event *event, const struct program_wish *w, struct fail *fail) {
        struct program *p = xnew0(struct program, 1);

        p->wish = *w;
        p->output = -1;
        if (program_spawn(p, fail) < 0) {
                program_dispose(p);
                return NULL;
        }
        int r = program_watch(event, p);
        if (r >= 0)
                return p;
        fail_set(fail, r, "%s cannot be watched: %s", w->path, strerror(-r));
        program_free(p);
        if (!p->child)
                program_dispose(p);
        return NULL;
}

static int program_on_reaped(sd_event_source *source, const siginfo_t *info, void *user) {
        (void)source, (void)info, (void)user;
        return 0;
}

int program_reap(sd_event *event, pid_t pid, struct fail *fail) {
        int r = sd_event_add_child(event, NULL, pid, WEXITED, program_on_reaped, NULL);

        if (r >= 0)
                return 0;
        (void)kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, WNOHANG); /* a process hanging in the kernel is not waited for */
        return fail_set(fail, r, "process %d cannot be watched: %s", (int)pid, strerror(-r));
}
