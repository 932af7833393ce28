/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/feature.h"
#include "tests/unit/test.h"

static bool matches(const char *expression, const char *names) {
        _cleanup_(features_freep) struct features *f = NULL;
        struct node n = { .features = (char *)(uintptr_t)names };
        struct fail fail = { 0 };

        assert_int_equal(features_parse(expression, &f, &fail), 0);
        return features_match(f, &n, FEATURES_NOW);
}

static void and_binds_closer_than_or(void **state) {
        assert_true(matches("a|b&c", "a"));
        assert_false(matches("a|b&c", "b"));
        assert_true(matches("a|b&c", "c,b"));
        assert_false(matches("(a|b)&c", "a"));
        assert_true(matches("(a|b)&c", "a,c"));
        assert_true(matches("a,c", "a,c"));
        assert_false(matches("a,c", "a"));
}

static void a_name_is_matched_as_a_whole(void **state) {
        assert_false(matches("fast", "faster"));
        assert_false(matches("faster", "fast"));
        assert_false(matches("a", NULL));
        assert_true(matches("b", "a,b"));
}

static void nothing_asked_matches_all(void **state) {
        struct node n = { 0 };

        assert_true(features_match(NULL, &n, FEATURES_NOW));
}

static void what_is_not_built_or_malformed_is_refused(void **state) {
        static const struct {
                const char *text;
                int r;
        } bad[] = {
                {"",       -EINVAL    },
                { "a&",    -EINVAL    },
                { "&a",    -EINVAL    },
                { "(a",    -EINVAL    },
                { "a)",    -EINVAL    },
                { "a b|",  -EINVAL    },
                { "[a|b]", -EOPNOTSUPP},
                { "a*2",   -EOPNOTSUPP}
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct features *f = NULL;
                struct fail fail = { 0 };
                assert_int_equal(features_parse(bad[i].text, &f, &fail), bad[i].r);
                assert_null(f);
                assert_true(*fail.text);
        }
}

static void neither_many_names_nor_deep_parentheses_hurt(void **state) {
        char text[4096] = "a";
        struct features *f = NULL;

        for (int i = 0; i < 1000; i++)
                strcat(text, "|a");
        assert_int_equal(features_parse(text, &f, NULL), -E2BIG);
        memset(text, '(', 2000);
        assert_int_equal(features_parse(text, &f, NULL), -E2BIG);
        assert_null(f);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(and_binds_closer_than_or),
                cmocka_unit_test(a_name_is_matched_as_a_whole),
                cmocka_unit_test(nothing_asked_matches_all),
                cmocka_unit_test(what_is_not_built_or_malformed_is_refused),
                cmocka_unit_test(neither_many_names_nor_deep_parentheses_hurt),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
