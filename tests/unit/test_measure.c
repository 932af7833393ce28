/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step/measure.h"
#include "tests/unit/test.h"

static void is(const struct measures *m, enum measure_part part, const char *want) {
        _cleanup_free_ char *text = measures_text(m, part);

        assert_string_equal(text, want);
}

static void the_task_with_most_and_least_is_told(void **state) {
        _cleanup_(measures_done) struct measures all = { 0 }, one = { 0 }, two = { 0 };

        is(&all, MOST, "");
        measures_add(&one, MEASURE_CPU, 30, 0);
        measures_add(&one, MEASURE_CPU, 20, 1);
        measures_add(&two, MEASURE_CPU, 50, 2);
        measures_add(&two, MEASURE_CPU, 20, 3);
        measures_add(&two, MEASURE_PAGES, 0, 3);
        measures_merge(&all, &one, "n1");
        is(&all, MOST_NODE, "cpu=n1");
        measures_merge(&all, &two, "n2");
        is(&all, MOST, "cpu=50,pages=0");
        is(&all, MOST_NODE, "cpu=n2,pages=n2");
        is(&all, MOST_TASK, "cpu=2,pages=3");
        is(&all, LEAST, "cpu=20,pages=0");
        is(&all, LEAST_NODE, "cpu=n1,pages=n2");
        is(&all, LEAST_TASK, "cpu=1,pages=3"); /* of equals the first that told */
        is(&all, SUM, "cpu=120,pages=0");
}

static void a_value_is_found_by_its_name(void **state) {
        assert_string_equal(measure_find("cpu=1,mem=2,pages=3", MEASURE_PAGES), "3");
        assert_string_equal(measure_find("cpu=1,mem=2,pages=3", MEASURE_RSS), "2,pages=3");
        assert_null(measure_find("cpu=1,mem=2", MEASURE_READ));
        assert_null(measure_find("", MEASURE_CPU));
        assert_null(measure_find("vcpu=1,memory=2", MEASURE_CPU));
        assert_null(measure_find("vcpu=1,memory=2", MEASURE_RSS));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_task_with_most_and_least_is_told),
                cmocka_unit_test(a_value_is_found_by_its_name),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
