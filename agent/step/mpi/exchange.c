/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange_all(): each node waits for the parts of its children, sends the parts of its subtree to
 * its parent, gets all parts back from the parent, and passes them on unchanged. Parts of a subtree
 * are ordered by level, so the root's list is ordered by node.
 *
 *     own part, children's subtrees -> EXCHANGE_GATHER -> parent ... root
 *     root ... parent -> EXCHANGE_SPREAD, all parts -> children; done()
 *
 * A node may begin the next exchange while its parent is still in the present one, so parts of a
 * child may arrive early. Invariant: a child's parts of two exchanges never wait together, because
 * the second cannot begin before the first has come down. */
#include "agent/step/mpi/exchange.h"

#include "agent/common/reliable.h"
#include "agent/common/tree.h"
#include "lib/addresses.h"
#include "lib/hostlist.h"

#include <limits.h>
#include <sys/queue.h>

#define TREE_WIDTH 16 /* if the controller sends no width */
/* maximum bytes waiting, for exchange_send() and exchange_all() each */
#define HELD_MAX ((size_t)64 << 20)
/* bytes queued for slumberd; the rest waits here, as in stream.c */
#define LINK_QUEUE_MAX ((size_t)1 << 20)
/* Maximum wait after the step's release: other nodes not answering have probably ended the step,
   too. */
#define SETTLE_WAIT (5 * USEC_PER_SEC)
/* Maximum memory of a part besides its bytes, while a message is unpacked. */
#define PART_EXTRA 256

struct other { /* another node of the step, after the first message to or from the node */
        uint32_t node;
        struct reliable *queue;
        SLIST_ENTRY(other) next;
};

struct round {                     /* a call of exchange_all() */
        struct shared_bytes *part; /* part of this node */
        void (*done)(const struct exchange_part *parts, size_t n_nodes, void *user);
        void *user;
        STAILQ_ENTRY(round) next;
};

struct hook {
        void (*received)(struct step *s, uint32_t from, const uint8_t *data, size_t size,
                        void *user);
        void *user;
};

struct exchange {
        uint32_t me, n, width;
        struct addresses *addresses; /* of all nodes */
        struct other **others;       /* indexed by node; NULL: no message yet */
        SLIST_HEAD(, other) said;
        struct hook hooks[EXCHANGE_KIND_MAX];
        bool failed;
        usec_t settle_by; /* CLOCK_MONOTONIC; 0: exchange_settled() was not called yet */

        STAILQ_HEAD(, round) rounds; /* the first round is under way */
        size_t waiting;              /* bytes of the rounds' parts */
        uint32_t number;             /* number of the first round */
        bool sent_up;                /* this node's subtree was sent to the parent */
        struct tree_range children;
        Slumber__ExchangeParts **gathered; /* parts of each child; NULL: not received */
        size_t n_gathered;
        Slumber__ExchangeParts *all; /* result of the first round; NULL: not received */
};

uint32_t exchange_nodes(const struct step *s) {
        return s->launch->batch ? 1 : MAX(s->launch->num_nodes, 1u);
}

uint32_t exchange_node(const struct step *s) {
        return s->launch->batch ? 0 : s->launch->node_rank;
}

static struct exchange *exchange_get(struct step *s) {
        if (s->exchange)
                return s->exchange;
        struct exchange *e = s->exchange = xnew0(struct exchange, 1);
        e->me = exchange_node(s);
        e->n = exchange_nodes(s);
        e->width = s->launch->tree_width ? s->launch->tree_width : TREE_WIDTH;
        e->children = tree_children(e->me, e->n, e->width);
        e->gathered = xnew0(Slumber__ExchangeParts *, e->children.end - e->children.first);
        STAILQ_INIT(&e->rounds);
        SLIST_INIT(&e->said);
        return e;
}

/* ---- errors ---- */

