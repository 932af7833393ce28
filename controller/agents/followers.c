/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/agents/followers.h"

#include "controller/loop/peers.h"
#include "controller/store/lease.h"
#include "lib/addresses.h"
#include "lib/log.h"

#define CALLS_MAX 64 /* connections at a time */
#define CALL_MAX  (2 * USEC_PER_SEC)

/* Pauses between rounds of calls: most slumberds register by themselves before the first one. */
static const usec_t pauses[] = { USEC_PER_SEC / 2, 2 * USEC_PER_SEC, 5 * USEC_PER_SEC,
        15 * USEC_PER_SEC, 60 * USEC_PER_SEC };

struct call {
        struct followers *all;
        struct conn *conn;
        usec_t began; /* CLOCK_MONOTONIC */
};

struct followers {
        struct controller *ctl;
        sd_event_source *timer;
        size_t round, next; /* next: index of the node to be called next */
        usec_t round_at;    /* CLOCK_MONOTONIC: when the next round begins; 0: a round goes on */
        size_t n_calls;
        struct call calls[CALLS_MAX]; /* conn NULL: free */
};

static void calls_continue(struct followers *f);

static void call_end(struct call *call) {
        call->conn = NULL;
        call->all->n_calls--;
        calls_continue(call->all);
}

static void follower_on_closed(struct conn *c, int r, const char *why, void *user) {
        struct call *call = user;

        (void)c, (void)r, (void)why;
        call_end(call);
}

static void follower_on_ready(struct conn *c, void *user) {
        const struct call *call = user;
        const struct config *config = call->all->ctl->cluster->config;
        Slumber__NewPrimary m = SLUMBER__NEW_PRIMARY__INIT;

        m.lease = lease_number();
        m.position = (uint32_t)config_controller_find(config, config->controller_host);
        ENVELOPE(env, NEW_PRIMARY, new_primary, &m);
        (void)conn_send(c, &env);
}

/* slumberd has read the message. */
static void follower_on_message(struct conn *c, Envelope *env, void *user) {
        struct call *call = user;

        (void)env;
        conn_close(c);
        call_end(call);
}

static void call_begin(struct followers *f, const struct node *n) {
        static const struct conn_ops ops = { .message = follower_on_message,
                .closed = follower_on_closed,
                .ready = follower_on_ready };
        _cleanup_free_ char *host = NULL;
        struct call *call = f->calls;
        struct fail fail = { 0 };
        uint16_t port;

        while (call->conn)
                call++;
        if (address_split(n->slumberd_at, &host, &port) < 0)
                return;
        call->all = f;
        if (conn_connect_tls(f->ctl->event, host, port, f->ctl->cluster_key, &ops, call,
                            &call->conn, &fail) < 0) {
                call->conn = NULL;
                return;
        }
        f->n_calls++;
        call->began = now_monotonic();
        (void)conn_set_deadline(call->conn, CALL_MAX);
}

/* Arms the timer for the next round, or earlier for calls without an answer. */
static void followers_arm(struct followers *f) {
        usec_t at = f->n_calls ? now_monotonic() + CALL_MAX : USEC_INFINITY;

        if (f->round_at)
                at = MIN(at, f->round_at);
        if (at == USEC_INFINITY)
                return;
        (void)sd_event_source_set_time(f->timer, at);
        (void)sd_event_source_set_enabled(f->timer, SD_EVENT_ONESHOT);
}

static void calls_continue(struct followers *f) {
        const struct cluster *c = f->ctl->cluster;

        while (!f->round_at && f->next < c->n_nodes && f->n_calls < CALLS_MAX) {
                const struct node *n = c->nodes[f->next++];
                if (!f->ctl->agents[n->index] && !isempty(n->slumberd_at))
                        call_begin(f, n);
        }
        if (!f->round_at && f->next >= c->n_nodes && f->round + 1 < ELEMENTSOF(pauses))
                f->round_at = now_monotonic() + pauses[++f->round];
        followers_arm(f);
}

/* Ends calls without an answer. */
static void calls_expire(struct followers *f) {
        usec_t now = now_monotonic();

        for (size_t i = 0; i < CALLS_MAX; i++) {
                struct call *call = &f->calls[i];
                if (!call->conn || now - call->began < CALL_MAX)
                        continue;
                conn_close(TAKE(call->conn));
                f->n_calls--;
        }
}

static int followers_on_timer(sd_event_source *source, uint64_t usec, void *user) {
        struct followers *f = user;

        (void)source, (void)usec;
        calls_expire(f);
        if (f->round_at && now_monotonic() >= f->round_at) {
                f->round_at = 0;
                f->next = 0;
        }
        calls_continue(f);
        return 0;
}

int followers_call(struct controller *ctl) {
        if (!ctl->lease)
                return 0;
        struct followers *f = ctl->followers = xnew0(struct followers, 1);
        f->ctl = ctl;
        f->round_at = now_monotonic() + pauses[0];
        return sd_event_add_time(ctl->event, &f->timer, CLOCK_MONOTONIC, f->round_at, USEC_PER_MSEC,
                        followers_on_timer, f);
}

void followers_free(struct controller *ctl) {
        struct followers *f = TAKE(ctl->followers);

        for (size_t i = 0; f && i < CALLS_MAX; i++)
                if (f->calls[i].conn)
                        conn_close(f->calls[i].conn);
        if (f)
                sd_event_source_disable_unref(f->timer);
        free(f);
}
