/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller's end of SLUMBER_RESULT_FD: a pipe for each run of a Resume or Suspend program,
 * from the start until no process holds the program's end, at most until the program's timeout.
 *
 * The program's end is opened for reading, too: a program that continues while the controller
 * restarts writes into a pipe without a reader instead of dying of SIGPIPE before handling all
 * nodes.  The pipe is as large as possible, because a program blocks for ever on a full pipe
 * (slumber-power does not).  While the controller is alive, all output of a running program is
 * read, whatever the content. */
#include "controller/programs/outcomes.h"

#include "controller/loop/controller.h"

#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/clock.h"
#include "controller/programs/outcome_line.h"
#include "lib/log.h"

#include <fcntl.h>

#define TOTAL_MAX   ((size_t)16 * 1024 * 1024) /* 100,000 nodes, each with a long sentence */
#define READERS_MAX 256                        /* each costs a descriptor */
/* limit of an unprivileged user by default */
#define PIPE_SIZE    (1024 * 1024)
#define MISTAKES_MAX 10 /* logged per run */
#define CHUNK        65536
/* pause between full pipes of discarded output: 100 MB/s */
#define DISCARD_PAUSE (10 * USEC_PER_MSEC)

struct outcomes {
        struct controller *ctl;
        const char *key; /* "ResumeProgram" */
        enum outcome_verb verb;
        struct hostlist *nodes;
        usec_t started;
        /* 0: the program has ended; a process still holding the pipe is read until
           outcomes_make_room() drops the reader */
        pid_t pid;
        int fd;
        sd_event_source *io, *timer;
        /* no process holds the pipe any more; kept until the program is known to have ended, too */
        bool closed;
        size_t total, told; /* told: lines about nodes of the run */
        unsigned mistakes, late;
        struct outcome_feed *feed;
};

static void outcomes_drop(struct outcomes *o) {
        struct controller *ctl = o->ctl;

        for (size_t i = 0; i < ctl->n_outcomes; i++)
                if (ctl->outcomes[i] == o) {
                        memmove(&ctl->outcomes[i], &ctl->outcomes[i + 1],
                                        (ctl->n_outcomes - i - 1) * sizeof ctl->outcomes[0]);
                        ctl->n_outcomes--;
                        break;
                }
        sd_event_source_disable_unref(o->io);
        sd_event_source_disable_unref(o->timer);
        close(o->fd);
        hostlist_free(o->nodes);
        outcome_feed_free(o->feed);
        free(o);
}

void outcomes_clock_set(struct controller *ctl, int64_t by) {
        for (size_t i = 0; i < ctl->n_outcomes; i++)
                ctl->outcomes[i]->started = clock_moved(ctl->outcomes[i]->started, by);
}

void outcomes_free(struct controller *ctl) {
        while (ctl->n_outcomes)
                outcomes_drop(ctl->outcomes[ctl->n_outcomes - 1]);
        free(TAKE(ctl->outcomes));
}

static void outcomes_log_mistake(struct outcomes *o, const char *text) {
        if (o->mistakes++ < MISTAKES_MAX)
                log_warning(0, "%s: a line of SLUMBER_RESULT_FD is ignored: %s%s", o->key, text,
                                o->mistakes == MISTAKES_MAX ? " (more of them are not logged)"
                                                            : "");
}

static void on_mistake(const struct fail *fail, void *user) {
        outcomes_log_mistake(user, fail->text);
}

static void outcomes_on_line(const char *node, const struct outcome *outcome, void *user) {
        struct outcomes *o = user;
        struct node *n = cluster_node(o->ctl->cluster, node);

        bool mine = hostlist_has(o->nodes, node);
        if (!n || !mine) {
                _cleanup_free_ char *text = xasprintf(mine ? "node %s is not configured any more"
                                                           : "node %s is not one of this run",
                                node);
                outcomes_log_mistake(o, text);
                return;
        }
        o->told++;
        usec_t now = controller_now(o->ctl);
        int r = node_outcome(o->ctl->cluster, n, o->verb, outcome, o->started, now);
        if (r >= 0 || outcome->seen != OBSERVED_NOTHING)
                controller_changed(o->ctl);
        if (r < 0 && outcome->kind != OUTCOME_OK && o->late++ < MISTAKES_MAX)
                log_fields(LOG_INFO, 0, 0, n->name,
                                "%s says \"%s\" of node %s, which is past that%s", o->key,
                                outcome_kind_text((int)outcome->kind), n->name,
                                o->late == MISTAKES_MAX ? " (more of them are not logged)" : "");
}

/* Discards excess output, because a program that is not read would never end; rate-limited to leave
   the event loop time for other events. */
