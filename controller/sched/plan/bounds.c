/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At most BOUNDS_MAX kinds are kept: a new kind replaces the kind unused for the longest time.
 * While all kinds are in recent use, an existing kind with lower demands stands for a new kind. */
#include "controller/sched/plan/bounds.h"

#include "controller/sched/plan/plan.h"

enum {
        BOUNDS_MAX = 64,
        OF_LATE = 4 * BOUNDS_MAX, /* a kind used within so many uses of all kinds is kept */
};

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

static bool is_same(const struct bound *a, const struct bound *b) {
        return a->need.units == b->need.units && a->need.memory == b->need.memory &&
               a->duration == b->duration;
}

/* Returns whether a node without room for a has no room for b either. ("All memory" is not
   comparable with a number of MB: a node may have less than the number.) */
static bool asks_less(const struct bound *a, const struct bound *b) {
        return a->need.units <= b->need.units && a->duration <= b->duration &&
               (a->need.memory == b->need.memory || a->need.memory == 0 ||
                               (a->need.memory < b->need.memory && b->need.memory != INT64_MAX));
}

static void bound_raise(struct backfill *b, struct bound *of) {
        const struct bounds *all = b->bounds;

        for (size_t i = 0; i < all->n; i++)
                if (&all->of[i] != of && asks_less(&all->of[i], of)) {
                        earliest_raise(&of->times, &all->of[i].times);
                        spend(b, b->n_nodes);
                }
}

/* Returns the kind with the highest demands among the kinds covered by kind; NULL: none. */
static struct bound *next_best(struct bounds *all, const struct bound *kind) {
        struct bound *best = NULL;

        for (size_t i = 0; i < all->n; i++) {
                struct bound *of = &all->of[i];
                if (asks_less(of, kind) && (!best || asks_less(best, of)))
                        best = of;
        }
        return best;
}

static struct bound *least_used(struct bounds *all) {
        struct bound *of = &all->of[0];

        for (size_t i = 1; i < all->n; i++)
                of = all->of[i].used < of->used ? &all->of[i] : of;
        return of;
}

/* Returns whether all places are taken by kinds in recent use. */
static bool is_full(struct bounds *all) {
        return all->n == BOUNDS_MAX && all->uses - least_used(all)->used < OF_LATE;
}

static struct bound *add_kind(struct backfill *b, const struct bound *kind) {
        struct bounds *all = b->bounds;
        struct bound *of;

        if (all->n < BOUNDS_MAX) {
                of = &all->of[all->n++];
                earliest_init(&of->times, b->n_nodes);
        } else {
                of = least_used(all);
                earliest_clear(&of->times);
        }
        of->need = kind->need;
        of->duration = kind->duration;
        bound_raise(b, of);
        spend(b, b->n_nodes);
        return of;
}

static struct bound kind_of(const struct need *need, usec_t duration) {
        const int64_t memory = need->memory;

        return (struct bound){
                .need = { .units = (int64_t)power_below((uint64_t)need->units),
                                .memory = memory == INT64_MAX ? memory
                                                              : (int64_t)power_below(
                                                                                (uint64_t)memory) },
                .duration = power_below(duration / (60 * USEC_PER_SEC)) * 60 * USEC_PER_SEC,
        };
}

struct bound *bound_of(struct backfill *b, const struct need *need, usec_t duration) {
        const struct bound kind = kind_of(need, duration);
        struct bounds *all = b->bounds = b->bounds ? b->bounds : xnew0(struct bounds, 1);
        struct bound *of = NULL;

        all->uses++;
        for (size_t i = 0; i < all->n && !of; i++)
                of = is_same(&all->of[i], &kind) ? &all->of[i] : NULL;
        if (!of && is_full(all))
                of = next_best(all, &kind);
        of = of ? of : add_kind(b, &kind);
        of->used = all->uses;
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
                usec_t t, usec_t latest, usec_t now) {
        usec_t from = of->times.of[0][n->index];

        if (from > t)
                return from;
        spend(b, track_cost(k));
        from = track_from(k, n, &of->need, MAX(from, now), latest, of->duration, 0);
        earliest_set(&of->times, n->index, from);
        return from;
}
