/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which changeable features this boot has: each helper of helpers.conf for this node is run once, when slumberd starts
 * (guide, "node features"), and prints the active ones, a line each.  A helper that prints nothing leaves it to the
 * controller.  One that fails, hangs or babbles is said and counts as having printed nothing.
 *
 * The node needs no helpers.conf: the controller answers a registration that is not from just these helpers with their list, they
 * are run, and the node registers again; only then it is welcome.  A list that changes meanwhile is for reboots (reboot.c) at once, and
 * is run at the next registration. */
#include "agent/agent.h"
#include "lib/child.h"

#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <sys/wait.h>

#define OUTPUT_MAX 4096 /* names of features, not a story */

static int start(const char *program, int out, pid_t *ret, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(program);
        char *argv[] = { basename(copy), NULL };
        const struct child_program s = { program, argv, { (char *)(uintptr_t)CHILD_PATH }, out, STDERR_FILENO, CHILD_NOTHING };

        return child_start(&s, ret, fail);
}

/* Up to the end of the output; -ETIMEDOUT, -EFBIG. */
static int read_all(int fd, char *buf, usec_t limit) {
        usec_t end = now_monotonic() + limit;
        size_t used = 0;

        for (;;) {
                struct pollfd p = { .fd = fd, .events = POLLIN };
                usec_t now = now_monotonic();
                int r = now >= end ? 0 : poll(&p, 1, (int)((end - now) / USEC_PER_MSEC) + 1);
                if (r == 0)
                        return -ETIMEDOUT;
                if (r < 0 && errno != EINTR)
                        return -errno;
                if (r < 0)
                        continue;
                ssize_t n = read(fd, buf + used, OUTPUT_MAX - used);
                if (n < 0 && errno != EINTR)
                        return -errno;
                if (n == 0) {
                        buf[used] = 0;
                        return 0;
                }
                used += n > 0 ? (size_t)n : 0;
                if (used == OUTPUT_MAX)
                        return -EFBIG;
        }
}

static int run(const char *program, usec_t limit, char *buf, struct fail *fail) {
        _cleanup_close_ int in = -1, out = -1;
        int fds[2], status = 0;
        pid_t pid;
        int r = program_check(program, fail);

        if (r < 0)
                return r;
        if (pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        in = fds[0];
        out = fds[1];
        r = start(program, out, &pid, fail);
        if (r < 0)
                return r;
        close(TAKE_FD(out));
        r = read_all(in, buf, limit);
        if (r < 0)
                (void)kill(-pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        if (r == -ETIMEDOUT)
                return fail_set(fail, r, "%s took longer than ExecTime", program);
        if (r < 0)
                return fail_set(fail, r, "%s wrote more than %d bytes, or could not be read", program, OUTPUT_MAX);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
                return fail_set(fail, -EINVAL, "%s ended with %s %d", program, WIFEXITED(status) ? "exit status" : "signal",
                                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        return 0;
}

/* Lines to a comma list; what cannot be a feature's name is left out. */
static void add_names(char **list, char *lines) {
        char *save = NULL;

        for (char *w = strtok_r(lines, "\n\r\t, ", &save); w; w = strtok_r(NULL, "\n\r\t, ", &save)) {
                if (w[strspn(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")])
                        continue;
                _cleanup_free_ char *before = *list;
                *list = before ? xasprintf("%s,%s", before, w) : xstrdup(w);
        }
}

static char *report(const struct helpers *h) {
        char *list = NULL, buf[OUTPUT_MAX + 1];

        for (size_t i = 0; i < h->n; i++) {
                bool again = false;
                for (size_t k = 0; k < i; k++)
                        again |= streq(h->list[k].program, h->list[i].program);
                struct fail fail = { 0 };
                if (again)
                        continue;
                if (run(h->list[i].program, h->exec_time, buf, &fail) < 0)
                        log_warning(0, "helpers.conf: %s", fail.text);
                else
                        add_names(&list, buf);
        }
        return list;
}

static struct helpers *from_message(const Slumber__AgentConfig *m) {
        struct helpers *h = xnew0(struct helpers, 1);

        h->exec_time = m->helper_time;
        h->list = xnew0(struct helper, m->n_helpers);
        for (size_t i = 0; i < m->n_helpers; i++)
                h->list[h->n++] = (struct helper){ xstrdup(m->helpers[i]->feature), xstrdup(m->helpers[i]->program), NULL };
        return h;
}

void features_apply(struct agent *a, const Slumber__AgentConfig *config) {
        helpers_free(a->helpers);
        a->helpers = from_message(config);
}

void features_run(struct agent *a, const Slumber__AgentConfig *config) {
        features_apply(a, config);
        helpers_free(a->helpers_run);
        a->helpers_run = from_message(config);
        free(a->features);
        a->features = report(a->helpers_run);
}

void features_fill_message(const struct agent *a, Slumber__Register *m) {
        const struct helpers *h = a->helpers_run;

        m->active_features = (char *)(a->features ? a->features : "");
        m->helpers_run = h ? xnew(Slumber__NodeHelper *, h->n) : NULL;
        for (size_t i = 0; h && i < h->n; i++) {
                Slumber__NodeHelper *to = m->helpers_run[m->n_helpers_run++] = xnew(Slumber__NodeHelper, 1);
                slumber__node_helper__init(to);
                to->feature = h->list[i].feature;
                to->program = h->list[i].program;
        }
}

void features_done_message(Slumber__Register *m) {
        for (size_t i = 0; i < m->n_helpers_run; i++)
                free(m->helpers_run[i]);
        free(m->helpers_run);
}

void features_done(struct agent *a) {
        helpers_free(a->helpers);
        helpers_free(a->helpers_run);
        free(a->features);
}
