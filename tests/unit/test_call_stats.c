/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/loop/call_stats.h"
#include "tests/unit/test.h"

static const struct call_count *of(const struct call_stats *s, uid_t uid) {
        for (size_t i = 0; i < s->n_users; i++)
                if (s->users[i].uid == uid)
                        return &s->users[i].count;
        return NULL;
}

static void requests_are_counted_by_type_and_user(void **state) {
        struct call_stats *s = call_stats_new();

        call_stats_add(s, 7, 1000, 5);
        call_stats_add(s, 7, 1001, 10);
        call_stats_add(s, 8, 1000, 1);
        assert_int_equal(s->types[7].n, 2);
        assert_int_equal(s->types[7].time, 15);
        assert_int_equal(of(s, 1000)->n, 2);
        assert_int_equal(of(s, 1000)->time, 6);
        assert_int_equal(of(s, 1001)->n, 1);
        call_stats_reset(s);
        assert_int_equal(s->types[7].n, 0);
        assert_null(of(s, 1000));
        call_stats_free(s);
}

static void users_beyond_the_limit_are_counted_together(void **state) {
        struct call_stats *s = call_stats_new();

        for (uid_t uid = 0; uid < CALL_USERS_MAX + 50; uid++)
                call_stats_add(s, 1, uid, 1);
        call_stats_add(s, 1, 3, 1);
        assert_int_equal(s->types[1].n, CALL_USERS_MAX + 51);
        assert_int_equal(s->n_users, CALL_USERS_MAX + 1);
        assert_int_equal(of(s, CALL_OTHERS)->n, 50);
        assert_int_equal(of(s, 3)->n, 2);
        call_stats_free(s);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(requests_are_counted_by_type_and_user),
                cmocka_unit_test(users_beyond_the_limit_are_counted_together),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
