/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Room that becomes free on a node during two stretches is one stretch spanning both. */
#include "controller/sched/plan/freed.h"

void freed_init(struct freed *f, size_t n) {
        f->nodes = bitset_new(n);
        f->from = xnew0(usec_t, n + 1);
        f->until = xnew0(usec_t, n + 1);
}

void freed_done(struct freed *f) {
        bitset_free(f->nodes);
        free(f->from);
        free(f->until);
}

void freed_clear(struct freed *f) {
        bitset_clear(f->nodes);
}

void freed_assign(struct freed *f, const struct freed *from) {
        bitset_assign(f->nodes, from->nodes);
        memcpy(f->from, from->from, f->nodes->bits * sizeof f->from[0]);
        memcpy(f->until, from->until, f->nodes->bits * sizeof f->until[0]);
}

void freed_add(struct freed *f, size_t first, size_t n, usec_t from, usec_t until) {
        for (size_t i = first; i < first + n; i++) {
                const bool more = bitset_has(f->nodes, i);
                f->from[i] = more ? MIN(f->from[i], from) : from;
                f->until[i] = more ? MAX(f->until[i], until) : until;
        }
        bitset_add_range(f->nodes, first, n);
}

usec_t freed_from(const struct freed *f, size_t node, usec_t from, usec_t duration, usec_t latest) {
        const usec_t first = f->from[node];

        if (first >= duration) /* a job that starts at the new from ends after first */
                from = MAX(from, first - duration + 1);
        return from <= latest && from < f->until[node] ? from : USEC_INFINITY;
}
