/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/resources/bucket.h"
#include "tests/unit/test.h"

static unsigned drain(struct bucket *b, usec_t now) {
        unsigned n = 0;

        while (n < 100000 && bucket_take(b, now))
                n++;
        return n;
}

#define SPAN (10 * USEC_PER_SEC)

static void it_starts_empty_and_fills_by_its_rate(void **state) {
        struct bucket b;

        bucket_init(&b, 300, SPAN, 0);
        assert_false(bucket_take(&b, 0));
        assert_int_equal(bucket_next(&b, 1), 200 * USEC_PER_MSEC);
        assert_false(bucket_take(&b, 199 * USEC_PER_MSEC));
        assert_true(bucket_take(&b, 200 * USEC_PER_MSEC));
        assert_false(bucket_take(&b, 399 * USEC_PER_MSEC));
        assert_int_equal(drain(&b, USEC_PER_SEC), 4);
}

static void a_quiet_spell_allows_one_burst(void **state) {
        struct bucket b;

        bucket_init(&b, 300, SPAN, 0);
        assert_int_equal(drain(&b, 3600 * USEC_PER_SEC), 50);
        assert_int_equal(bucket_next(&b, 1), 3600 * USEC_PER_SEC + 200 * USEC_PER_MSEC);
        bucket_init(&b, 1, SPAN, 0); /* less than one in the span: still one */
        assert_int_equal(drain(&b, 3600 * USEC_PER_SEC), 1);
}

static void rate_0_is_no_limit(void **state) {
        struct bucket b;

        bucket_init(&b, 0, SPAN, 0);
        assert_int_equal(drain(&b, 0), 100000);
        assert_int_equal(bucket_next(&b, 1), USEC_INFINITY);
}

static void waiting_command_comes_back(void **state) {
        struct bucket b;

        bucket_init(&b, 300, SPAN, 0);
        assert_int_equal(bucket_next(&b, 3), 600 * USEC_PER_MSEC);
        assert_int_equal(bucket_next(&b, 5), USEC_PER_SEC);
        assert_int_equal(bucket_next(&b, 4000), USEC_PER_SEC);
        assert_int_equal(bucket_next(&b, 0), 200 * USEC_PER_MSEC);
        bucket_init(&b, 6, SPAN, 0); /* a token in ten seconds: for that one, whichever waits */
        assert_int_equal(bucket_next(&b, 3), 10 * USEC_PER_SEC);
}

static void it_tells_when_so_many_will_have_passed(void **state) {
        struct bucket b;

        bucket_init(&b, 300, SPAN, 0);
        assert_int_equal(bucket_after(&b, 3, 0), 600 * USEC_PER_MSEC);
        /* two are there */
        assert_int_equal(bucket_after(&b, 3, 500 * USEC_PER_MSEC), 600 * USEC_PER_MSEC);
        assert_int_equal(bucket_after(&b, 2, 500 * USEC_PER_MSEC), 500 * USEC_PER_MSEC);
        assert_int_equal(bucket_after(&b, 50, 3600 * USEC_PER_SEC), 3600 * USEC_PER_SEC);
        assert_int_equal(bucket_after(&b, 350, 3600 * USEC_PER_SEC), 3660 * USEC_PER_SEC);
        assert_int_equal(drain(&b, 3600 * USEC_PER_SEC), 50); /* asking has taken none */
        assert_int_equal(bucket_after(&b, 350, 3601 * USEC_PER_SEC), 3670 * USEC_PER_SEC);
        bucket_init(&b, 0, SPAN, 0);
        assert_int_equal(bucket_after(&b, 100000, 7), 7);
}

static void time_that_stands_or_goes_back_gives_nothing(void **state) {
        struct bucket b;

        bucket_init(&b, 60, SPAN, 100 * USEC_PER_SEC);
        assert_false(bucket_take(&b, 50 * USEC_PER_SEC));
        assert_int_equal(drain(&b, 101 * USEC_PER_SEC), 1);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(it_starts_empty_and_fills_by_its_rate),
                cmocka_unit_test(a_quiet_spell_allows_one_burst),
                cmocka_unit_test(rate_0_is_no_limit),
                cmocka_unit_test(waiting_command_comes_back),
                cmocka_unit_test(it_tells_when_so_many_will_have_passed),
                cmocka_unit_test(time_that_stands_or_goes_back_gives_nothing),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
