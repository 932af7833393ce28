/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/loop/call_stats.h"
#include "tests/unit/test.h"

/* How many of that user's; its time goes to *ret_time. */
static uint64_t of(const struct call_stats *s, uid_t wanted, usec_t *ret_time) {
        for (size_t i = 0; i < call_stats_users(s); i++) {
                uid_t uid;
                uint64_t n = call_stats_of_user(s, i, &uid, ret_time);
                if (uid == wanted)
                        return n;
        }
        return 0;
}

static void requests_are_counted_by_type_and_user(void **state) {
        struct call_stats *s = call_stats_new();
        usec_t time;

        call_stats_add(s, 7, 1000, 5);
        call_stats_add(s, 7, 1001, 10);
        call_stats_add(s, 8, 1000, 1);
        assert_int_equal(call_stats_of_type(s, 7, &time), 2);
        assert_int_equal(time, 15);
        assert_int_equal(of(s, 1000, &time), 2);
        assert_int_equal(time, 6);
        assert_int_equal(of(s, 1001, &time), 1);
        call_stats_reset(s);
        assert_int_equal(call_stats_of_type(s, 7, &time), 0);
        assert_int_equal(of(s, 1000, &time), 0);
        call_stats_free(s);
}

static void users_beyond_the_limit_are_counted_together(void **state) {
        struct call_stats *s = call_stats_new();
        usec_t time;

        for (uid_t uid = 0; uid < CALL_USERS_MAX + 50; uid++)
                call_stats_add(s, 1, uid, 1);
        call_stats_add(s, 1, 3, 1);
        assert_int_equal(call_stats_of_type(s, 1, &time), CALL_USERS_MAX + 51);
        assert_int_equal(call_stats_users(s), CALL_USERS_MAX + 1);
        assert_int_equal(of(s, CALL_OTHERS, &time), 50);
        assert_int_equal(of(s, 3, &time), 2);
        call_stats_free(s);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(requests_are_counted_by_type_and_user),
                cmocka_unit_test(users_beyond_the_limit_are_counted_together),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
