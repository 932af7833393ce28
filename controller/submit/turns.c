/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/submit/turns.h"

struct queue { /* of a user */
        struct queue *next;
        uid_t uid;
        struct turn *first, *last;
        size_t n, bytes;
};

struct turns {
        size_t most, most_bytes;
        size_t n, bytes, n_users;
        struct queue *first, *last; /* first: the user whose turn is next */
};

struct turns *turns_new(size_t most, size_t most_bytes) {
        struct turns *t = xnew0(struct turns, 1);

        t->most = most;
        t->most_bytes = most_bytes;
        return t;
}

struct turns *turns_free(struct turns *t) {
        assert(!t || t->n == 0);
        free(t);
        return NULL;
}

static struct queue *turns_find_queue(const struct turns *t, uid_t uid) {
        struct queue *q = t->first;

        while (q && q->uid != uid)
                q = q->next;
        return q;
}

static void turns_append_queue(struct turns *t, struct queue *q) {
        q->next = NULL;
        *(t->last ? &t->last->next : &t->first) = q;
        t->last = q;
}

bool turns_add(struct turns *t, struct turn *new) {
        struct queue *q = turns_find_queue(t, new->uid);
        size_t n = q ? q->n : 0, bytes = q ? q->bytes : 0;

        if (n >= t->most - t->n || new->size > t->most_bytes - t->bytes ||
                        (n && bytes + new->size > t->most_bytes - t->bytes))
                return false;
        if (!q) {
                q = xnew0(struct queue, 1);
                q->uid = new->uid;
                turns_append_queue(t, q);
                t->n_users++;
        }
        new->next = NULL;
        *(q->last ? &q->last->next : &q->first) = new;
        q->last = new;
        q->n++;
        q->bytes += new->size;
        t->n++;
        t->bytes += new->size;
        return true;
}

struct turn *turns_take(struct turns *t) {
        struct queue *q = t->first;
        struct turn *turn;

        if (!q)
                return NULL;
        turn = q->first;
        q->first = turn->next;
        q->last = q->first ? q->last : NULL;
        q->n--;
        q->bytes -= turn->size;
        t->n--;
        t->bytes -= turn->size;
        t->first = q->next;
        t->last = t->first ? t->last : NULL;
        if (q->first) {
                turns_append_queue(t, q);
        } else {
                free(q);
                t->n_users--;
        }
        return turn;
}

size_t turns_before(const struct turns *t, const struct turn *of, size_t *ret_others) {
        const struct queue *q = turns_find_queue(t, of->uid);
        size_t n = 0;

        *ret_others = t->n_users - 1;
        for (const struct turn *turn = q->first; turn != of; turn = turn->next)
                n++;
        return n;
}

void turns_each(const struct turns *t, void (*each)(struct turn *turn, void *user), void *user) {
        for (const struct queue *q = t->first; q; q = q->next)
                for (struct turn *turn = q->first; turn; turn = turn->next)
                        each(turn, user);
}
