/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/feature.h"
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

static bool has_alternative(const struct features *f, size_t i, const char *names) {
        struct node n = { .features = (char *)(uintptr_t)names };

        return features_has_alternative(f, i, &n, FEATURES_NOW);
}

static void brackets_are_alternatives_for_all_nodes_alike(void **state) {
        _cleanup_(features_freep) struct features *f = NULL;
        struct fail fail = { 0 };

        assert_int_equal(features_parse("x&[a|b&c|(d|e)]", &f, &fail), 0);
        assert_int_equal(features_alternatives(f), 3);
        assert_int_equal(features_counts(f), 0);
        assert_true(has_alternative(f, 1, "b,c"));
        assert_false(has_alternative(f, 1, "a,b"));
        assert_true(has_alternative(f, 2, "e"));
        assert_true(matches("x&[a|b]", "x,b"));
        assert_false(matches("x&[a|b]", "a"));
        assert_false(matches("x&[a|b]", "x"));
        assert_true(matches("[a]", "a"));
}

static void counts_are_kept_apart_from_what_each_node_must_have(void **state) {
        struct node n = { .features = (char *)(uintptr_t) "b,c" };
        _cleanup_(features_freep) struct features *f = NULL;
        struct fail fail = { 0 };

        assert_int_equal(features_parse("a*2&x,(b&c)*3", &f, &fail), 0);
        assert_int_equal(features_counts(f), 2);
        assert_int_equal(features_nodes(f), 5);
        assert_int_equal(features_count(f, 1), 3);
        assert_true(features_is_counted(f, 1, &n, FEATURES_NOW));
        assert_false(features_is_counted(f, 0, &n, FEATURES_NOW));
        assert_true(matches("a*2&x", "x")); /* it may be one of the others */
        assert_false(matches("a*2&x", "a"));
        assert_true(matches("[(a|b)*1&c*2]", NULL));
        assert_int_equal(features_nodes(NULL), 0);
}

static void a_changeable_feature_in_brackets_is_found(void **state) {
        struct node n = {
                .features = (char *)(uintptr_t) "a,b",
                .changeable = (char *)(uintptr_t) "b",
        };
        static const struct {
                const char *text;
                bool found;
        } cases[] = {
                { "b", false },
                { "[a|b]", true },
                { "[a|c]", false },
                { "b*2", true },
                { "a*2&b", false },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(features_freep) struct features *f = NULL;
                struct fail fail = { 0 };
                assert_int_equal(features_parse(cases[i].text, &f, &fail), 0);
                assert_int_equal(features_may_change(f, &n), cases[i].found);
        }
}

static void nothing_asked_matches_all(void **state) {
        struct node n = { 0 };

        assert_true(features_match(NULL, &n, FEATURES_NOW));
}

static void what_is_malformed_is_refused(void **state) {
        static const struct {
                const char *text;
                int r;
        } bad[] = {
                { "", -EINVAL },
                { "a&", -EINVAL },
                { "&a", -EINVAL },
                { "(a", -EINVAL },
                { "a)", -EINVAL },
                { "a b|", -EINVAL },
                { "[a|b", -EINVAL },
                { "[a&b]", -EINVAL },
                { "[a*2&b]", -EINVAL },
                { "[a|b]&[c|d]", -EINVAL },
                { "[a|b]&c*2", -EINVAL },
                { "c*2&[a|b]", -EINVAL },
                { "[a|b]|c", -EINVAL },
                { "a*2|b", -EINVAL },
                { "([a|b])", -EINVAL },
                { "(a*2)", -EINVAL },
                { "a*", -EINVAL },
                { "a*0", -EINVAL },
                { "a*99999999999", -EINVAL },
                { "[]", -EINVAL },
                { "*2", -EINVAL },
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
                cmocka_unit_test(brackets_are_alternatives_for_all_nodes_alike),
                cmocka_unit_test(counts_are_kept_apart_from_what_each_node_must_have),
                cmocka_unit_test(a_changeable_feature_in_brackets_is_found),
                cmocka_unit_test(what_is_malformed_is_refused),
                cmocka_unit_test(neither_many_names_nor_deep_parentheses_hurt),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
