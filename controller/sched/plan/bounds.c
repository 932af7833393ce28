/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At most BOUNDS_MAX kinds are kept: a new one takes the place of the kind that has not been used
 * for the longest time. */
#include "controller/sched/plan/bounds.h"

#include "controller/sched/plan/plan.h"

enum { BOUNDS_MAX = 64 };

struct bound {
        struct need need;
        usec_t duration;
        struct earliest times;
        uint64_t used;
};

struct bounds {
        struct bound of[BOUNDS_MAX];
        size_t n;
        uint64_t uses;
};

struct bounds *bounds_free(struct bounds *all) {
        for (size_t i = 0; all && i < all->n; i++)
                earliest_done(&all->of[i].times);
        free(all);
        return NULL;
}

size_t bounds_bytes(const struct bounds *all) {
        size_t bytes = all ? sizeof *all : 0;

        for (size_t i = 0; all && i < all->n; i++)
                bytes += earliest_bytes(&all->of[i].times);
        return bytes;
}

static uint64_t power_below(uint64_t n) {
        return n ? UINT64_C(1) << (63 - __builtin_clzll(n)) : 0;
}

static bool is_same(const struct bound *of, const struct need *need, usec_t duration) {
        return of->need.units == need->units && of->need.memory == need->memory &&
               of->duration == duration;
}

/* A node without room for a has no room for b either.  ("All memory" is not comparable with a
   number of MB: a node may have less than that number.) */
static bool asks_less(const struct bound *a, const struct bound *b) {
        return a->need.units <= b->need.units && a->duration <= b->duration &&
               (a->need.memory == b->need.memory || a->need.memory == 0 ||
                               (a->need.memory < b->need.memory && b->need.memory != INT64_MAX));
}

static void learn(const struct bounds *all, struct bound *of) {
        for (size_t i = 0; i < all->n; i++)
                if (&all->of[i] != of && asks_less(&all->of[i], of))
                        earliest_raise(&of->times, &all->of[i].times);
}

struct bound *bound_of(struct backfill *b, const struct need *need, usec_t duration) {
        struct need kind = { .units = (int64_t)power_below((uint64_t)need->units),
                .memory = need->memory == INT64_MAX
                                          ? INT64_MAX
                                          : (int64_t)power_below((uint64_t)need->memory) };
        const usec_t minutes = power_below(duration / (60 * USEC_PER_SEC)) * 60 * USEC_PER_SEC;
        struct bounds *all = b->bounds = b->bounds ? b->bounds : xnew0(struct bounds, 1);
        struct bound *of = NULL;

        for (size_t i = 0; i < all->n; i++) {
                if (is_same(&all->of[i], &kind, minutes)) {
                        all->of[i].used = ++all->uses;
                        return &all->of[i];
                }
                of = !of || all->of[i].used < of->used ? &all->of[i] : of;
        }
        if (all->n < BOUNDS_MAX) {
                of = &all->of[all->n++];
                earliest_init(&of->times, b->n_nodes);
        } else {
                earliest_clear(&of->times);
        }
        of->need = kind;
        of->duration = minutes;
        of->used = ++all->uses;
        learn(all, of);
        spend(b, b->n_nodes);
        return of;
}

const struct earliest *bound_times(const struct bound *of) {
        return &of->times;
}

void bounds_lower(struct backfill *b, size_t first, size_t n, usec_t from) {
        for (size_t i = 0; b->bounds && i < b->bounds->n; i++) {
                struct bound *of = &b->bounds->of[i];
                earliest_lower(&of->times, first, n, from > of->duration ? from - of->duration : 0);
        }
        spend(b, b->bounds ? n * b->bounds->n / 8 : 0);
}

usec_t bound_from(struct backfill *b, struct bound *of, const struct track *k, const struct node *n,
                usec_t t, usec_t now) {
        usec_t from = of->times.of[0][n->index];

        if (from > t)
                return from;
        spend(b, track_cost(k));
        from = track_from(k, n, &of->need, MAX(from, now), of->duration, 0);
        earliest_set(&of->times, n->index, from);
        return from;
}
