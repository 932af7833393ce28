/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times of nodes and of their groups against a plain list of times; what has become free of
 * nodes. */
#include "tests/unit/test.h"

#include "controller/sched/plan/earliest.h"
#include "controller/sched/plan/freed.h"

#define MOST  5000
#define TIMES 60
#define STEPS 4000

static uint64_t seed;

static uint32_t below(uint32_t n) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(seed >> 33) % n;
}

static usec_t any_time(void) {
        return below(10) ? below(TIMES) : USEC_INFINITY;
}

static int by_time(const void *a, const void *b) {
        const usec_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

static void check_searches(struct earliest *e, const usec_t *of, size_t n,
                const struct bitset *some) {
        const usec_t t = below(TIMES);
        const size_t first = below((uint32_t)n), count = 1 + below((uint32_t)n);
        _cleanup_free_ usec_t *sorted = xnew(usec_t, n);
        usec_t next = USEC_INFINITY;
        size_t i = first, k = first;

        while (i < n && of[i] > t)
                i++;
        assert_int_equal(earliest_by(e, first, t), i < n ? i : SIZE_MAX);
        while (k < n && (of[k] > t || !bitset_has(some, k)))
                k++;
        if (e->n_uncopied == 0)
                assert_int_equal(earliest_in(e, some, first, t), k < n ? k : SIZE_MAX);
        for (i = 0; i < n; i++)
                next = of[i] > t ? MIN(next, of[i]) : next;
        if (below(2)) /* all of a copy is copied */
                assert_int_equal(earliest_after(e, t), next);
        memcpy(sorted, of, n * sizeof sorted[0]);
        qsort(sorted, n, sizeof sorted[0], by_time);
        assert_int_equal(earliest_of(e, count), sorted[count - 1]);
        assert_int_equal(earliest_of(e, 1), sorted[0]);
        assert_int_equal(earliest_of(e, MIN(n, (size_t)3)), sorted[MIN(n, (size_t)3) - 1]);
}

static void change(struct earliest *e, usec_t *of, size_t n) {
        const size_t first = below((uint32_t)n), most = below(40), count = MIN(n - first, most);
        const usec_t t = any_time();

        if (below(2)) {
                of[first] = t;
                earliest_set(e, first, t);
                return;
        }
        for (size_t i = first; i < first + count; i++)
                of[i] = MIN(of[i], t);
        earliest_lower(e, first, count, t);
}

static void check_copies(const struct earliest *e, const usec_t *of, size_t n,
                const struct bitset *some) {
        _cleanup_free_ usec_t *then = xnew(usec_t, n);
        struct earliest copy;

        earliest_init(&copy, n);
        for (int round = 0; round < 4; round++) {
                earliest_assign(&copy, e, some);
                for (size_t i = 0; i < n; i++)
                        then[i] = bitset_has(some, i) ? of[i] : USEC_INFINITY;
                for (int i = 0; i < 3; i++) {
                        check_searches(&copy, then, n, some);
                        change(&copy, then, n);
                }
        }
        earliest_clear(&copy);
        earliest_set(&copy, 0, 7);
        earliest_raise(&copy, e);
        memcpy(then, of, n * sizeof then[0]);
        then[0] = MAX(then[0], (usec_t)7);
        check_searches(&copy, then, n, some);
        earliest_done(&copy);
}

static void run(size_t n) {
        _cleanup_(bitset_freep) struct bitset *some = bitset_new(n);
        _cleanup_free_ usec_t *of = xnew0(usec_t, n);
        struct earliest e;

        seed = n;
        for (size_t i = 0; i < n; i++)
                bitset_put(some, i, below(3));
        earliest_init(&e, n);
        for (size_t i = 0; i < STEPS; i++) {
                change(&e, of, n);
                if (i % 20 == 0 || n < 100)
                        check_searches(&e, of, n, some);
                if (i % 200 == 0)
                        check_copies(&e, of, n, some);
        }
        earliest_done(&e);
}

static void test_times(void **state) {
        static const size_t sizes[] = { 1, 2, 15, 16, 17, 63, 64, 65, 256, 257, 1000, MOST };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(sizes); i++)
                run(sizes[i]);
}

static void test_no_node(void **state) {
        struct earliest e;

        (void)state;
        earliest_init(&e, 0);
        assert_int_equal(earliest_by(&e, 0, 100), SIZE_MAX);
        assert_int_equal(earliest_of(&e, 1), USEC_INFINITY);
        earliest_done(&e);
}

static void test_freed(void **state) {
        struct freed f, copy;

        (void)state;
        freed_init(&f, 100);
        freed_init(&copy, 100);
        freed_add(&f, 10, 20, 50, 60);
        assert_int_equal(bitset_count(f.nodes), 20);
        assert_int_equal(freed_from(&f, 10, 0, 10, 100), 41); /* to 51: it has a part of it */
        assert_int_equal(freed_from(&f, 10, 0, 100, 100), 0);
        assert_int_equal(freed_from(&f, 10, 55, 10, 100), 55);
        assert_int_equal(freed_from(&f, 10, 60, 10, 100), USEC_INFINITY); /* behind it */
        assert_int_equal(freed_from(&f, 10, 0, 10, 40), USEC_INFINITY);   /* over before it */
        freed_add(&f, 29, 2, 70, 80);
        assert_int_equal(freed_from(&f, 29, 60, 10, 100), 60); /* from 50 to 80 */
        assert_int_equal(freed_from(&f, 30, 0, 1, 100), 70);
        freed_assign(&copy, &f);
        freed_clear(&f);
        assert_true(bitset_empty(f.nodes));
        assert_int_equal(freed_from(&copy, 29, 60, 10, 100), 60);
        freed_add(&f, 29, 1, 5, 6); /* what was before does not count */
        assert_int_equal(freed_from(&f, 29, 6, 10, 100), USEC_INFINITY);
        freed_done(&copy);
        freed_done(&f);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_times),
                cmocka_unit_test(test_no_node),
                cmocka_unit_test(test_freed),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
