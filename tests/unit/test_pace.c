/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/loop/pace.h"
#include "tests/unit/test.h"

static void little_to_store_holds_nothing_up(void **state) {
        struct pace p = { 0 };

        (void)state;
        assert_int_equal(pace_wait(&p, 0), 0);
        pace_next(&p, 1000, PACE_LEAST - 1);
        assert_int_equal(pace_wait(&p, 1000), 0);
}

static void much_to_store_is_a_fifth_of_the_time(void **state) {
        struct pace p = { 0 };

        (void)state;
        pace_next(&p, 1000, 3 * USEC_PER_MSEC);
        assert_int_equal(pace_wait(&p, 1000), 12 * USEC_PER_MSEC);
        assert_int_equal(pace_wait(&p, 12 * USEC_PER_MSEC), 1000);
        assert_int_equal(pace_wait(&p, 12 * USEC_PER_MSEC + 1000), 0);
        pace_next(&p, 1000, USEC_PER_SEC);
        assert_int_equal(pace_wait(&p, 1000), PACE_MOST);
}

static void a_command_does_not_wait(void **state) {
        struct pace p = { 0 };

        (void)state;
        pace_next(&p, 1000, USEC_PER_SEC);
        p.asked = true;
        assert_int_equal(pace_wait(&p, 1000), 0);
        pace_next(&p, 2000, USEC_PER_SEC); /* that of the next turn has not been asked for */
        assert_int_equal(pace_wait(&p, 2000), PACE_MOST);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(little_to_store_holds_nothing_up),
                cmocka_unit_test(much_to_store_is_a_fifth_of_the_time),
                cmocka_unit_test(a_command_does_not_wait),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
