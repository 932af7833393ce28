/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open connections, and the hub shared by all connections of an event loop.
 *
 * The hub is an epoll set, registered as a single event source: sd-event is slow with thousands of
 * ready descriptors, epoll is not. Each turn of the loop serves a bounded number of connections,
 * takes a bounded number of messages and bytes from each, and begins no further connection after
 * TURN_TIME. Connections with more work wait in the run list, served by an event source that
 * alternates with the loop's other sources.
 *
 *   hub_on_ready, hub_on_again -> conn_turn -> connect | handshake | open_turn
 *   open_turn -> conn_flush, conn_receive -> conn_deliver -> ops->message
 *
 * Large data is written in slices: a connection with more data waits in the bulk list, from which
 * one connection writes a slice after each turn and whenever the loop is idle. If the peer takes no
 * more data, the connection waits for epoll instead.
 *
 * Invariants:
 *   - Callbacks run from the loop only, never inside conn_send(): a failure there ends the
 *     connection in the next turn.
 *   - conn_end() and conn_close() close the descriptor at once; the memory goes to the graveyard,
 *     which conn_hub_leave() empties when no callback is on the stack. c->state is therefore
 *     readable after any callback.
 *   - Reading is requested only while no whole frame is buffered: all messages sent before the
 *     peer closed are delivered before closed(). */
#include "lib/conn/conn_private.h"

#include "lib/frame.h"

#include <linux/sockios.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

#define EVENTS_PER_TURN   64
#define MESSAGES_PER_TURN 32
#define BYTES_PER_TURN    ((size_t)256 << 10)
/* A page of a list takes a millisecond or two, a small request some microseconds: fifty lists
   requested at once must not make one turn of a tenth of a second. */
#define TURN_TIME (USEC_PER_MSEC)
#define QUEUE_LIMIT                                                                                \
        ((size_t)256 << 20) /* if the peer takes nothing; several frames of the largest size fit */
/* Size from which a message counts for CONN_HELD_OF_USER_MAX. */
#define LARGE      ((size_t)1 << 20)
#define CHUNK_SIZE ((size_t)16 << 10) /* small messages share a chunk: one write, one TLS record */
/* The launch of a large step sends a megabyte to each of many nodes: one slice to each, in
   turns. */
#define SLICE ((size_t)64 << 10)
/* Lower priority than all requests. */
#define BULK_PRIORITY (SD_EVENT_PRIORITY_NORMAL + 10)

struct user { /* a user with large messages being received */
        SLIST_ENTRY(user) next;
        uid_t uid;
        size_t held;
};

struct conn_hub {
        SLIST_ENTRY(conn_hub) next;
        sd_event *event;
        int epoll_fd;
        /* Always readable: its event source alternates with the loop's others, while a deferred
           source would precede all others of its priority as long as any connection has work. */
        int ready_fd;
        sd_event_source *io, *again, *bulk;
        unsigned users, depth;
        size_t n_runnable;
        usec_t turn_ends; /* CLOCK_MONOTONIC */
        SLIST_HEAD(, user) users_held;
        TAILQ_HEAD(, conn) runnable, bulky;
        TAILQ_HEAD(, conn) gathered;       /* connections to write to at the end of this turn */
        SLIST_HEAD(, conn) conns;          /* the graveyard */
        SLIST_HEAD(, conn_server) servers; /* the graveyard of servers */
};

static _Thread_local SLIST_HEAD(, conn_hub) hubs = SLIST_HEAD_INITIALIZER(hubs);

static void conn_turn(struct conn *c);
static void write_slice(struct conn_hub *hub);
static void write_gathered(struct conn_hub *hub);

/* ---- the hub ---- */

static void turn_begins(struct conn_hub *hub) {
        hub->turn_ends = now_monotonic() + TURN_TIME;
}

static bool turn_is_over(const struct conn_hub *hub) {
        return now_monotonic() >= hub->turn_ends;
}

