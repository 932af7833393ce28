/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses of replies: a connection stays in memory as long as a reply may be sent to its
   client. */
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

/* The kernel tells the process. While the command lives, no process can have the same pid; a
   process reusing the pid of a command that ended before this look only delays the handling of the
   connection's end. */
bool address_process(const struct address *a, struct process_id *ret) {
        struct peer *p = a->peer && a->peer->local ? a->peer : NULL;
        struct process_id was = *ret;

        if (p && !p->process.pid)
                p->process = process_named(p->pid, p->ctl->process_space);
        *ret = p ? p->process : (struct process_id){ 0 };
        return !process_same(ret, &was);
}
