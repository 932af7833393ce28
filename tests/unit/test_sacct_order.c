/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/accounts/sacct.h"

#define HOUR (3600 * USEC_PER_SEC)
#define T0   (UINT64_C(1700000000) * USEC_PER_SEC)

/* start: 0: it was cancelled before */
static Ended run(uint64_t row, uint32_t id, usec_t submit, usec_t start, usec_t end) {
        Ended e = SLUMBER__ENDED__INIT;

        e.row = row;
        e.job_id = id;
        e.array_task = -1;
        e.time_submit = submit;
        e.time_start = start;
        e.time_end = end;
        return e;
}

/* How many of the accounts' row and the controller's run are listed. */
static size_t listed(Ended row, Ended live) {
        struct sacct s = { 0 };
        Ended *list[] = { &row, &live };
        size_t n = sacct_order(&s, list, ELEMENTSOF(list));

        if (n == 1)
                assert_int_equal(list[0]->time_end, live.time_end);
        return n;
}

static void one_is_listed_once_after_the_clock_was_set(void **state) {
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 + HOUR, T0 + HOUR + 5, T0 + HOUR + 9)),
                        1);
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 - HOUR, T0 - HOUR + 5, T0 - HOUR + 9)),
                        1);
        /* cancelled before they started */
        assert_int_equal(listed(run(1, 7, T0, 0, T0 + 9), run(0, 7, T0 + HOUR, 0, T0 + HOUR + 9)),
                        1);
        assert_int_equal(listed(run(1, 7, T0, 0, T0 + 9), run(0, 7, T0 - HOUR, 0, T0 - HOUR + 9)),
                        1);
}

static void another_job_of_the_same_id_is_listed(void **state) {
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 + HOUR, T0 + HOUR + 5, T0 + HOUR + HOUR)),
                        2);
        assert_int_equal(listed(run(1, 7, T0, 0, T0 + 9),
                                         run(0, 7, T0 + HOUR, T0 + HOUR + 5, T0 + HOUR + 9)),
                        2);
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 + HOUR, 0, T0 + HOUR + 9)),
                        2);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(one_is_listed_once_after_the_clock_was_set),
                cmocka_unit_test(another_job_of_the_same_id_is_listed),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