static void set_again(struct conn_hub *hub) {
        sd_event_source_set_enabled(hub->again, hub->n_runnable > 0 ? SD_EVENT_ON : SD_EVENT_OFF);
}

static void conn_run_later(struct conn *c) {
        if (c->runnable || c->state == CONN_ENDED)
                return;
        c->runnable = true;
        TAILQ_INSERT_TAIL(&c->hub->runnable, c, run);
        if (c->hub->n_runnable++ == 0)
                set_again(c->hub);
}

static int hub_on_ready(sd_event_source *s, int fd, uint32_t revents, void *user) {
        struct epoll_event events[EVENTS_PER_TURN];
        struct conn_hub *hub = user;

        conn_hub_enter(hub);
        turn_begins(hub);
        int n = epoll_wait(hub->epoll_fd, events, EVENTS_PER_TURN, 0), i = 0;
        while (i < n && (i == 0 || !turn_is_over(hub)))
                conn_turn(events[i++].data.ptr);
        while (i < n) /* rest of this round, before connections that become ready later */
                conn_run_later(events[i++].data.ptr);
        write_slice(hub);
        conn_hub_leave(hub);
        return 0;
}

static int hub_on_again(sd_event_source *s, int fd, uint32_t revents, void *user) {
        struct conn_hub *hub = user;
        struct conn *c;

        conn_hub_enter(hub);
        turn_begins(hub);
        for (size_t n = MIN(hub->n_runnable, EVENTS_PER_TURN); n > 0; n--) {
                c = TAILQ_FIRST(&hub->runnable);
                if (!c)
                        break;
                conn_turn(c);
                if (turn_is_over(hub))
                        break;
        }
        write_slice(hub);
        conn_hub_leave(hub);
        return 0;
}

static int on_bulk(sd_event_source *s, void *user);

static void hub_destroy(struct conn_hub *hub) {
        sd_event_source_disable_unref(hub->io);
        sd_event_source_disable_unref(hub->again);
        sd_event_source_disable_unref(hub->bulk);
        if (hub->epoll_fd >= 0)
                close(hub->epoll_fd);
        if (hub->ready_fd >= 0)
                close(hub->ready_fd);
        sd_event_unref(hub->event);
        free(hub);
}

static int hub_new(sd_event *event, struct conn_hub **ret) {
        struct conn_hub *hub = xnew0(struct conn_hub, 1);
        int r;

        hub->event = sd_event_ref(event);
        TAILQ_INIT(&hub->runnable);
        TAILQ_INIT(&hub->bulky);
        TAILQ_INIT(&hub->gathered);
        hub->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
        hub->ready_fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
        r = hub->epoll_fd < 0 || hub->ready_fd < 0 ? -errno
                                                   : sd_event_add_io(event, &hub->io, hub->epoll_fd,
                                                                     EPOLLIN, hub_on_ready, hub);
        if (r >= 0)
                r = sd_event_add_io(event, &hub->again, hub->ready_fd, EPOLLIN, hub_on_again, hub);
        if (r >= 0)
                r = sd_event_source_set_enabled(hub->again, SD_EVENT_OFF);
        if (r >= 0)
                r = sd_event_add_defer(event, &hub->bulk, on_bulk, hub);
        if (r >= 0)
                r = sd_event_source_set_enabled(hub->bulk, SD_EVENT_OFF);
        if (r >= 0)
                r = sd_event_source_set_priority(hub->bulk, BULK_PRIORITY);
        if (r < 0) {
                hub_destroy(hub);
                return r;
        }
        SLIST_INSERT_HEAD(&hubs, hub, next);
        *ret = hub;
        return 0;
}

static void hub_free(struct conn_hub *hub) {
        SLIST_REMOVE(&hubs, hub, conn_hub, next);
        hub_destroy(hub);
}

