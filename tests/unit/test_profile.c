/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile against one that is made of a table: node by node, minute by minute. */
#include "tests/unit/test.h"

#include "controller/sched/plan/profile.h"

#define NODES 150
#define TIME  400

struct table {
        bool busy[TIME + 1][NODES]; /* the last row: for ever */
        struct profile *p;
        uint64_t seed;
};

static uint32_t below(struct table *t, uint32_t n) {
        t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(t->seed >> 33) % n;
}

static bool is_free(const struct table *t, size_t node, usec_t from, usec_t until) {
        for (usec_t i = from; i <= TIME && i < until; i++)
                if (t->busy[i][node])
                        return false;
        return true;
}

static void put(struct table *t, const struct bitset *nodes, usec_t from, usec_t until, bool busy) {
        for (usec_t i = from; i <= TIME && i < until; i++)
                bitset_for_each(k, nodes)
                        t->busy[i][k] = busy;
}

static size_t free_throughout(const struct table *t, const struct bitset *of, usec_t from,
                usec_t until, struct bitset *ret) {
        bitset_clear(ret);
        bitset_for_each(k, of)
                if (is_free(t, k, from, until))
                        bitset_add(ret, k);
        return bitset_count(ret);
}

static void some_nodes(struct table *t, struct bitset *set) {
        bitset_clear(set);
        uint32_t from = below(t, NODES), n = 1 + below(t, NODES - from), step = 1 + below(t, 3);

        for (uint32_t i = from; i < from + n; i += step)
                bitset_add(set, i);
}

static usec_t over(const struct profile_wish *w, usec_t start) {
        usec_t until = w->duration == USEC_INFINITY ? w->duration : start + w->duration;

        return w->end ? MIN(until, w->end) : until;
}

static void compare_fit(struct table *t) {
        _cleanup_(bitset_freep) struct bitset *of = bitset_new(NODES), *got = bitset_new(NODES),
                                              *want = bitset_new(NODES);
        usec_t start = 0, expected = 0;

        some_nodes(t, of);
        struct profile_wish w = { .nodes = of,
                .count = 1 + below(t, (uint32_t)bitset_count(of)),
                .duration = 1 + below(t, 120),
                .from = below(t, 50),
                .latest = below(t, 4) ? USEC_INFINITY : 60 };
        if (below(t, 10) == 0)
                w.duration = USEC_INFINITY;
        if (below(t, 4) == 0) {
                w.latest = w.from + below(t, 60);
                w.end = w.latest + 1 + below(t, 60);
        }
        int r = profile_fit(t->p, &w, &start, got);
        for (expected = w.from; expected <= TIME && expected <= w.latest; expected++)
                if (free_throughout(t, of, expected, over(&w, expected), want) >= w.count)
                        break;
        if (expected > TIME || expected > w.latest) {
                assert_int_equal(r, -ENOENT);
                return;
        }
        assert_int_equal(r, 0);
        assert_int_equal(start, expected);
        assert_true(bitset_equal(got, want));
}

/* A stretch of nodes that are all free, or all taken by this; kept to be given back. */
struct taken {
        struct bitset *nodes;
        usec_t from, until;
};

static bool take(struct table *t, struct taken *ret) {
        struct bitset *of = bitset_new(NODES), *nodes = bitset_new(NODES);
        usec_t from = below(t, TIME),
               until = below(t, 20) ? from + 1 + below(t, 90) : USEC_INFINITY;

        if (until > TIME) /* which the table's last row means */
                until = USEC_INFINITY;
        some_nodes(t, of);
        bool any = free_throughout(t, of, from, until, nodes) > 0;
        bitset_free(of);
        if (!any) {
                bitset_free(nodes);
                return false;
        }
        profile_take(t->p, nodes, from, until);
        put(t, nodes, from, until, true);
        *ret = (struct taken){ nodes, from, until };
        return true;
}

/* Free then, and what is the asker's own. */
static bool has_then(const struct table *t, const struct profile_look *l, usec_t at) {
        uint32_t free = 0;

        for (size_t k = 0; k < NODES; k++)
                free += !t->busy[MIN(at, (usec_t)TIME)][k];
        return free >= l->count || (at >= l->own_from && at < l->own_until);
}

static bool has(const struct table *t, const struct profile_look *l) {
        /* from there up to same there are enough */
        for (usec_t from = l->from, same = l->from; same <= l->latest; same++) {
                while (from <= l->latest && same < from + l->duration && same <= TIME &&
                                has_then(t, l, same))
                        same++;
                if (from <= l->latest && (same > TIME || same == from + l->duration))
                        return true;
                from = same + 1;
        }
        return false;
}

