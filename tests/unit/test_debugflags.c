/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/config/debugflags.h"

static void flags_are_read_in_any_case(void **state) {
        _cleanup_free_ char *unused = NULL, *text = NULL;
        unsigned flags = 0;

        assert_int_equal(debug_flags_parse("power", &flags, &unused, NULL), 0);
        assert_int_equal(flags, DEBUG_POWER);
        assert_null(unused);
        text = debug_flags_text(flags);
        assert_string_equal(text, "Power");
        _cleanup_free_ char *both = debug_flags_text(DEBUG_POWER | DEBUG_GANG);
        assert_string_equal(both, "Gang,Power");
        assert_null(debug_flags_text(0));
}

static void flags_of_slurm_alone_are_named(void **state) {
        _cleanup_free_ char *unused = NULL;
        unsigned flags = 0;

        assert_int_equal(debug_flags_parse("Backfill,POWER,cpu_bind", &flags, &unused, NULL), 0);
        assert_int_equal(flags, DEBUG_POWER);
        assert_string_equal(unused, "Backfill,CPU_Bind");
}

static void misspelt_flags_are_refused_by_name(void **state) {
        struct fail fail = { 0 };
        char *unused = NULL;
        unsigned flags = 7;

        assert_int_equal(debug_flags_parse("Power,Powr", &flags, &unused, &fail), -EINVAL);
        assert_string_equal(fail.text, "there is no debug flag \"Powr\"");
        assert_int_equal(flags, 7);
        assert_null(unused);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(flags_are_read_in_any_case),
                cmocka_unit_test(flags_of_slurm_alone_are_named),
                cmocka_unit_test(misspelt_flags_are_refused_by_name),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