static char *node_name(const struct step *s, uint32_t node) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (hostlist_parse(s->launch->step_nodes, &names, NULL) >= 0 &&
                        node < hostlist_count(names))
                return xstrdup(hostlist_get(names, node));
        return xasprintf("number %u", node);
}

static struct task *running_task(const struct step *s) {
        size_t i = 0;

        while (i + 1 < s->n_tasks && !s->tasks[i].running)
                i++;
        return &s->tasks[i];
}

/* Ends the step on all its nodes, as a node cannot be reached or sent a malformed message. */
static void fail_step(struct step *s, uint32_t node, const char *why) {
        _cleanup_free_ char *name = node_name(s, node);

        if (s->exchange->failed)
                return;
        s->exchange->failed = true;
        step_complain(s, "the nodes of the step cannot exchange data: node %s %s", name, why);
        step_abort(s, running_task(s), EXIT_FAILURE);
}

/* ---- messages to and from other nodes ---- */

static struct other *other_get(struct exchange *e, uint32_t node) {
        if (!e->others)
                e->others = xnew0(struct other *, e->n);
        if (e->others[node])
                return e->others[node];
        struct other *o = e->others[node] = xnew0(struct other, 1);
        o->node = node;
        o->queue = reliable_new(EXCHANGE_ALL_MAX);
        SLIST_INSERT_HEAD(&e->said, o, next);
        return o;
}

static const char *exchange_address(const struct step *s, uint32_t node) {
        struct exchange *e = s->exchange;

        if (!e->addresses)
                e->addresses = addresses_parse((const char *const *)s->launch->addresses,
                                s->launch->n_addresses);
        return addresses_get(e->addresses, node);
}

static void send_piece(struct step *s, const struct other *o, const struct reliable_piece *p) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;

        m.job_id = s->credential->job_id;
        m.restarts = s->credential->restarts;
        m.step_id = s->credential->step_id;
        m.from = s->exchange->me;
        m.to = o->node;
        m.address = (char *)(uintptr_t)exchange_address(s, o->node);
        m.serial = p->serial;
        m.acknowledged = p->acknowledged;
        m.repeat = p->repeat;
        m.kind = p->kind;
        m.more = p->more;
        m.data.data = (uint8_t *)(uintptr_t)p->data;
        m.data.len = p->size;
        ENVELOPE(env, NODE_MESSAGE, node_message, &m);
        link_send(s->link, &env);
}

static bool link_takes(const struct step *s) {
        return link_up(s->link) && link_queued(s->link) < LINK_QUEUE_MAX;
}

static void send_waiting(struct step *s, usec_t now) {
        struct reliable_piece p;
        struct other *o;

        SLIST_FOREACH(o, &s->exchange->said, next)
        while (link_takes(s) && reliable_next(o->queue, now, &p))
                send_piece(s, o, &p);
}

/* A node without a known address, from which no message ever came, will never be reached. */
static void on_undelivered(struct step *s, uint32_t node, usec_t now) {
        struct other *o = s->exchange->others ? s->exchange->others[node] : NULL;

        if (!o)
                return;
        if (isempty(exchange_address(s, node)) && !reliable_heard(o->queue))
                fail_step(s, node, "has no known address");
        reliable_undelivered(o->queue, now);
}

/* ---- exchange_all() ---- */

static struct shared_bytes *parts_pack(const Slumber__ExchangeParts *m) {
        struct shared_bytes *b = shared_bytes_new(slumber__exchange_parts__get_packed_size(m));

        slumber__exchange_parts__pack(m, b->data);
        return b;
}