int conn_hub_get(sd_event *event, struct conn_hub **ret) {
        struct conn_hub *hub;

        SLIST_FOREACH(hub, &hubs, next)
        if (hub->event == event)
                break;
        if (!hub) {
                int r = hub_new(event, &hub);
                if (r < 0)
                        return r;
        }
        hub->users++;
        *ret = hub;
        return 0;
}

void conn_hub_put(struct conn_hub *hub) {
        hub->users--;
        if (hub->users == 0 && hub->depth == 0)
                hub_free(hub);
}

sd_event *conn_hub_event(const struct conn_hub *hub) {
        return hub->event;
}

void conn_hub_enter(struct conn_hub *hub) {
        hub->depth++;
}

void conn_hub_leave(struct conn_hub *hub) {
        struct conn_server *s;
        struct conn *c;

        if (hub->depth > 1) {
                hub->depth--;
                return;
        }
        write_gathered(hub);
        while ((c = SLIST_FIRST(&hub->conns))) {
                SLIST_REMOVE_HEAD(&hub->conns, grave);
                free(c);
                hub->users--;
        }
        while ((s = SLIST_FIRST(&hub->servers))) {
                SLIST_REMOVE_HEAD(&hub->servers, grave);
                conn_server_destroy(s);
                hub->users--;
        }
        hub->depth--;
        if (hub->users == 0)
                hub_free(hub);
}

void conn_hub_bury_server(struct conn_hub *hub, struct conn_server *s) {
        SLIST_INSERT_HEAD(&hub->servers, s, grave);
}

static void set_bulk(struct conn_hub *hub) {
        sd_event_source_set_enabled(hub->bulk,
                        TAILQ_EMPTY(&hub->bulky) ? SD_EVENT_OFF : SD_EVENT_ON);
}

static void write_later(struct conn *c) {
        if (c->bulky || c->state != CONN_OPEN)
                return;
        c->bulky = true;
        TAILQ_INSERT_TAIL(&c->hub->bulky, c, bulk);
        set_bulk(c->hub);
}

static void not_later(struct conn *c) {
        if (!c->bulky)
                return;
        c->bulky = false;
        TAILQ_REMOVE(&c->hub->bulky, c, bulk);
        set_bulk(c->hub);
}

static void conn_gather(struct conn *c) {
        if (c->gathered)
                return;
        c->gathered = true;
        TAILQ_INSERT_TAIL(&c->hub->gathered, c, gather);
}

static void conn_leave_gathered(struct conn *c) {
        if (!c->gathered)
                return;
        c->gathered = false;
        TAILQ_REMOVE(&c->hub->gathered, c, gather);
}

static void conn_leave_runnable(struct conn *c) {
        if (!c->runnable)
                return;
        c->runnable = false;
        TAILQ_REMOVE(&c->hub->runnable, c, run);
        if (--c->hub->n_runnable == 0)
                set_again(c->hub);
}

/* ---- which events ---- */

static bool conn_is_paused(const struct conn *c) {
        return c->paused || (c->slow_limit && c->queued > c->slow_limit) ||
               (c->paused_large && frame_buffer_rest(c->in) > CONN_SMALL);
}

static uint32_t wanted_events(const struct conn *c) {
        switch (c->state) {
        case CONN_CONNECTING:
                return EPOLLOUT;
        case CONN_HANDSHAKE:
                return c->want_write ? EPOLLOUT : EPOLLIN;
        case CONN_OPEN:
                /* No events at all while paused: epoll would report a hang-up again and again. */
                return (conn_is_paused(c) ? 0 : EPOLLIN) |
                       ((c->queued > 0 && !c->bulky && !c->gathered) || c->want_write ? EPOLLOUT
                                                                                      : 0);
        case CONN_ENDED:
                break;
        }
        return 0;
}

