/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/dependency.h"
#include "tests/unit/test.h"

static void texts_become_lists_and_texts_again(void **state) {
        static const struct {
                const char *text, *shown;
                bool stored;
        } rows[] = {
                { "afterok:1", "afterok:1(unfulfilled)", false },
                { "12", "afterany:12(unfulfilled)", false },
                { "12:13", "afterany:12(unfulfilled),afterany:13(unfulfilled)", false },
                { "afterany:1:2", "afterany:1(unfulfilled),afterany:2(unfulfilled)", false },
                { "afterok:1,afternotok:2", "afterok:1(unfulfilled),afternotok:2(unfulfilled)", false },
                { "afterok:1?singleton,after:2", "afterok:1(unfulfilled)?singleton(unfulfilled)?after:2(unfulfilled)", false },
                { "AfterCorr:1,afterburstbuffer:2", "aftercorr:1(unfulfilled),afterburstbuffer:2(unfulfilled)", false },
                { "after:1+5:2", "after:1+5(unfulfilled),after:2(unfulfilled)", false },
                { "afterok:7_2:8_*", "afterok:7_2(unfulfilled),afterok:8_*(unfulfilled)", false },
                { "afterok:1,afterok:1", "afterok:1(unfulfilled)", false },
                { "afterok:1(failed)?afterany:2(unfulfilled)", "afterok:1(failed)?afterany:2(unfulfilled)", true },
                { "after:3+60(unfulfilled),singleton(unfulfilled)", "after:3+60(unfulfilled),singleton(unfulfilled)", true },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(dependencies_freep) struct dependencies *d = NULL;
                assert_int_equal(dependencies_parse(rows[i].text, rows[i].stored, &d, NULL), 0);
                _cleanup_free_ char *shown = dependencies_text(d);
                assert_string_equal(shown, rows[i].shown);
        }
}

static void what_cannot_be_is_refused_by_name(void **state) {
        static const struct {
                const char *text, *told;
                int r;
        } bad[] = {
                { "afterok", "afterok needs a job id", -EINVAL },
                { "afterok:", "\"\" is no job id", -EINVAL },
                { "afterok:x", "\"x\" is no job id", -EINVAL },
                { "afterok:1:", "\"\" is no job id", -EINVAL },
                { "afterok:0", "\"0\" is no job id", -EINVAL },
                { "afterok:4294967296", "\"4294967296\" is no job id", -EINVAL },
                { "foo:1", "\"foo\" is none of after", -EINVAL },
                { "expand:1", "\"expand\" is none of after", -EINVAL },
                { ",", "\"\" is none of after", -EINVAL },
                { "afterok:1,", "\"\" is none of after", -EINVAL },
                { "singleton:1", "\":1\" is unexpected", -EINVAL },
                { "afterok:1 afterok:2", "\" afterok:2\" is unexpected", -EINVAL },
                { "after:1+x", "\"x\" is no number of minutes", -EINVAL },
                { "afterok:1+5", "goes with after only, not with afterok", -EINVAL },
                { "afterok:1(failed)", "\"(failed)\" is unexpected", -EINVAL },
                { "afterok:7_", "\"\" is no task of an array", -EINVAL },
                { "afterok:7_x", "\"x\" is no task of an array", -EINVAL },
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct dependencies *d = NULL;
                struct fail fail = { 0 };
                assert_int_equal(dependencies_parse(bad[i].text, false, &d, &fail), bad[i].r);
                assert_null(d);
                if (!strstr(fail.text, bad[i].told))
                        fail_msg("%s: %s", bad[i].text, fail.text);
        }
}

static void nothing_is_nothing(void **state) {
        struct dependencies *d = NULL;

        assert_int_equal(dependencies_parse("", false, &d, NULL), 0);
        assert_null(d);
        assert_int_equal(dependencies_parse(NULL, true, &d, NULL), 0);
        assert_null(d);
}

static void one_failure_is_final_unless_another_will_do(void **state) {
        static const struct {
                const char *text;
                bool never;
        } rows[] = {
                { "afterok:1(failed),afterok:2(unfulfilled)", true },
                { "afterok:1(failed)?afterok:2(unfulfilled)", false },
                { "afterok:1(failed)?afterok:2(failed)", true },
                { "afterok:1(unfulfilled)", false },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(dependencies_freep) struct dependencies *d = NULL;
                assert_int_equal(dependencies_parse(rows[i].text, true, &d, NULL), 0);
                assert_int_equal(dependencies_never(d), rows[i].never);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(texts_become_lists_and_texts_again),
                cmocka_unit_test(what_cannot_be_is_refused_by_name),
                cmocka_unit_test(nothing_is_nothing),
                cmocka_unit_test(one_failure_is_final_unless_another_will_do),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