/* Collects the parts of this node's subtree, level by level; borrowed from own and gathered. */
static void parts_of_subtree(const struct exchange *e, const struct shared_bytes *own,
                Slumber__ExchangeParts *ret) {
        size_t n = e->children.end - e->children.first, taken = 0;
        _cleanup_free_ struct tree_range *level = xnew0(struct tree_range, n);
        _cleanup_free_ size_t *at = xnew0(size_t, n);

        ret->round = e->number;
        ret->n_parts = tree_size(e->me, e->n, e->width);
        ret->parts = xnew(ProtobufCBinaryData, ret->n_parts);
        ret->parts[taken++] = (ProtobufCBinaryData){ own->size, (uint8_t *)own->data };
        for (size_t i = 0; i < n; i++)
                level[i] = tree_self((uint32_t)(e->children.first + i));
        while (taken < ret->n_parts)
                for (size_t i = 0; i < n; i++) {
                        for (uint64_t k = level[i].first; k < level[i].end; k++)
                                ret->parts[taken++] = e->gathered[i]->parts[at[i]++];
                        level[i] = tree_below(level[i], e->n, e->width);
                }
}

/* Sends all parts, at the root or received from the parent, to this node's children. */
static void parts_spread(struct exchange *e, struct shared_bytes *all) {
        for (uint64_t child = e->children.first; child < e->children.end; child++)
                reliable_put(other_get(e, (uint32_t)child)->queue, EXCHANGE_SPREAD, all);
}

static void send_up(struct exchange *e, const struct round *r) {
        Slumber__ExchangeParts parts = SLUMBER__EXCHANGE_PARTS__INIT;

        parts_of_subtree(e, r->part, &parts);
        _cleanup_(shared_bytes_unrefp) struct shared_bytes *packed = parts_pack(&parts);
        free(parts.parts);
        e->sent_up = true;
        if (e->me > 0) {
                struct other *parent = other_get(e, tree_parent(e->me, e->width));

                reliable_put(parent->queue, EXCHANGE_GATHER, packed);
                return;
        }
        e->all = slumber__exchange_parts__unpack(NULL, packed->size, packed->data);
        parts_spread(e, packed);
}

static void forget_gathered(struct exchange *e) {
        for (size_t i = 0; i < e->children.end - e->children.first; i++)
                if (e->gathered[i])
                        slumber__exchange_parts__free_unpacked(TAKE(e->gathered[i]), NULL);
        e->n_gathered = 0;
}

static void round_free(struct exchange *e, struct round *r) {
        e->waiting -= r->part->size + sizeof *r;
        shared_bytes_unref(r->part);
        free(r);
}

static void forget_all(struct exchange *e) {
        if (e->all)
                slumber__exchange_parts__free_unpacked(TAKE(e->all), NULL);
}

static void round_finish(struct exchange *e) {
        Slumber__ExchangeParts *all = TAKE(e->all);
        struct round *r = STAILQ_FIRST(&e->rounds);
        _cleanup_free_ struct exchange_part *parts = xnew(struct exchange_part, all->n_parts);

        for (size_t i = 0; i < all->n_parts; i++)
                parts[i] = (struct exchange_part){ all->parts[i].data, all->parts[i].len };
        STAILQ_REMOVE_HEAD(&e->rounds, next);
        e->number++;
        e->sent_up = false;
        r->done(parts, all->n_parts, r->user);
        slumber__exchange_parts__free_unpacked(all, NULL);
        round_free(e, r);
}

static void rounds_advance(struct exchange *e) {
        struct round *r;

        while (!e->failed && (r = STAILQ_FIRST(&e->rounds))) {
                if (!e->sent_up && e->n_gathered == e->children.end - e->children.first) {
                        send_up(e, r);
                        forget_gathered(e);
                }
                if (!e->all)
                        return;
                round_finish(e);
        }
}

/* NULL: the message does not have the parts of n nodes, or would take too much memory. */
static Slumber__ExchangeParts *parts_unpack(const struct exchange *e,
                const struct reliable_message *m, size_t n) {
        Slumber__ExchangeParts *parts = (Slumber__ExchangeParts *)wire_unpack_within(
                        &slumber__exchange_parts__descriptor, m->data, m->size,
                        2 * m->size + (n + 16) * PART_EXTRA);

        if (parts && (parts->round != e->number || parts->n_parts != n)) {
                slumber__exchange_parts__free_unpacked(parts, NULL);
                return NULL;
        }
        return parts;
}