static void conn_watch_events(struct conn *c, uint32_t events) {
        struct epoll_event e = { .events = events, .data.ptr = c };

        if (events == c->watched)
                return;
        int op = !events ? EPOLL_CTL_DEL : !c->watched ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
        if (epoll_ctl(c->hub->epoll_fd, op, c->fd, &e) == 0)
                c->watched = events;
        else if (events)
                conn_end_later(c, -errno, "cannot watch the connection: %s", strerror(errno));
}

void conn_watch(struct conn *c) {
        if (c->state != CONN_ENDED)
                conn_watch_events(c, wanted_events(c));
}

/* Removes the descriptor from epoll, also before close(): a child between fork and exec may have
   the open file, too. */
void conn_unwatch(struct conn *c) {
        conn_watch_events(c, 0);
}

/* ---- received data held per user ---- */

static struct user *conn_user(struct conn *c) {
        struct user *u;

        SLIST_FOREACH(u, &c->hub->users_held, next)
        if (u->uid == c->credentials.uid)
                return u;
        u = xnew0(struct user, 1);
        u->uid = c->credentials.uid;
        SLIST_INSERT_HEAD(&c->hub->users_held, u, next);
        return u;
}

/* Sets the bytes held by this connection to now; returns the total of its user, or 0 if not counted
   or unchanged. */
static size_t conn_hold(struct conn *c, size_t now) {
        bool counts = c->credentials.pid && c->credentials.uid != 0 &&
                      c->credentials.uid != geteuid();

        now = counts && now >= LARGE ? now : 0;
        if (now == c->held)
                return 0;
        struct user *u = conn_user(c);
        size_t sum = u->held = u->held - c->held + now;
        c->held = now;
        if (sum == 0) {
                SLIST_REMOVE(&c->hub->users_held, u, user, next);
                free(u);
        }
        return sum;
}

/* ---- creation and end ---- */

struct conn *conn_new(struct conn_hub *hub, int fd, enum conn_state state) {
        struct conn *c = xnew0(struct conn, 1);

        c->hub = hub;
        hub->users++;
        c->state = state;
        c->fd = fd;
        c->queue_limit = QUEUE_LIMIT;
        c->last_received = now_monotonic();
        c->in = frame_buffer_new(WIRE_FRAME_MAX);
        TAILQ_INIT(&c->out);
        return c;
}

static void chunk_free(struct conn *c, struct chunk *k) {
        TAILQ_REMOVE(&c->out, k, next);
        wire_tail_unref(k->tail);
        free(k);
}

static void drop_queue(struct conn *c) {
        struct chunk *k;

        while ((k = TAILQ_FIRST(&c->out)))
                chunk_free(c, k);
        c->queued = 0;
}

static void conn_release(struct conn *c) {
        conn_leave_runnable(c);
        not_later(c);
        conn_leave_gathered(c);
        if (c->fd >= 0)
                conn_unwatch(c);
        c->state = CONN_ENDED;
        c->deadline = sd_event_source_disable_unref(c->deadline);
        conn_tls_close(c);
        cluster_key_free(TAKE(c->key));
        if (c->fd >= 0)
                close(TAKE_FD(c->fd));
        drop_queue(c);
        c->in = frame_buffer_free(c->in);
        (void)conn_hold(c, 0);
        if (c->addresses)
                freeaddrinfo(TAKE(c->addresses));
        free(TAKE(c->target));
        free(TAKE(c->cluster));
        free(TAKE(c->pending_why));

        struct conn_hub *hub = c->hub;
        conn_hub_enter(hub);
        SLIST_INSERT_HEAD(&hub->conns, c, grave);
        conn_hub_leave(hub);
}

static void conn_end_now(struct conn *c, int r, const char *why) {
        if (c->state == CONN_ENDED)
                return;
        /* First, so that a conn_close() inside the callback has no effect. */
        conn_leave_runnable(c);
        if (c->fd >= 0)
                conn_unwatch(c);
        c->state = CONN_ENDED;
        if (c->server)
                conn_server_handshake_failed(c, why);
        else if (c->ops)
                c->ops->closed(c, r, why, c->user);
        conn_release(c);
}

