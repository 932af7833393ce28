/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of the site's: started in a process group of its own, for so long at most, while the loop goes on. */
#include "agent/agent.h"
#include "lib/child.h"

#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>

struct program {
        struct program_wish wish;
        pid_t pid; /* 0: it has ended */
        int output;
        sd_event_source *child, *limit;
        bool overdue;
};

struct program *program_free(struct program *p) {
        if (!p)
                return NULL;
        if (p->pid)
                (void)kill(-p->pid, SIGKILL);
        sd_event_source_disable_unref(p->limit);
        sd_event_source_disable_unref(p->child);
        if (p->output >= 0)
                close(p->output);
        free(p);
        return NULL;
}
DEFINE_CLEANUP(struct program *, program_free)

static int on_limit(sd_event_source *source, uint64_t usec, void *user) {
        struct program *p = user;

        (void)source, (void)usec;
        p->overdue = true;
        (void)kill(-p->pid, SIGKILL);
        return 0;
}

/* What is against it; NULL: nothing. */
static char *complaint(const struct program *p, const siginfo_t *info, ssize_t written) {
        if (p->overdue)
                return xasprintf("took longer than ExecTime (%" PRIu64 " s)", p->wish.limit / USEC_PER_SEC);
        if (info->si_code != CLD_EXITED || info->si_status != 0)
                return xasprintf("ended with %s %d", info->si_code == CLD_EXITED ? "exit status" : "signal", info->si_status);
        return written > PROGRAM_OUTPUT_MAX ? xasprintf("wrote more than %d bytes", PROGRAM_OUTPUT_MAX) : NULL;
}

/* What it has written is in the pipe, which takes more than that: nobody waits for what it may have left running. */
static int on_ended(sd_event_source *source, const siginfo_t *info, void *user) {
        struct program *p = user;
        char buf[PROGRAM_OUTPUT_MAX + 2];
        ssize_t n = p->output >= 0 ? read(p->output, buf, sizeof buf - 1) : 0;
        _cleanup_free_ char *why = complaint(p, info, n);
        const struct program_wish wish = p->wish;

        (void)source;
        buf[MAX(n, 0)] = 0;
        p->pid = 0;
        program_free(p);
        wish.ended(wish.user, buf, why);
        return 0;
}

static int spawn(struct program *p, struct fail *fail) {
        const struct program_wish *w = &p->wish;
        _cleanup_free_ char *copy = xstrdup(w->path);
        char *argv[] = { basename(copy), w->argument, NULL };
        _cleanup_close_ int writer = -1;
        int fds[2], r = program_check(w->path, fail);

        if (r < 0)
                return r;
        if (w->listen) {
                if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
                        return fail_set(fail, -errno, "cannot make a pipe: %s", strerror(errno));
                p->output = fds[0];
                writer = fds[1];
                (void)fcntl(writer, F_SETFL, 0);
        }
        const struct child_program s = { w->path, argv, { (char *)(uintptr_t)CHILD_PATH }, w->listen ? writer : CHILD_NOTHING,
                w->heard ? STDERR_FILENO : CHILD_NOTHING, CHILD_NOTHING };
        return child_start(&s, &p->pid, fail);
}

struct program *program_start(struct agent *a, const struct program_wish *w, struct fail *fail) {
        _cleanup_(program_freep) struct program *p = xnew0(struct program, 1);
        int r;

        p->wish = *w;
        p->output = -1;
        if (spawn(p, fail) < 0)
                return NULL;
        r = sd_event_add_child(a->event, &p->child, p->pid, WEXITED, on_ended, p);
        if (r >= 0 && w->limit)
                r = sd_event_add_time_relative(a->event, &p->limit, CLOCK_MONOTONIC, w->limit, 0, on_limit, p);
        if (r < 0) {
                fail_set(fail, r, "%s cannot be watched: %s", w->path, strerror(-r));
                return NULL;
        }
        return TAKE(p);
}