static size_t gathered_size(const struct exchange *e) {
        size_t size = 0;

        for (size_t i = 0; i < e->children.end - e->children.first; i++)
                for (size_t k = 0; e->gathered[i] && k < e->gathered[i]->n_parts; k++)
                        size += e->gathered[i]->parts[k].len;
        return size;
}

static const char *take_gather(struct exchange *e, uint32_t from,
                const struct reliable_message *m) {
        size_t i = from - (size_t)e->children.first;

        if (from < e->children.first || from >= e->children.end || e->gathered[i] || e->sent_up)
                return "has sent what was not asked for";
        e->gathered[i] = parts_unpack(e, m, tree_size(from, e->n, e->width));
        if (!e->gathered[i])
                return "has sent a malformed message";
        e->n_gathered++;
        return gathered_size(e) > EXCHANGE_ALL_MAX - EXCHANGE_PART_MAX
                               ? "and others have more data than an exchange may have"
                               : NULL;
}

static const char *take_spread(struct exchange *e, uint32_t from,
                const struct reliable_message *m) {
        if (e->me == 0 || from != tree_parent(e->me, e->width) || !e->sent_up || e->all)
                return "has sent what was not asked for";
        e->all = parts_unpack(e, m, e->n);
        if (!e->all)
                return "has sent a malformed message";
        _cleanup_(shared_bytes_unrefp) struct shared_bytes *same = shared_bytes_new(m->size);
        memcpy(same->data, m->data, m->size);
        parts_spread(e, same);
        return NULL;
}

/* ---- received messages ---- */

static const char *exchange_take_message(struct step *s, uint32_t from,
                const struct reliable_message *m) {
        struct exchange *e = s->exchange;

        if (m->kind == EXCHANGE_GATHER)
                return take_gather(e, from, m);
        if (m->kind == EXCHANGE_SPREAD)
                return take_spread(e, from, m);
        if (m->kind < EXCHANGE_KIND_MAX && e->hooks[m->kind].received)
                e->hooks[m->kind].received(s, from, m->data, m->size, e->hooks[m->kind].user);
        return NULL;
}

/* slumberd has checked the step and the number of this node; the other node's number is checked
   again. */
void exchange_message(struct step *s, const Slumber__NodeMessage *m, usec_t now) {
        struct exchange *e = exchange_get(s);
        struct reliable_message message;
        struct reliable_piece p = {
                .serial = m->serial,
                .acknowledged = m->acknowledged,
                .repeat = m->repeat,
                .kind = m->kind,
                .more = m->more,
                .data = m->data.data,
                .size = m->data.len,
        };
        uint32_t node = m->undelivered ? m->to : m->from;

        if (node >= e->n || node == e->me || e->failed)
                return;
        if (m->undelivered) {
                on_undelivered(s, node, now);
                return;
        }
        int r = reliable_receive(other_get(e, node)->queue, &p, &message);
        const char *why = r == -EMSGSIZE ? "has sent more data than an exchange may have"
                          : r < 0        ? "has sent a malformed message"
                          : r > 0        ? exchange_take_message(s, node, &message)
                                         : NULL;
        if (why)
                fail_step(s, node, why);
}

void exchange_resume(struct step *s) {
        struct other *o;

        if (s->exchange)
                SLIST_FOREACH(o, &s->exchange->said, next)
        reliable_resume(o->queue);
}

/* ---- calls ---- */

static struct shared_bytes *copy_bytes(const void *data, size_t size) {
        struct shared_bytes *b = shared_bytes_new(size);

        if (size)
                memcpy(b->data, data, size);
        return b;
}

