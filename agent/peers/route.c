/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/peers/route.h"

void route_begin(struct route *r, const char *address) {
        *r = (struct route){ .address = address };
        way_begin(&r->way, !isempty(address));
}

static bool route_set_lost(struct route *r, bool quiet) {
        r->peer = NULL;
        return way_lost(&r->way, quiet, now_monotonic());
}

enum way_use route_choose(struct peers *all, struct route *r, size_t bytes, bool *ret_again) {
        enum way_use use = way_use(&r->way, bytes, now_monotonic());

        *ret_again = false;
        if (use != WAY_DIRECT)
                return use;
        if (!r->peer)
                r->peer = peers_get(all, r->address);
        if (!r->peer) {
                *ret_again = route_set_lost(r, false);
                return WAY_DROP;
        }
        if (peer_is_up(r->peer))
                *ret_again = way_up(&r->way);
        else if (peer_is_slow(r->peer) && way_slow(&r->way)) /* just became slow */
                return WAY_BY_CONTROLLER;
        return WAY_DIRECT;
}

void route_dropped(struct route *r) {
        way_dropped(&r->way, now_monotonic()); /* the peer's queue is full */
}

enum way_use route_send(struct peers *all, struct route *r, Envelope *env, size_t bytes,
                bool *ret_again) {
        enum way_use use = route_choose(all, r, bytes, ret_again);

        if (use != WAY_DIRECT || peer_send(r->peer, env))
                return use;
        route_dropped(r);
        return WAY_DROP;
}

bool route_use_peer(struct route *r, struct peer *p) {
        r->peer = p;
        return way_up(&r->way);
}

void route_next(struct route *r, const char *address, bool more) {
        r->peer = NULL;
        r->address = address;
        way_next(&r->way, more, now_monotonic());
}

bool route_heard(struct route *r, struct peer *p, bool anew) {
        bool other = r->peer && r->peer != p, stands = r->way.state == WAY_UP && r->peer;

        way_heard(&r->way);
        if (stands && !(anew && other)) /* parallel connections would overtake each other */
                return false;
        r->peer = p;
        bool again = way_up(&r->way);
        return again || other;
}

bool route_up(struct route *r, const struct peer *p) {
        return r->peer == p && way_up(&r->way);
}

bool route_slow(struct route *r, const struct peer *p) {
        return r->peer == p && way_slow(&r->way);
}

bool route_lost(struct route *r, const struct peer *p, bool quiet) {
        return r->peer == p && route_set_lost(r, quiet);
}

bool route_do_due_work(struct peers *all, struct route *r) {
        usec_t now = now_monotonic();
        bool again = way_repeat_is_due(&r->way, now);

        if (!way_connect_is_due(&r->way, now))
                return again;
        if (!r->peer)
                r->peer = peers_get(all, r->address);
        if (!r->peer)
                again |= route_set_lost(r, false);
        else if (peer_is_up(r->peer))
                again |= way_up(&r->way);
        else if (peer_is_slow(r->peer))
                again |= way_slow(&r->way);
        return again;
}

void route_send_lost(struct peer *p, const Slumber__StepIo *io, bool to_node) {
        Slumber__StepIo back = SLUMBER__STEP_IO__INIT;

        back.job_id = io->job_id;
        back.restarts = io->restarts;
        back.step_id = io->step_id;
        back.number = io->number;
        back.numbers = io->numbers;
        back.token = io->token;
        back.to_node = to_node;
        back.lost = true;
        ENVELOPE(env, STEP_IO, step_io, &back);
        (void)peer_send(p, &env);
}
