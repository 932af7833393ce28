/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where answers go: a connection is kept in memory as long as an answer may be for it. */
#include "controller/loop/peers.h"
#include "lib/process.h"

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

/* The kernel's word.  While the command lives, no other process has its number; one that has it
   when the command has ended before this look can but delay what the connection's end tells. */
bool address_process(const struct address *a, struct process_id *ret) {
        struct peer *p = a->peer && a->peer->local ? a->peer : NULL;
        struct process_id was = *ret;

        if (p && !p->process.pid)
                p->process = process_named(p->pid, p->ctl->process_space);
        *ret = p ? p->process : (struct process_id){ 0 };
        return !process_same(ret, &was);
}