void conn_end(struct conn *c, int r, const char *format, ...) {
        char why[sizeof((struct fail *)0)->text];
        va_list ap;

        va_start(ap, format);
        vsnprintf(why, sizeof why, format, ap);
        va_end(ap);
        conn_end_now(c, r, why);
}

void conn_end_later(struct conn *c, int r, const char *format, ...) {
        va_list ap;

        if (c->pending_why || c->state == CONN_ENDED)
                return;
        va_start(ap, format);
        c->pending_why = xvasprintf(format, ap);
        va_end(ap);
        c->pending_r = r;
        conn_run_later(c);
}

/* ---- writing ---- */

static ssize_t conn_write_some(struct conn *c, const uint8_t *data, size_t size,
                struct fail *fail) {
        if (c->ssl)
                return conn_tls_write(c, data, size, fail);
        ssize_t n = send(c->fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        return n >= 0 ? n : errno == EINTR ? -EAGAIN : -errno;
}

/* Handles a failed write. A Unix peer may have written before it closed: that data is read first;
   the end of the stream then closes the connection. */
static void write_ended(struct conn *c, int r, const struct fail *fail) {
        drop_queue(c);
        if (c->ssl)
                conn_end_later(c, r, "cannot write: %s", fail->text[0] ? fail->text : strerror(-r));
        else
                c->write_failed = true;
}

static void conn_queue(struct conn *c, const uint8_t *data, size_t size) {
        struct chunk *k = TAILQ_LAST(&c->out, chunks);

        if (!k || k->room - k->end < size) {
                size_t room = MAX(size, CHUNK_SIZE);
                k = xmalloc(sizeof *k + room);
                *k = (struct chunk){ .room = room };
                TAILQ_INSERT_TAIL(&c->out, k, next);
        }
        memcpy(k->data + k->end, data, size);
        k->end += size;
        c->queued += size;
}

static void queue_tail(struct conn *c, struct wire_tail *tail) {
        struct chunk *k = xmalloc(sizeof *k);
        size_t size;

        (void)wire_tail_data(tail, &size);
        *k = (struct chunk){ .end = size, .room = size, .tail = wire_tail_ref(tail) };
        TAILQ_INSERT_TAIL(&c->out, k, next);
        c->queued += size;
}

/* Writes about most bytes. Returns true if more data waits and the peer takes data. */
static bool conn_flush(struct conn *c, size_t most) {
        struct fail fail = { 0 };
        struct chunk *k;
        size_t written = 0, size;

        while (written < most && (k = TAILQ_FIRST(&c->out))) {
                const uint8_t *data = k->tail ? wire_tail_data(k->tail, &size) : k->data;
                ssize_t n = conn_write_some(c, data + k->start, MIN(k->end - k->start, SLICE),
                                &fail);
                if (n == -EAGAIN)
                        return false;
                if (n < 0) {
                        write_ended(c, (int)n, &fail);
                        return false;
                }
                k->start += (size_t)n;
                c->queued -= (size_t)n;
                written += (size_t)n;
                c->written += (size_t)n;
                if (k->start == k->end)
                        chunk_free(c, k);
        }
        return c->queued > 0;
}

/* Returns 0 if size bytes may be queued. */
static int check_room(struct conn *c, size_t size) {
        if (c->state == CONN_ENDED || c->write_failed)
                return -ENOTCONN;
        if (c->pending_why)
                return c->pending_r < 0 ? c->pending_r : -ENOTCONN;
        if (size > c->queue_limit - MIN(c->queued, c->queue_limit)) {
                conn_end_later(c, -ENOBUFS, "the peer does not take its messages: %zu bytes wait",
                                c->queued);
                return -ENOBUFS;
        }
        return 0;
}

/* Sends at_once of the size bytes just queued immediately, unless older data waits. */
static void try_to_send(struct conn *c, size_t size, size_t at_once) {
        if (c->gathers && c->hub->depth > 0 && c->state == CONN_OPEN && c->queued == size)
                conn_gather(c);
        else if (c->state == CONN_OPEN && c->queued == size &&
                        (at_once == 0 || conn_flush(c, at_once)))
                write_later(c);
        c->above_mark |= c->mark && c->queued > c->mark;
        conn_watch(c);
}

/* A failure ends the connection in its next turn. */
static void write_gathered(struct conn_hub *hub) {
        struct conn *c;

        while ((c = TAILQ_FIRST(&hub->gathered))) {
                conn_leave_gathered(c);
                if (c->state == CONN_OPEN && !c->bulky && conn_flush(c, BYTES_PER_TURN))
                        write_later(c);
                conn_watch(c);
        }
}

int conn_send_packed(struct conn *c, const uint8_t *frame, size_t size) {
        int r = check_room(c, size);

        if (r < 0)
                return r;
        c->sent++;
        conn_queue(c, frame, size);
        try_to_send(c, size, BYTES_PER_TURN);
        return 0;
}

int conn_send_with_tail(struct conn *c, const uint8_t *begin, size_t size, struct wire_tail *tail) {
        size_t tail_size;
        const uint8_t *data = wire_tail_data(tail, &tail_size);
        int r = check_room(c, size + tail_size);

        if (r < 0)
                return r;
        c->sent++;
        conn_queue(c, begin, size);
        if (tail_size < CHUNK_SIZE)
                conn_queue(c, data, tail_size);
        else
                queue_tail(c, tail);
        try_to_send(c, size + tail_size, tail_size < CHUNK_SIZE ? SIZE_MAX : 0);
        return 0;
}

int conn_send(struct conn *c, Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;
        int r;

        env->version = WIRE_VERSION;
        r = wire_pack(env, &frame, &size);
        if (r < 0)
                return r;
        return conn_send_packed(c, frame, size);
}

/* ---- reading ---- */

static ssize_t read_some(struct conn *c, uint8_t *data, size_t size, struct fail *fail) {
        if (c->ssl)
                return conn_tls_read(c, data, size, fail);
        ssize_t n = recv(c->fd, data, size, MSG_DONTWAIT);
        return n >= 0 ? n : errno == EINTR ? -EAGAIN : -errno;
}

/* Called when all data has been read: keeps memory small for a hundred thousand idle
   connections. */
static void keep_little(struct conn *c) {
        frame_buffer_trim(c->in);
        (void)conn_hold(c, frame_buffer_size(c->in));
}

/* True if less was read than fits; epoll reports later data. */
static bool is_drained(const struct conn *c, size_t n, size_t room) {
        return n < room && (!c->ssl || conn_tls_is_drained(c, n));
}

/* Returns the bytes read; 0: none for now, or the connection has ended. */
static size_t conn_fill(struct conn *c) {
        struct fail fail = { 0 };
        size_t room;
        uint8_t *space = frame_buffer_space(c->in, &room);
        if (conn_hold(c, frame_buffer_size(c->in)) > CONN_HELD_OF_USER_MAX) {
                conn_end(c, -ENOBUFS, "too much of its user's messages has begun and not ended");
                return 0;
        }
        room = MIN(room, BYTES_PER_TURN);
        ssize_t n = read_some(c, space, room, &fail);

        if (n == -EAGAIN) {
                keep_little(c);
                return 0;
        }
        if (n > 0) {
                c->drained = is_drained(c, (size_t)n, room);
                c->last_received = now_monotonic();
                frame_buffer_filled(c->in, (size_t)n);
                return (size_t)n;
        }
        /* the kernel's error if the peer left bytes unread in its queue */
        c->unread = !c->ssl && (n == -ECONNRESET || c->write_failed);
        if (n < 0)
                conn_end(c, (int)n, "connection lost: %s",
                                fail.text[0] ? fail.text : strerror((int)-n));
        else if (frame_buffer_rest(c->in) > 0)
                conn_end(c, -ECONNRESET, "closed by the peer in the middle of a message");
        else
                conn_end(c, 0, "closed by the peer");
        return 0;
}

static void conn_deliver(struct conn *c, const uint8_t *data, size_t size) {
        _cleanup_envelope_ Envelope *env = NULL;
        int r;

        r = wire_unpack(data, size, &env);
        if (r < 0)
                conn_end(c, r, "the peer sent %s", wire_strerror(r));
        c->received++;
        if (r >= 0 && c->ops)
                c->ops->message(c, env, c->user);
}

static void bad_length(struct conn *c, int r) {
        if (r == -EBADMSG)
                conn_end(c, r, "the peer sent a frame of length 0");
        else
                conn_end(c, r, "the peer sent a frame beyond the limit of %zu bytes",
                                frame_buffer_limit(c->in));
}

static void conn_receive(struct conn *c) {
        size_t messages = 0, bytes = 0;

        c->drained = false;
        while (c->state == CONN_OPEN && !conn_is_paused(c) && !c->pending_why) {
                bool read = c->drained && frame_buffer_peek(c->in) == 0;
                const uint8_t *data;
                size_t size;
                int r;

                if (read) {
                        keep_little(c);
                        return;
                }
                if (messages >= MESSAGES_PER_TURN || bytes >= BYTES_PER_TURN ||
                                (messages > 0 && turn_is_over(c->hub))) {
                        conn_run_later(c);
                        return;
                }
                r = frame_buffer_next(c->in, &data, &size);
                if (r < 0) {
                        bad_length(c, r);
                        return;
                }
                if (r > 0) {
                        messages++;
                        conn_deliver(c, data, size);
                        continue;
                }
                size_t n = conn_fill(c);
                if (n == 0)
                        return;
                bytes += n;
        }
}

/* ---- turns ---- */

static void conn_report_taken(struct conn *c) {
        if (!c->above_mark || c->queued > c->mark / 2)
                return;
        c->above_mark = false;
        if (c->ops && c->ops->taken)
                c->ops->taken(c, c->user);
}

/* Writes a slice of the first connection of the bulk list. */
static void write_slice(struct conn_hub *hub) {
        struct conn *c = TAILQ_FIRST(&hub->bulky);

        if (!c)
                return;
        bool stood = conn_is_paused(c);
        not_later(c);
        if (conn_flush(c, SLICE))
                write_later(c);
        conn_report_taken(c);
        if (stood && !conn_is_paused(c))
                conn_run_later(c); /* frames may be buffered */
        conn_watch(c);
}

static int on_bulk(sd_event_source *s, void *user) {
        struct conn_hub *hub = user;

        conn_hub_enter(hub);
        write_slice(hub);
        conn_hub_leave(hub);
        return 0;
}

static void open_turn(struct conn *c) {
        if (c->state == CONN_OPEN && !c->bulky) {
                if (conn_flush(c, SLICE))
                        write_later(c);
                conn_report_taken(c);
        }
        conn_receive(c);
}

static void handshake_turn(struct conn *c) {
        struct fail fail = { 0 };
        int r = conn_tls_handshake(c, &fail);

        if (r < 0) {
                conn_end(c, r, "%s%s%s", c->target ? c->target : "", c->target ? ": " : "",
                                fail.text);
                return;
        }
        if (r == 0)
                return;
        c->deadline = sd_event_source_disable_unref(c->deadline);
        c->state = CONN_OPEN;
        if (c->server)
                conn_server_handshake_done(c);
        else if (c->ops && c->ops->ready)
                c->ops->ready(c, c->user);
        /* OpenSSL may have buffered messages that epoll does not report. */
        open_turn(c);
}

static void conn_turn(struct conn *c) {
        conn_leave_runnable(c);
        if (c->state == CONN_ENDED)
                return;
        if (c->pending_why) {
                _cleanup_free_ char *why = TAKE(c->pending_why);
                conn_end_now(c, c->pending_r, why);
                return;
        }
        if (c->state == CONN_CONNECTING)
                conn_connect_turn(c);
        if (c->state == CONN_HANDSHAKE)
                handshake_turn(c);
        else if (c->state == CONN_OPEN)
                open_turn(c);
        conn_watch(c);
}

/* ---- calls of the owner ---- */

void conn_close(struct conn *c) {
        if (!c || c->state == CONN_ENDED)
                return;
        if (c->state == CONN_OPEN && !c->pending_why)
                (void)conn_flush(c, SIZE_MAX);
        conn_release(c);
}

void conn_set_ops(struct conn *c, const struct conn_ops *ops, void *user) {
        c->ops = ops;
        c->user = user;
}

uint64_t conn_written(const struct conn *c) {
        return c->written;
}

uint64_t conn_sent(const struct conn *c) {
        return c->sent;
}

uint64_t conn_received(const struct conn *c) {
        return c->received;
}

size_t conn_queued(const struct conn *c) {
        return c->queued;
}

void conn_set_queue_limit(struct conn *c, size_t bytes) {
        c->queue_limit = bytes;
}

void conn_set_gathers(struct conn *c, bool gathers) {
        c->gathers = gathers;
}

void conn_set_slow_limit(struct conn *c, size_t bytes) {
        c->slow_limit = bytes;
}

void conn_set_mark(struct conn *c, size_t bytes) {
        c->mark = bytes;
}

bool conn_above_mark(const struct conn *c) {
        return c->above_mark;
}

void conn_set_frame_limit(struct conn *c, size_t bytes) {
        assert(bytes > 0 && bytes <= WIRE_FRAME_MAX);
        if (c->in)
                frame_buffer_set_limit(c->in, bytes);
}

static void set_paused(struct conn *c, bool *paused, bool pause) {
        if (c->state == CONN_ENDED || *paused == pause)
                return;
        *paused = pause;
        if (!pause)
                conn_run_later(c); /* frames may be buffered */
        conn_watch(c);
}

void conn_pause(struct conn *c, bool pause) {
        set_paused(c, &c->paused, pause);
}

void conn_pause_large(struct conn *c, bool pause) {
        set_paused(c, &c->paused_large, pause);
}

int conn_peer_credentials(const struct conn *c, uid_t *ret_uid, gid_t *ret_gid, pid_t *ret_pid) {
        if (c->credentials.pid == 0)
                return -ENOTSUP;
        if (ret_uid)
                *ret_uid = c->credentials.uid;
        if (ret_gid)
                *ret_gid = c->credentials.gid;
        if (ret_pid)
                *ret_pid = c->credentials.pid;
        return 0;
}

const char *conn_peer_address(const struct conn *c) {
        return c->peer;
}

const char *conn_cluster(const struct conn *c) {
        return c->cluster;
}

int conn_descriptor(const struct conn *c) {
        assert(c);

        return c->fd;
}

void conn_own_address(const struct conn *c, char *ret, size_t size) {
        struct sockaddr_storage address;
        socklen_t length = sizeof address;

        *ret = 0;
        if (*c->peer && getsockname(c->fd, (struct sockaddr *)&address, &length) == 0)
                conn_peer_text((struct sockaddr *)&address, length, ret, size);
}

usec_t conn_last_received(const struct conn *c) {
        return c->last_received;
}

bool conn_unacknowledged(const struct conn *c) {
        int waiting = 0;

        return c->queued || (ioctl(c->fd, SIOCOUTQ, &waiting) == 0 && waiting > 0);
}

bool conn_hung_up(const struct conn *c) {
        struct pollfd p = { .fd = c->fd };

        return c->state == CONN_ENDED || c->write_failed ||
               (poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR));
}

bool conn_unread(const struct conn *c) {
        return c->unread;
}