int exchange_all(struct step *s, const void *data, size_t size,
                void (*done)(const struct exchange_part *parts, size_t n_nodes, void *user),
                void *user) {
        struct exchange *e = exchange_get(s);

        if (size > EXCHANGE_PART_MAX)
                return -EMSGSIZE;
        if (e->waiting + size + sizeof(struct round) > HELD_MAX)
                return -ENOBUFS;
        e->waiting += size + sizeof(struct round);
        struct round *r = xnew0(struct round, 1);
        *r = (struct round){ .part = copy_bytes(data, size), .done = done, .user = user };
        STAILQ_INSERT_TAIL(&e->rounds, r, next);
        return 0;
}

static size_t exchange_held_bytes(const struct exchange *e) {
        const struct other *o;
        size_t size = 0;

        SLIST_FOREACH(o, &e->said, next)
        size += reliable_held(o->queue);
        return size;
}

int exchange_send(struct step *s, uint32_t node, enum exchange_kind kind, const void *data,
                size_t size) {
        struct exchange *e = exchange_get(s);

        if (node >= e->n || node == e->me || kind <= EXCHANGE_SPREAD || kind >= EXCHANGE_KIND_MAX)
                return -EINVAL;
        if (size > EXCHANGE_PART_MAX)
                return -EMSGSIZE;
        if (exchange_held_bytes(e) + size > HELD_MAX)
                return -ENOBUFS;
        _cleanup_(shared_bytes_unrefp) struct shared_bytes *b = copy_bytes(data, size);
        reliable_put(other_get(e, node)->queue, kind, b);
        return 0;
}

bool exchange_has_all(const struct step *s, uint32_t node) {
        const struct exchange *e = s->exchange;

        return !e || !e->others || !e->others[node] || reliable_idle(e->others[node]->queue);
}

void exchange_hook(struct step *s, enum exchange_kind kind,
                void (*received)(struct step *s, uint32_t from, const uint8_t *data, size_t size,
                                void *user),
                void *user) {
        assert(kind > EXCHANGE_SPREAD && kind < EXCHANGE_KIND_MAX);
        exchange_get(s)->hooks[kind] = (struct hook){ received, user };
}

/* ---- the event loop ---- */

void exchange_go_on(struct step *s, usec_t now) {
        if (!s->exchange)
                return;
        rounds_advance(s->exchange);
        send_waiting(s, now);
}

int exchange_patience(const struct step *s, usec_t now) {
        usec_t due = USEC_INFINITY;
        const struct other *o;

        if (!s->exchange || !link_takes(s))
                return -1;
        SLIST_FOREACH(o, &s->exchange->said, next)
        due = MIN(due, reliable_due(o->queue));
        if (s->exchange->settle_by > now) /* afterwards only the link is waited for */
                due = MIN(due, s->exchange->settle_by);
        if (due == USEC_INFINITY)
                return -1;
        return due <= now ? 0 : (int)MIN((due - now) / USEC_PER_MSEC + 1, (usec_t)INT_MAX);
}

bool exchange_settled(struct step *s, usec_t now) {
        struct exchange *e = s->exchange;
        const struct other *o;
        bool idle = true;

        if (!e || s->terminating || e->failed)
                return true;
        SLIST_FOREACH(o, &e->said, next)
        idle = idle && reliable_idle(o->queue);
        if (!e->settle_by)
                e->settle_by = now + SETTLE_WAIT;
        return idle || now >= e->settle_by;
}

void exchange_done(struct step *s) {
        struct exchange *e = s->exchange;
        struct other *o;
        struct round *r;

        if (!e)
                return;
        while ((o = SLIST_FIRST(&e->said))) {
                SLIST_REMOVE_HEAD(&e->said, next);
                reliable_free(o->queue);
                free(o);
        }
        while ((r = STAILQ_FIRST(&e->rounds))) {
                STAILQ_REMOVE_HEAD(&e->rounds, next);
                round_free(e, r);
        }
        forget_gathered(e);
        forget_all(e);
        addresses_free(e->addresses);
        free(e->gathered);
        free(e->others);
        free(e);
        s->exchange = NULL;
}
