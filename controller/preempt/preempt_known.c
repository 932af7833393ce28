/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/preempt/preempt_known.h"

#include "controller/preempt/preempt.h"
#include "controller/preempt/request.h"

/* Number of cached kinds of requests; a kind with ends is separate. */
#define MEMOS 8

struct preempt_known {
        struct cluster *c;
        struct preempt_one *order;
        size_t n, allocated;
        size_t seen;   /* entries of c->active included in order */
        uint64_t left; /* c->active_left when order was built */
        struct kept {
                struct request of;
                bool ends;
                uint64_t used; /* value of uses at the last use */
                struct preempt_memo memo;
        } kept[MEMOS];
        struct request asked; /* scratch */
        uint64_t uses;
        preempt_room_fn *room; /* NULL: layers held by victims do not count */
        const void *user;
};

struct preempt_known *preempt_known_new(struct cluster *c) {
        struct preempt_known *k = xnew0(struct preempt_known, 1);

        k->c = c;
        return k;
}

static void memo_clear(struct preempt_memo *m) {
        free(TAKE(m->place.of));
        m->place.none = bitset_free(m->place.none);
        free(TAKE(m->price));
        m->priced = bitset_free(m->priced);
}

struct preempt_known *preempt_known_free(struct preempt_known *k) {
        if (!k)
                return NULL;
        for (size_t i = 0; i < MEMOS; i++) {
                request_done(&k->kept[i].of);
                memo_clear(&k->kept[i].memo);
        }
        request_done(&k->asked);
        free(k->order);
        free(k);
        return NULL;
}

void preempt_known_count_layers(struct preempt_known *k, preempt_room_fn *room, const void *user) {
        k->room = room;
        k->user = user;
}

struct hres_room *preempt_known_room(const struct preempt_known *k, const struct job *j,
                const struct bitset *gone) {
        return k->room && j->needs.hres ? k->room(k->user, j, gone) : NULL;
}

/* ---- the order ---- */

static int known_compare(const void *a, const void *b, void *c) {
        return preempt_order(c, ((const struct preempt_one *)a)->job,
                        ((const struct preempt_one *)b)->job);
}

static struct preempt_one one_of(struct job *j) {
        return (struct preempt_one){ j, j->placed.alloc[0].node->index };
}

static void known_insert(struct preempt_known *k, struct job *j) {
        size_t at = FIRST_NOT(k->n, i, preempt_order(k->c, k->order[i].job, j) < 0);

        GROW(k->order, k->allocated, k->n);
        memmove(&k->order[at + 1], &k->order[at], (k->n - at) * sizeof k->order[0]);
        k->order[at] = one_of(j);
        k->n++;
}

const struct preempt_one *preempt_known_order(struct preempt_known *k, size_t *ret_n) {
        const struct cluster *c = k->c;

        /* Builds the order anew. */
        if (k->left != c->active_left || k->seen > c->n_active || c->n_active - k->seen > 100) {
                k->n = 0;
                for (k->seen = 0; k->seen < c->n_active; k->seen++) {
                        GROW(k->order, k->allocated, k->n);
                        k->order[k->n++] = one_of(c->active[k->seen]);
                }
                if (k->n)
                        qsort_r(k->order, k->n, sizeof k->order[0], known_compare, k->c);
                k->left = c->active_left;
        }
        while (k->seen < c->n_active)
                known_insert(k, c->active[k->seen++]);
        *ret_n = k->n;
        return k->order;
}

/* ---- nodes ---- */

static struct kept *known_find_memo(struct preempt_known *k, bool ends) {
        struct kept *oldest = &k->kept[0];

        for (size_t i = 0; i < MEMOS; i++) {
                struct kept *at = &k->kept[i];
                if (at->memo.place.of && at->ends == ends && request_same(&at->of, &k->asked))
                        return at;
                if (at->used < oldest->used)
                        oldest = at;
        }
        memo_clear(&oldest->memo);
        const struct request before = oldest->of;
        oldest->of = k->asked;
        k->asked = before;
        oldest->ends = ends;
        oldest->memo.place = (struct place_memo){ .of = xnew0(struct place_node, k->c->n_nodes + 1),
                .none = bitset_new(k->c->n_nodes) };
        oldest->memo.price = xnew(struct preempt_price, k->c->n_nodes + 1);
        oldest->memo.priced = bitset_new(k->c->n_nodes);
        return oldest;
}

/* Returns whether any PreemptMode has WITHIN or PRIORITY: the eligible victims then depend on the
   preemptor's priority. */
static bool priority_counts(const struct cluster *c) {
        unsigned words = c->config->preempt_mode;

        for (size_t i = 0; i < c->n_partitions; i++)
                words |= partition_preempt_mode(c, c->partitions[i]);
        for (size_t i = 0; i < c->acct.n_qos; i++)
                words |= c->acct.qos[i]->preempt_mode == PREEMPT_UNSET
                                         ? 0
                                         : c->acct.qos[i]->preempt_mode;
        return words & (PREEMPT_WITHIN | PREEMPT_PRIORITY);
}

struct preempt_memo *preempt_known_memo(struct preempt_known *k, const struct job *j, bool ends,
                const uint64_t *yielding) {
        const struct cluster *c = k->c;

        request_to_preempt(&k->asked, c, j, priority_counts(c));
        struct kept *kept = known_find_memo(k, ends);
        struct preempt_memo *m = &kept->memo;
        kept->used = ++k->uses;
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct place_node *of = &m->place.of[i];
                if (of->moment == c->nodes[i]->moment && of->yielding == yielding[i])
                        continue;
                *of = (struct place_node){ .moment = c->nodes[i]->moment, .yielding = yielding[i] };
                bitset_del(m->place.none, i);
                bitset_del(m->priced, i);
        }
        return m;
}
