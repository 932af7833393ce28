/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where answers go: a connection is kept in memory as long as an answer may be for it. */
#include "controller/loop/peers.h"

static struct peer *peer_ref(struct peer *p) {
        p->refs++;
        return p;
}

void peer_unref(struct peer *p) {
        if (--p->refs == 0)
                free(p);
}

struct address address_copy(const struct address *a) {
        return (struct address){ a->peer ? peer_ref(a->peer) : NULL, a->client, a->id };
}

void address_done(struct address *a) {
        if (a->peer)
                peer_unref(a->peer);
        *a = (struct address){ 0 };
}

bool address_same(const struct address *a, const struct address *b) {
        return a->peer == b->peer && a->client == b->client;
}