static void compare_look(struct table *t, const struct taken *own) {
        usec_t last = MIN(own->from, (usec_t)TIME);
        struct profile_look l = { .count = 1 + below(t, (uint32_t)bitset_count(own->nodes)),
                .duration = 1 + below(t, 120),
                .from = below(t, (uint32_t)last + 1),
                .own_from = own->from,
                .own_until = own->until };

        l.latest = l.from + below(t, (uint32_t)(last - l.from) + 1);
        assert_int_equal(profile_has(t->p, &l), has(t, &l));
}

static void compare_one(struct table *t, const struct taken *own) {
        usec_t from = below(t, TIME), until = from + 1 + below(t, 120);
        bool some = false;

        bitset_for_each(k, own->nodes)
                some |= is_free(t, k, from, until);
        assert_int_equal(profile_has_one(t->p, own->nodes, from, until), some);
}

static void any_order_gives_what_a_table_gives(void **state) {
        struct table *t = xnew0(struct table, 1);
        struct taken list[200];
        size_t n = 0;

        (void)state;
        t->seed = 7;
        t->p = profile_new(NODES);
        for (int i = 0; i < 3000; i++) {
                if (n < ELEMENTSOF(list) && below(t, 5) < 3)
                        n += take(t, &list[n]);
                else if (n) {
                        size_t k = below(t, (uint32_t)n);
                        profile_give(t->p, list[k].nodes, list[k].from, list[k].until);
                        put(t, list[k].nodes, list[k].from, list[k].until, false);
                        bitset_free(list[k].nodes);
                        list[k] = list[--n];
                }
                if (i % 4 == 0)
                        compare_fit(t);
                if (n) {
                        compare_look(t, &list[below(t, (uint32_t)n)]);
                        compare_one(t, &list[below(t, (uint32_t)n)]);
                }
        }
        while (n) {
                n--;
                profile_give(t->p, list[n].nodes, list[n].from, list[n].until);
                bitset_free(list[n].nodes);
        }
        assert_int_equal(profile_slices(t->p), 1); /* no boundary is left behind */
        profile_free(t->p);
        free(t);
}

static void running_jobs_end_one_after_the_other(void **state) {
        static const struct profile_end ends[] = {
                { 5, 3 },
                { 10, 1 },
                { 20, 2 },
                { 20, 4 },
                { USEC_INFINITY, 0 },
        };
        struct profile *p = profile_new(6);
        _cleanup_(bitset_freep) struct bitset *all = bitset_new(6), *free = bitset_new(6);
        static const struct {
                uint32_t count;
                int r;
                usec_t start;
                const char *nodes;
        } expected[] = {
                { 1, 0, 5, "3,5" },
                { 2, 0, 5, "3,5" },
                { 3, 0, 10, "1,3,5" },
                { 4, 0, 20, "1-5" },
                { 6, -ENOENT, 0, "" },
        };

        (void)state;
        profile_build(p, 5, ends, ELEMENTSOF(ends));
        assert_int_equal(profile_slices(p), 3);
        bitset_fill(all);
        for (size_t i = 0; i < ELEMENTSOF(expected); i++) {
                usec_t start = 0;
                struct profile_wish w = {
                        .nodes = all,
                        .count = expected[i].count,
                        .duration = 100,
                        .from = 5,
                        .latest = USEC_INFINITY,
                };
                assert_int_equal(profile_fit(p, &w, &start, free), expected[i].r);
                if (expected[i].r < 0)
                        continue;
                _cleanup_free_ char *text = bitset_text(free);
                assert_int_equal(start, expected[i].start);
                assert_string_equal(text, expected[i].nodes);
        }
        profile_forget(p, 15);
        assert_int_equal(profile_slices(p), 2);
        profile_forget(p, 100);
        assert_int_equal(profile_slices(p), 1);
        profile_free(p);
}

static bool has_node_9(const struct bitset *free, usec_t start, void *user) {
        (void)start;
        ++*(int *)user;
        return bitset_has(free, 9);
}

static void what_is_not_enough_is_looked_for_later(void **state) {
        static const struct profile_end ends[] = { { 10, 7 }, { 20, 8 }, { 30, 9 }, { 40, 6 } };
        struct profile *p = profile_new(10);
        _cleanup_(bitset_freep) struct bitset *all = bitset_new(10), *free = bitset_new(10);
        usec_t start = 0;
        int asked = 0;

        (void)state;
        profile_build(p, 0, ends, ELEMENTSOF(ends));
        bitset_fill(all);
        struct profile_wish w = {
                .nodes = all,
                .count = 2,
                .duration = 5,
                .latest = USEC_INFINITY,
                .enough = has_node_9,
                .user = &asked,
        };
        assert_int_equal(profile_fit(p, &w, &start, free), 0);
        assert_int_equal(start, 30);
        assert_int_equal(asked, 4);
        w.latest = 29;
        assert_int_equal(profile_fit(p, &w, &start, free), -ENOENT);
        profile_free(p);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(any_order_gives_what_a_table_gives),
                cmocka_unit_test(running_jobs_end_one_after_the_other),
                cmocka_unit_test(what_is_not_enough_is_looked_for_later),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
