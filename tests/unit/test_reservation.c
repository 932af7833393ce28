/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/cluster.h"
#include "controller/reservations/reservation.h"
#include "tests/unit/test.h"

static void users_are_all_but_those_left_out(void **state) {
        char all_but[] = "-bob,-eve", some[] = "ann,bob", mixed[] = "ann,-bob";
        const struct submitter ann = { .uid = 1, .user = "ann" }, bob = { .uid = 2, .user = "bob" };
        struct resv r = { .users = all_but };

        (void)state;
        assert_true(resv_admits(&r, &ann, NULL, NULL));
        assert_false(resv_admits(&r, &bob, NULL, NULL));
        r.users = some;
        assert_true(resv_admits(&r, &bob, NULL, NULL));
        assert_false(resv_admits(&r, &(struct submitter){ .uid = 3, .user = "eve" }, NULL, NULL));
        r.users = mixed;
        assert_true(resv_admits(&r, &ann, NULL, NULL));
        assert_false(resv_admits(&r, &bob, NULL, NULL));
}

static void a_user_may_be_a_number(void **state) {
        char users[] = "1000";
        const struct resv r = { .users = users };

        (void)state;
        assert_true(resv_admits(&r, &(struct submitter){ .uid = 1000, .user = "ann" }, NULL, NULL));
        assert_false(resv_admits(&r, &(struct submitter){ .uid = 100, .user = "bob" }, NULL, NULL));
}

static void user_and_account_must_both_fit(void **state) {
        char users[] = "ann", accounts[] = "physics";
        const struct submitter ann = { .uid = 1, .user = "ann" };
        const struct resv r = { .users = users, .accounts = accounts };

        (void)state;
        assert_true(resv_admits(&r, &ann, "physics", NULL));
        assert_false(resv_admits(&r, &ann, "chemistry", NULL));
        assert_false(resv_admits(&r, &ann, NULL, NULL));
        assert_false(resv_admits(&r, &(struct submitter){ .uid = 2, .user = "bob" }, "physics",
                        NULL));
}

static void any_group_will_do_unless_one_is_left_out(void **state) {
        char groups[] = "wheel,-guests", *mine[] = { (char[]){ "users" }, (char[]){ "wheel" } },
             *bad[] = {
                     (char[]){ "wheel" },
                     (char[]){ "guests" },
             };
        const struct resv r = { .groups = groups };
        struct submitter submitter = {
                .uid = 1,
                .user = "ann",
                .group = "ann",
                .groups = mine,
                .n_groups = 2,
        };

        (void)state;
        assert_true(resv_admits(&r, &submitter, NULL, NULL));
        submitter.groups = bad;
        assert_false(resv_admits(&r, &submitter, NULL, NULL));
}

static void turns_overlap_although_the_first_do_not(void **state) {
        const usec_t hour = 3600 * USEC_PER_SEC, t = 1000 * 24 * hour;
        struct resv a = { .start = t, .end = t + hour, .flags = RESV_DAILY };
        struct resv b = { .start = t + 5 * 24 * hour, .end = t + 5 * 24 * hour + hour / 2 };

        (void)state;
        assert_true(resv_overlap(&a, &b));
        assert_true(resv_overlap(&b, &a));
        b.start += 2 * hour;
        b.end += 2 * hour;
        assert_false(resv_overlap(&a, &b));
        a.flags = RESV_HOURLY;
        assert_true(resv_overlap(&a, &b));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(users_are_all_but_those_left_out),
                cmocka_unit_test(a_user_may_be_a_number),
                cmocka_unit_test(user_and_account_must_both_fit),
                cmocka_unit_test(any_group_will_do_unless_one_is_left_out),
                cmocka_unit_test(turns_overlap_although_the_first_do_not),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
