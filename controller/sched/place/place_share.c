/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributes nodes of several kinds among components: a maximum flow by augmenting paths. A
 * component takes free nodes of its kinds; otherwise another component hands over nodes and takes
 * nodes of another kind instead, and so on.
 *
 * With `first`, each path ends at the first reachable kind: then no other distribution of as many
 * nodes uses fewer nodes of later kinds. */
#include "controller/sched/place/place_private.h"

/* Pairs of component and kind looked at before giving up: some ms. */
#define LOOKS 2000000u

#define NOBODY UINT32_MAX

struct sharing {
        const struct shares *s;
        uint32_t *free; /* free nodes of each kind */
        /* held kind which each component would hand over; NOBODY: start of the path */
        uint32_t *of;
        uint32_t *by;   /* component which would take nodes of each kind; NOBODY: not visited */
        uint32_t *next; /* queue of components to look at */
        struct bitset *queued;
        uint64_t looks;
};

static uint32_t *shares_part(const struct shares *s, size_t component, size_t kind) {
        return &s->ret[component * s->kinds + kind];
}

/* Queues the components which hold nodes of kind and could use other kinds instead. */
static size_t queue_holders(struct sharing *d, uint32_t kind, size_t queued) {
        d->looks += d->s->n;
        for (uint32_t i = 0; i < d->s->n; i++) {
                if (*shares_part(d->s, i, kind) == 0 || bitset_has(d->queued, i))
                        continue;
                bitset_add(d->queued, i);
                d->of[i] = kind;
                d->next[queued++] = i;
        }
        return queued;
}

/* Returns a kind with free nodes reachable for component: the first kind, or without `first` the
   kind found first; NOBODY: none. */
static uint32_t kind_reach(struct sharing *d, uint32_t component) {
        uint32_t found = NOBODY;
        size_t queued = 1;

        memset(d->by, 0xff, d->s->kinds * sizeof d->by[0]);
        bitset_clear(d->queued);
        bitset_add(d->queued, component);
        d->next[0] = component;
        d->of[component] = NOBODY;
        for (size_t at = 0; at < queued; at++) {
                size_t from = d->next[at] * d->s->kinds, until = from + d->s->kinds;
                for (size_t b = bitset_next(d->s->has, from); b < until;
                                b = bitset_next(d->s->has, b + 1)) {
                        uint32_t kind = (uint32_t)(b - from);
                        d->looks++;
                        if (d->by[kind] != NOBODY)
                                continue;
                        d->by[kind] = d->next[at];
                        if (d->free[kind])
                                found = MIN(found, kind);
                        if (found != NOBODY && !d->s->first)
                                return found;
                        queued = queue_holders(d, kind, queued);
                }
        }
        return found;
}

/* Moves as many nodes along the path as each component on the path can hand over, at most wants. */
static uint32_t take_along(struct sharing *d, uint32_t kind, uint32_t wants) {
        uint32_t n = MIN(wants, d->free[kind]);

        for (uint32_t i = d->by[kind]; d->of[i] != NOBODY; i = d->by[d->of[i]])
                n = MIN(n, *shares_part(d->s, i, d->of[i]));
        d->free[kind] -= n;
        for (uint32_t i = d->by[kind], k = kind;; k = d->of[i], i = d->by[k]) {
                *shares_part(d->s, i, k) += n;
                if (d->of[i] == NOBODY)
                        return n;
                *shares_part(d->s, i, d->of[i]) -= n;
        }
}

static int sharing_fill(struct sharing *d) {
        for (uint32_t i = 0; i < d->s->n; i++)
                for (uint32_t wants = d->s->wants[i]; wants;) {
                        uint32_t kind = kind_reach(d, i);
                        if (kind == NOBODY)
                                return -ENOENT;
                        wants -= take_along(d, kind, wants);
                        if (d->looks > LOOKS)
                                return -E2BIG;
                }
        return 0;
}

int place_share_out(const struct shares *s) {
        struct sharing d = { .s = s,
                .free = xnew(uint32_t, s->kinds + 1),
                .of = xnew(uint32_t, s->n + 1),
                .by = xnew(uint32_t, s->kinds + 1),
                .next = xnew(uint32_t, s->n + 1),
                .queued = bitset_new(s->n) };

        memcpy(d.free, s->size, s->kinds * sizeof d.free[0]);
        memset(s->ret, 0, s->n * s->kinds * sizeof s->ret[0]);
        int r = sharing_fill(&d);
        free(d.free);
        free(d.of);
        free(d.by);
        free(d.next);
        bitset_free(d.queued);
        return r;
}
