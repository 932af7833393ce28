/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/step/mpi/pmix_some.h"

#include "agent/pmi/pmix_line.h"
#include "agent/step/mpi/exchange.h"

#define ENTERED_MAX 4096 /* maximum pending fences of this node */
/* Time limit for PMIX_LINE_SOME_HEARD, after the first node's step daemon has the part of this
   node: a step daemon of an earlier build drops parts. */
#define HEARD_WAIT (30 * USEC_PER_SEC)

struct entered { /* a fence entered by this node's tasks */
        struct entered *next;
        uint64_t set;
        uint32_t number, n_nodes;
        usec_t look_at;   /* CLOCK_MONOTONIC: next check for the first node's answer */
        uint32_t nodes[]; /* ascending */
};

struct part { /* at the first node: a part waiting for the other nodes' parts */
        struct part *next;
        uint64_t set;
        uint32_t node;
        size_t size;
        uint8_t data[];
};

struct pmix_some {
        struct entered *entered; /* oldest first */
        struct part *parts;
        size_t n_entered, size; /* bytes of the parts */
        bool *heard;            /* nodes having acknowledged parts of this node */
        bool *told;             /* nodes whose parts this node has acknowledged */
};

static struct pmix_some *pmix_some_get(struct step *s) {
        if (s->pmix_some)
                return s->pmix_some;
        struct pmix_some *x = s->pmix_some = xnew0(struct pmix_some, 1);
        x->heard = xnew0(bool, exchange_nodes(s));
        x->told = xnew0(bool, exchange_nodes(s));
        return x;
}

static struct entered **find_entered(struct pmix_some *x, uint64_t set) {
        struct entered **at = &x->entered;

        while (*at && (*at)->set != set)
                at = &(*at)->next;
        return at;
}

static struct part **fence_find_part(struct pmix_some *x, uint64_t set, uint32_t node) {
        struct part **at = &x->parts;

        while (*at && ((*at)->set != set || (*at)->node != node))
                at = &(*at)->next;
        return at;
}

static void fence_over(struct step *s, struct entered **at, const void *data, size_t size) {
        struct entered *e = *at;

        *at = e->next;
        s->pmix_some->n_entered--;
        pmix_some_done(s, e->number, data, size);
        free(e);
}

/* Removes the parts of e, all present, from the list and returns their joined data; the caller
   frees. */
static char *take_parts(struct pmix_some *x, const struct entered *e, size_t *ret_size) {
        char *all = NULL;
        FILE *out = memstream_open(&all, ret_size);

        for (uint32_t i = 0; i < e->n_nodes; i++) {
                struct part **at = fence_find_part(x, e->set, e->nodes[i]), *p = *at;
                *at = p->next;
                x->size -= sizeof *p + p->size;
                fwrite(p->data, 1, p->size, out);
                free(p);
        }
        memstream_close(out);
        return all;
}

/* At the first node: ends the fence if all parts are present. */
static int fence_finish_if_full(struct step *s, uint64_t set) {
        struct pmix_some *x = pmix_some_get(s);
        struct entered **at = find_entered(x, set), *e = *at;
        size_t size;
        int r = 0;

        for (uint32_t i = 0; e && i < e->n_nodes; i++)
                if (!*fence_find_part(x, set, e->nodes[i]))
                        return 0;
        if (!e)
                return 0;
        char *all = take_parts(x, e, &size);
        for (uint32_t i = 0; i < e->n_nodes && r >= 0; i++)
                if (e->nodes[i] != exchange_node(s))
                        r = pmix_some_send(s, e->nodes[i], PMIX_LINE_SOME_ALL, set, all, size);
        if (r >= 0)
                fence_over(s, at, all, size);
        free(all);
        return r;
}

static int fence_add_part(struct step *s, uint64_t set, uint32_t node, const uint8_t *data,
                size_t size) {
        struct pmix_some *x = pmix_some_get(s);
        struct part **end = &x->parts;

        if (x->size + sizeof **end + size > EXCHANGE_ALL_MAX)
                return -ENOBUFS;
        while (*end)
                end = &(*end)->next;
        *end = xmalloc(sizeof **end + size);
        **end = (struct part){ .set = set, .node = node, .size = size };
        if (size)
                memcpy((*end)->data, data, size);
        x->size += sizeof **end + size;
        return fence_finish_if_full(s, set);
}

