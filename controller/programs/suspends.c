/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SuspendPrograms that run, each with its nodes, from their start to their end: a node of one may still lose its power, whatever
 * SuspendTimeout says (node->suspending).
 *
 * The list is in the store, for a controller that stops waits 10 s at most for them and one that is killed not at all, and they go on.
 * The next one finds those by process number and start time, if the machine has not been booted since, and watches their end.  What
 * such a one says goes nowhere.  One that has started when the controller is killed before the list is safe is not in it: its nodes'
 * records do not say that it has started either, so that it is run again. */
#include "controller/controller.h"

#include "controller/core/node_events.h"
#include "lib/hostlist.h"
#include "lib/log.h"

#include <sys/pidfd.h>

struct suspend_run {
        struct controller *ctl;
        pid_t pid;
        uint64_t start; /* clock ticks since the boot, as the kernel has it */
        char *nodes;
        int fd;              /* of one that has outlived its controller, else -1 */
        sd_event_source *io; /* likewise */
};

/* One more for them, or one less.  By name: a reconfigure may have come between. */
static void count(struct controller *ctl, const char *nodes, int by) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (hostlist_parse(nodes, &names, NULL) < 0)
                return;
        for (size_t i = 0; i < hostlist_count(names); i++) {
                struct node *n = cluster_node(ctl->cluster, hostlist_get(names, i));
                if (n)
                        node_suspending(ctl->cluster, n, by, controller_now(ctl));
        }
}

/* 0: no such process runs. */
static uint64_t start_of(pid_t pid) {
        unsigned long long start = 0;
        char path[64], line[1024], state = 0;

        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        if (!f || !fgets(line, sizeof line, f))
                return 0;
        const char *rest = strrchr(line, ')'); /* the name before it may hold anything */
        if (!rest || sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state, &start) != 2)
                return 0;
        return state == 'Z' || state == 'X' ? 0 : start; /* nobody may have reaped it */
}

static struct suspend_run *add(struct controller *ctl, pid_t pid, uint64_t start, const char *nodes) {
        struct suspend_run *s = xnew0(struct suspend_run, 1);

        *s = (struct suspend_run){ .ctl = ctl, .pid = pid, .start = start, .nodes = xstrdup(nodes), .fd = -1 };
        GROW(ctl->suspends, ctl->a_suspends, ctl->n_suspends);
        ctl->suspends[ctl->n_suspends++] = s;
        return s;
}

static void drop(struct suspend_run *s) {
        sd_event_source_disable_unref(s->io);
        if (s->fd >= 0)
                close(s->fd);
        free(s->nodes);
        free(s);
}

/* Its nodes may be waited for. */
static void over(struct suspend_run *s) {
        struct controller *ctl = s->ctl;

        for (size_t i = 0; i < ctl->n_suspends; i++)
                if (ctl->suspends[i] == s) {
                        ctl->suspends[i] = ctl->suspends[--ctl->n_suspends];
                        break;
                }
        count(ctl, s->nodes, -1);
        drop(s);
        ctl->suspends_changed = true;
        controller_changed(ctl);
}

void suspends_started(struct controller *ctl, pid_t pid, const char *nodes) {
        (void)add(ctl, pid, start_of(pid), nodes);
        count(ctl, nodes, 1);
        ctl->suspends_changed = true;
        controller_changed(ctl);
}

void suspends_ended(struct controller *ctl, pid_t pid) {
        for (size_t i = 0; i < ctl->n_suspends; i++)
                if (ctl->suspends[i]->pid == pid && ctl->suspends[i]->fd < 0) { /* not one of the last controller's */
                        over(ctl->suspends[i]);
                        return;
                }
}

void suspends_free(struct controller *ctl) {
        while (ctl->n_suspends)
                drop(ctl->suspends[--ctl->n_suspends]);
        free(TAKE(ctl->suspends));
}

/* ---- from one controller to the next ---- */

static int on_outlived_end(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct suspend_run *s = user;

        (void)source, (void)fd, (void)events;
        log_info("SuspendProgram for %s (process %d), which the last controller had started, has ended", s->nodes, (int)s->pid);
        over(s);
        return 0;
}

/* The descriptor comes first: what /proc says after it is of the same process, or of none. */
static int watch(struct suspend_run *s) {
        s->fd = pidfd_open(s->pid, 0);
        if (s->fd < 0)
                return -errno;
        if (start_of(s->pid) != s->start)
                return -ESRCH;
        return sd_event_add_io(s->ctl->event, &s->io, s->fd, EPOLLIN, on_outlived_end, s);
}

void suspends_restore(struct controller *ctl, const Slumber__SuspendRuns *m) {
        bool same_boot = *ctl->boot_id && streq(ctl->boot_id, m->boot_id);

        ctl->suspends_changed = m->n_runs;
        for (size_t i = 0; same_boot && i < m->n_runs; i++) {
                const Slumber__SuspendRun *r = m->runs[i];
                struct suspend_run *s = add(ctl, (pid_t)r->pid, r->start, r->nodes);
                if (r->pid == 0 || r->start == 0 || watch(s) < 0) {
                        ctl->n_suspends--;
                        drop(s);
                }
        }
}

void suspends_restored(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_suspends; i++) {
                log_warning(0, "SuspendProgram for %s (process %d), which the last controller had started, still runs", ctl->suspends[i]->nodes,
                                (int)ctl->suspends[i]->pid);
                count(ctl, ctl->suspends[i]->nodes, 1);
        }
}

void suspends_fill(const struct controller *ctl, Slumber__SuspendRuns *m) {
        m->boot_id = (char *)(uintptr_t)ctl->boot_id;
        m->runs = xnew0(Slumber__SuspendRun *, ctl->n_suspends);
        for (size_t i = 0; i < ctl->n_suspends; i++) {
                const struct suspend_run *s = ctl->suspends[i];
                Slumber__SuspendRun *r = m->runs[m->n_runs++] = xnew0(Slumber__SuspendRun, 1);
                slumber__suspend_run__init(r);
                r->pid = (uint32_t)s->pid;
                r->start = s->start;
                r->nodes = s->nodes;
        }
}

void suspends_fill_done(Slumber__SuspendRuns *m) {
        for (size_t i = 0; i < m->n_runs; i++)
                free(m->runs[i]);
        free(TAKE(m->runs));
        m->n_runs = 0;
}
