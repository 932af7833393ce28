/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/sorted.h"

static void numbers_are_kept_once_and_found(void **state) {
        uint32_t list[] = { 7, 3, UINT32_MAX, 7, 0, 3 };
        size_t n = ELEMENTSOF(list);

        (void)state;
        sort_numbers(list, &n);
        assert_int_equal(n, 4);
        assert_true(sorted_has_number(list, n, 0) && sorted_has_number(list, n, 3) &&
                        sorted_has_number(list, n, 7) && sorted_has_number(list, n, UINT32_MAX));
        assert_false(sorted_has_number(list, n, 1) || sorted_has_number(list, n, 8));
}

static void names_are_found_as_they_are_written_or_in_any_case(void **state) {
        char *exact[] = { (char *)"b", (char *)"A", (char *)"a", (char *)"b" }, *any[] = {
                (char *)"b",
                (char *)"C",
                (char *)"A",
        };

        (void)state;
        sort_names(exact, ELEMENTSOF(exact), EXACT_CASE);
        assert_true(sorted_has_name(exact, ELEMENTSOF(exact), "a", EXACT_CASE) &&
                        sorted_has_name(exact, ELEMENTSOF(exact), "b", EXACT_CASE));
        assert_false(sorted_has_name(exact, ELEMENTSOF(exact), "B", EXACT_CASE) ||
                        sorted_has_name(exact, ELEMENTSOF(exact), "", EXACT_CASE));
        sort_names(any, ELEMENTSOF(any), ANY_CASE);
        assert_true(sorted_has_name(any, ELEMENTSOF(any), "a", ANY_CASE) &&
                        sorted_has_name(any, ELEMENTSOF(any), "B", ANY_CASE) &&
                        sorted_has_name(any, ELEMENTSOF(any), "c", ANY_CASE));
        assert_false(sorted_has_name(any, ELEMENTSOF(any), "d", ANY_CASE));
}

static void nothing_is_in_no_list(void **state) {
        size_t n = 0;

        (void)state;
        sort_numbers(NULL, &n);
        sort_names(NULL, 0, EXACT_CASE);
        assert_false(sorted_has_number(NULL, 0, 1) || sorted_has_name(NULL, 0, "x", EXACT_CASE));
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(numbers_are_kept_once_and_found),
                cmocka_unit_test(names_are_found_as_they_are_written_or_in_any_case),
                cmocka_unit_test(nothing_is_in_no_list),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