/* Returns true if the nodes are ascending, at least two, and include this node. */
static bool are_nodes(const struct step *s, const uint32_t *nodes, uint32_t n) {
        bool own = false;

        for (uint32_t i = 0; i < n; i++) {
                if (nodes[i] >= exchange_nodes(s) || (i && nodes[i] <= nodes[i - 1]))
                        return false;
                own |= nodes[i] == exchange_node(s);
        }
        return own && n > 1;
}

int pmix_some_enter(struct step *s, uint32_t number, const uint8_t *data, size_t size) {
        struct pmix_some *x = pmix_some_get(s);
        struct pmix_some_head head;

        if (size < sizeof head)
                return -EBADMSG;
        memcpy(&head, data, sizeof head);
        size_t length = sizeof head + (size_t)head.n_nodes * sizeof(uint32_t);
        if (head.n_nodes > exchange_nodes(s) || size < length)
                return -EBADMSG;
        if (x->n_entered == ENTERED_MAX)
                return -ENOBUFS;
        struct entered *e = xmalloc(sizeof *e + head.n_nodes * sizeof e->nodes[0]);
        *e = (struct entered){ .set = head.set,
                .number = number,
                .n_nodes = head.n_nodes,
                .look_at = now_monotonic() + HEARD_WAIT };
        memcpy(e->nodes, data + sizeof head, head.n_nodes * sizeof e->nodes[0]);
        if (!are_nodes(s, e->nodes, e->n_nodes)) {
                free(e);
                return -EBADMSG;
        }
        struct entered **end = &x->entered;
        while (*end)
                end = &(*end)->next;
        *end = e;
        x->n_entered++;
        if (e->nodes[0] == exchange_node(s))
                return fence_add_part(s, head.set, exchange_node(s), data + length, size - length);
        return pmix_some_send(s, e->nodes[0], PMIX_LINE_SOME, head.set, data + length,
                        size - length);
}

int pmix_some_part(struct step *s, uint32_t from, const uint8_t *data, size_t size) {
        uint64_t set;

        if (size < sizeof set)
                return -EBADMSG;
        memcpy(&set, data, sizeof set);
        if (!pmix_some_get(s)->told[from]) {
                pmix_some_get(s)->told[from] = true;
                int r = pmix_some_send(s, from, PMIX_LINE_SOME_HEARD, set, "", 0);
                if (r < 0)
                        return r;
        }
        return fence_add_part(s, set, from, data + sizeof set, size - sizeof set);
}

void pmix_some_all(struct step *s, const uint8_t *data, size_t size) {
        uint64_t set;

        if (size < sizeof set)
                return;
        memcpy(&set, data, sizeof set);
        struct entered **at = find_entered(pmix_some_get(s), set);
        if (*at)
                fence_over(s, at, data + sizeof set, size - sizeof set);
}

void pmix_some_heard(struct step *s, uint32_t from) {
        pmix_some_get(s)->heard[from] = true;
}

/* Returns true if the fence's first node is another node and has not sent PMIX_LINE_SOME_HEARD. */
static bool is_unheard(const struct step *s, const struct entered *e) {
        return e->nodes[0] != exchange_node(s) && !s->pmix_some->heard[e->nodes[0]];
}

void pmix_some_go_on(struct step *s, usec_t now) {
        for (struct entered *e = s->pmix_some ? s->pmix_some->entered : NULL; e; e = e->next) {
                if (!is_unheard(s, e) || e->look_at > now)
                        continue;
                if (exchange_has_all(s, e->nodes[0])) {
                        s->pmix_some->heard[e->nodes[0]] = true; /* reports the failure once */
                        pmix_some_lost(s,
                                        "tasks of several nodes, not all, wait for one another, and the first of these nodes does not answer");
                        return;
                }
                e->look_at = now + HEARD_WAIT; /* the first node may not have started yet */
        }
}

int pmix_some_patience(const struct step *s, usec_t now) {
        usec_t due = USEC_INFINITY;

        for (struct entered *e = s->pmix_some ? s->pmix_some->entered : NULL; e; e = e->next)
                if (is_unheard(s, e))
                        due = MIN(due, e->look_at);
        if (due == USEC_INFINITY)
                return -1;
        return due <= now ? 0 : (int)((due - now) / USEC_PER_MSEC + 1);
}

void pmix_some_end(struct step *s) {
        struct pmix_some *x = TAKE(s->pmix_some);

        while (x && x->entered) {
                struct entered *e = x->entered;
                x->entered = e->next;
                free(e);
        }
        while (x && x->parts) {
                struct part *p = x->parts;
                x->parts = p->next;
                free(p);
        }
        if (x) {
                free(x->heard);
                free(x->told);
        }
        free(x);
}
