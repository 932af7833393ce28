/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/cluster.h"
#include "controller/reservations/reservation.h"
#include "tests/unit/test.h"

#include <time.h>

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

static usec_t local(int year, int month, int day, int hour, int minute) {
        struct tm tm = {
                .tm_year = year - 1900,
                .tm_mon = month - 1,
                .tm_mday = day,
                .tm_hour = hour,
                .tm_min = minute,
                .tm_isdst = -1,
        };

        return (usec_t)mktime(&tm) * USEC_PER_SEC;
}

/* On 2027-03-28 clocks in Berlin go from 2:00 to 3:00, on 2027-10-31 from 3:00 back to 2:00. */
static void turns_keep_their_time_of_day_over_changes_of_the_clock(void **state) {
        const usec_t half_an_hour = 1800 * USEC_PER_SEC;
        struct resv r = { .flags = RESV_DAILY };
        struct resv_turn turn;

        (void)state;
        setenv("TZ", "Europe/Berlin", 1);
        tzset();
        r.start = local(2027, 3, 27, 2, 30);
        r.end = r.start + half_an_hour;
        assert_true(resv_turn_at(&r, local(2027, 3, 28, 0, 0), &turn));
        assert_int_equal(turn.start, local(2027, 3, 28, 3, 30)); /* there is no 2:30 */
        assert_int_equal(turn.late, 2 * half_an_hour);
        assert_true(resv_next_turn(&r, &turn));
        assert_int_equal(turn.start, local(2027, 3, 29, 2, 30));
        assert_int_equal(turn.end, turn.start + half_an_hour);
        assert_int_equal(turn.late, 0);
        /* it is that turn now, also for the next controller */
        r.start = local(2027, 3, 28, 3, 30);
        r.end = r.start + half_an_hour;
        r.late = 2 * half_an_hour;
        assert_true(resv_turn_at(&r, local(2027, 3, 30, 0, 0), &turn));
        assert_int_equal(turn.start, local(2027, 3, 30, 2, 30));
        assert_true(resv_turn_at(&r, local(2027, 11, 1, 0, 0), &turn));
        assert_int_equal(turn.start, local(2027, 11, 1, 2, 30));

        struct resv once = { .start = local(2027, 3, 31, 2, 0), .end = local(2027, 3, 31, 3, 0) };
        assert_true(resv_overlap(&r, &once));
        assert_true(resv_overlap(&once, &r));
        once.start = local(2027, 3, 31, 3, 0);
        once.end = local(2027, 3, 31, 5, 0);
        assert_false(resv_overlap(&r, &once));

        r.flags = RESV_WEEKLY;
        r.start = local(2027, 3, 21, 2, 30);
        r.end = r.start + half_an_hour;
        r.late = 0;
        assert_true(resv_turn_at(&r, local(2027, 4, 1, 0, 0), &turn));
        assert_int_equal(turn.start, local(2027, 4, 4, 2, 30));
        unsetenv("TZ");
        tzset();
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(users_are_all_but_those_left_out),
                cmocka_unit_test(a_user_may_be_a_number),
                cmocka_unit_test(user_and_account_must_both_fit),
                cmocka_unit_test(any_group_will_do_unless_one_is_left_out),
                cmocka_unit_test(turns_overlap_although_the_first_do_not),
                cmocka_unit_test(turns_keep_their_time_of_day_over_changes_of_the_clock),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
