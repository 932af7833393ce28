/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes are counted in windows of a tenth of a second. The first window with MUCH bytes takes the
 * priority away, the first with less than half of MUCH restores the priority. The watching thread
 * waits in an epoll set, from which the kernel removes the controller's connection at its close. */
#include "agent/streams/bulk.h"
#include "agent/common/realtime.h"
#include "agent/state/agent.h"
#include "lib/thread.h"
#include "lib/timer.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define WINDOW (100 * USEC_PER_MSEC)
#define MUCH   ((size_t)2 << 20)
/* cost of handling a message, in addition to its data, in bytes */
#define MESSAGE ((size_t)4 << 10)

struct bulk {
        sd_event_source *timer; /* fires at the end of a window, while priority is lowered */
        usec_t begun;           /* begin of the window, CLOCK_MONOTONIC */
        size_t moved;           /* bytes in this window */
        pid_t slumberd;         /* the thread whose priority changes */
        /* watched: epoll set of the controller's connection, for one event, and of ended, an
           eventfd */
        int watched, ended;
        bool watches;
        pthread_t watcher;
        pthread_mutex_t lock; /* protects lowered and changes of the priority */
        bool lowered;
};

static void raise_priority(struct bulk *b) {
        (void)pthread_mutex_lock(&b->lock);
        if (b->lowered)
                (void)realtime_take(b->slumberd);
        b->lowered = false;
        (void)pthread_mutex_unlock(&b->lock);
}

static void *bulk_watch(void *user) {
        struct bulk *b = user;
        struct epoll_event event = { .data.fd = -1 };

        (void)realtime_take(0);
        do {
                if (epoll_wait(b->watched, &event, 1, -1) > 0)
                        raise_priority(b);
        } while (event.data.fd != b->ended);
        return NULL;
}

/* Orders come from the controller only: no connection, no watch. */
static void watch_controller(struct agent *a) {
        const int fd = a->controller ? conn_descriptor(a->controller) : -1;
        struct epoll_event event = { .events = EPOLLIN | EPOLLONESHOT, .data.fd = fd };

        if (fd >= 0 && epoll_ctl(a->bulk->watched, EPOLL_CTL_MOD, fd, &event) < 0)
                (void)epoll_ctl(a->bulk->watched, EPOLL_CTL_ADD, fd, &event);
}

/* The controller is watched before the priority is lowered: afterwards other programs may get the
   CPU. */
static void lower_priority(struct agent *a) {
        struct bulk *b = a->bulk;

        (void)pthread_mutex_lock(&b->lock);
        b->lowered = true;
        watch_controller(a);
        realtime_give(b->slumberd);
        (void)pthread_mutex_unlock(&b->lock);
}

static bool is_lowered(struct bulk *b) {
        (void)pthread_mutex_lock(&b->lock);
        const bool lowered = b->lowered;
        (void)pthread_mutex_unlock(&b->lock);
        return lowered;
}

static void begin_window(struct bulk *b, usec_t now) {
        b->begun = now;
        b->moved = 0;
}

/* Returns true if slumberd waits for the processes of a job to freeze or to thaw. */
static bool some_job_is_freezing(const struct agent *a) {
        for (const struct job *j = a->jobs; j; j = j->next) {
                enum freezer_state state = j->freezer ? cg_freezer_state(j->freezer)
                                                      : FREEZER_THAWED;
                if (state != FREEZER_THAWED && state != FREEZER_FROZEN)
                        return true;
        }
        return false;
}

static int on_window(sd_event_source *source, uint64_t t, void *user) {
        struct agent *a = user;
        struct bulk *b = a->bulk;

        (void)source, (void)t;
        if (b->moved < MUCH / 2) {
                raise_priority(b);
                return 0;
        }
        if (some_job_is_freezing(a))
                raise_priority(b);
        else if (is_lowered(b))
                watch_controller(a); /* the connection may be new */
        else                         /* the controller has sent a message */
                lower_priority(a);
        begin_window(b, now_monotonic());
        timer_arm(b->timer, WINDOW);
        return 0;
}

static int start_watch(struct bulk *b) {
        struct epoll_event end = { .events = EPOLLIN };

        b->watched = epoll_create1(EPOLL_CLOEXEC);
        b->ended = eventfd(0, EFD_CLOEXEC);
        end.data.fd = b->ended;
        if (b->watched < 0 || b->ended < 0 ||
                        epoll_ctl(b->watched, EPOLL_CTL_ADD, b->ended, &end) < 0)
                return -errno;
        return thread_start(&b->watcher, "bulk-watch", bulk_watch, b);
}

/* The lock has priority inheritance: slumberd runs with the watching thread's priority while the
   watching thread waits for the lock. */
static void init_lock(pthread_mutex_t *lock) {
        pthread_mutexattr_t attributes;

        (void)pthread_mutexattr_init(&attributes);
        (void)pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
        (void)pthread_mutex_init(lock, &attributes);
        (void)pthread_mutexattr_destroy(&attributes);
}

int bulk_new(struct agent *a) {
        struct bulk *b = xnew0(struct bulk, 1);
        int r = timer_new(a->event, 0, on_window, a, &b->timer);

        a->bulk = b;
        init_lock(&b->lock);
        b->slumberd = gettid();
        b->watched = b->ended = -1;
        if (r >= 0)
                r = start_watch(b);
        b->watches = r >= 0;
        return r;
}

struct bulk *bulk_free(struct bulk *b) {
        if (!b)
                return NULL;
        if (b->watches) {
                (void)eventfd_write(b->ended, 1);
                (void)pthread_join(b->watcher, NULL);
        }
        sd_event_source_unref(b->timer);
        if (b->watched >= 0)
                (void)close(b->watched);
        if (b->ended >= 0)
                (void)close(b->ended);
        (void)pthread_mutex_destroy(&b->lock);
        free(b);
        return NULL;
}

void bulk_moved(struct agent *a, size_t bytes) {
        struct bulk *b = a->bulk;

        if (!b)
                return;
        b->moved += bytes + MESSAGE;
        if (b->moved < MUCH || timer_is_armed(b->timer))
                return;
        const usec_t now = now_monotonic();
        if (now - b->begun <= WINDOW) {
                if (!some_job_is_freezing(a))
                        lower_priority(a);
                timer_arm(b->timer, WINDOW);
        }
        begin_window(b, now);
}

void bulk_order(struct agent *a) {
        if (a->bulk)
                raise_priority(a->bulk);
}