static void outcomes_read(struct outcomes *o, const char *buf, size_t n) {
        outcome_feed_add(o->feed, buf, n);
        o->total += n;
        if (o->total <= TOTAL_MAX)
                return;
        log_warning(0, "%s has written more than %zu MB to SLUMBER_RESULT_FD: the rest is ignored",
                        o->key, TOTAL_MAX >> 20);
        (void)sd_event_source_set_ratelimit(o->io, DISCARD_PAUSE, 1);
}

static int on_readable(sd_event_source *source, int fd, uint32_t events, void *user) {
        static char buf[PIPE_SIZE];
        struct outcomes *o = user;
        ssize_t n = read(fd, buf, o->total <= TOTAL_MAX ? CHUNK : sizeof buf);

        (void)source;
        (void)events;
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return 0;
        if (n > 0) {
                if (o->total <= TOTAL_MAX)
                        outcomes_read(o, buf, (size_t)n);
                return 0;
        }
        outcome_feed_end(o->feed);
        o->closed = true;
        if (o->pid)
                o->io = sd_event_source_disable_unref(o->io);
        else
                outcomes_drop(o);
        return 0;
}

static int on_time_over(sd_event_source *source, uint64_t usec, void *user) {
        (void)source;
        (void)usec;
        outcomes_drop(user);
        return 0;
}

/* *ret: the program's end, to be passed on and closed. */
static int outcomes_make_pipe(int *ret_reader, int *ret) {
        char path[64];
        int fds[2];

        if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
                return -errno;
        (void)fcntl(fds[0], F_SETPIPE_SZ, PIPE_SIZE);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fds[1]);
        int fd = open(path, O_RDWR | O_CLOEXEC); /* a separate file description: blocking */
        int r = fd < 0 ? -errno : 0;
        close(fds[1]);
        if (r < 0)
                close(fds[0]);
        *ret_reader = fds[0];
        *ret = fd;
        return r;
}

/* Drops the oldest reader of an ended program; a running program would block on a full pipe. */
static int outcomes_make_room(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_outcomes && ctl->n_outcomes >= READERS_MAX; i++)
                if (ctl->outcomes[i]->pid == 0)
                        outcomes_drop(ctl->outcomes[i]);
        return ctl->n_outcomes >= READERS_MAX ? -EMFILE : 0;
}

int outcomes_open(struct controller *ctl, const char *key, bool resume, const char *nodes,
                usec_t limit, int *ret) {
        struct outcomes *o = xnew0(struct outcomes, 1);
        int fd = -1, r = outcomes_make_room(ctl);

        if (r >= 0)
                r = outcomes_make_pipe(&o->fd, &fd);
        if (r < 0) {
                free(o);
                return r;
        }
        o->ctl = ctl;
        o->key = key;
        o->verb = resume ? OUTCOME_RESUME : OUTCOME_SUSPEND;
        o->started = controller_now(ctl);
        o->feed = outcome_feed_new(outcomes_on_line, on_mistake, o);
        GROW(ctl->outcomes, ctl->a_outcomes, ctl->n_outcomes);
        ctl->outcomes[ctl->n_outcomes++] = o;
        r = hostlist_parse(nodes, &o->nodes, NULL);
        if (r >= 0)
                r = sd_event_add_io(ctl->event, &o->io, o->fd, EPOLLIN, on_readable, o);
        if (r >= 0 && limit < USEC_INFINITY)
                r = sd_event_add_time_relative(ctl->event, &o->timer, CLOCK_MONOTONIC, limit,
                                USEC_PER_SEC, on_time_over, o);
        if (r < 0) {
                close(fd);
                outcomes_drop(o);
                return r;
        }
        *ret = fd;
        return 0;
}

void outcomes_of(struct controller *ctl, pid_t pid) {
        if (ctl->n_outcomes)
                ctl->outcomes[ctl->n_outcomes - 1]->pid = pid;
}

/* Reads output written before the end of the program but not read yet. */
static void read_rest(struct outcomes *o) {
        static char buf[CHUNK];
        ssize_t n;

        while (o->total <= TOTAL_MAX &&
                        ((n = read(o->fd, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR)))
                if (n > 0)
                        outcomes_read(o, buf, (size_t)n);
        outcome_feed_end(o->feed);
}

bool outcomes_ended(struct controller *ctl, pid_t pid) {
        for (size_t i = 0; i < ctl->n_outcomes; i++) {
                struct outcomes *o = ctl->outcomes[i];
                if (o->pid != pid)
                        continue;
                o->pid = 0;
                if (!o->closed)
                        read_rest(o);
                bool silent = o->told == 0;
                if (o->closed)
                        outcomes_drop(o);
                return silent;
        }
        return false;
}
