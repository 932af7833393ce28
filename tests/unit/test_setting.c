/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/setting.h"

static void reads(const char *word, const char *key, const char *value, char sign) {
        _cleanup_free_ char *copy = xstrdup(word);
        struct setting s;

        assert_int_equal(setting_parse(copy, &s), 0);
        assert_string_equal(s.key, key);
        assert_string_equal(s.value, value);
        assert_int_equal(s.sign, sign);
}

static void words_are_taken_apart(void **state) {
        reads("NodeName=n[1-2]", "NodeName", "n[1-2]", 0);
        reads("reason=a=b c", "reason", "a=b c", 0);
        reads("reason=\"a b\"", "reason", "a b", 0);
        reads("comment='x'", "comment", "x", 0);
        reads("comment=", "comment", "", 0);
        reads("comment=\"", "comment", "\"", 0);
        reads("nodes+=n3", "nodes", "n3", '+');
        reads("SuspendExcNodes-=n3", "SuspendExcNodes", "n3", '-');
}

static void what_is_no_setting_is_refused(void **state) {
        static const char *const bad[] = { "", "bogus", "=x", "+=x" };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_free_ char *copy = xstrdup(bad[i]);
                struct setting s;

                assert_int_equal(setting_parse(copy, &s), -EINVAL);
        }
}

static void keys_match_in_any_case_and_shortened(void **state) {
        struct setting s = { .key = "nodena" };

        assert_true(setting_is(&s, "NodeName", 3));
        assert_false(setting_is(&s, "NodeAddr", 5));
        assert_false(setting_is(&s, "NodeName", 7));
        s.key = "NODENAMES";
        assert_false(setting_is(&s, "NodeName", 3));
}

static void node_states_may_be_shortened(void **state) {
        assert_string_equal(node_state_word("resume"), "RESUME");
        assert_string_equal(node_state_word("res"), "RESUME");
        assert_string_equal(node_state_word("Power_Down"), "POWER_DOWN");
        assert_string_equal(node_state_word("power_down_a"), "POWER_DOWN_ASAP");
        assert_string_equal(node_state_word("POWER_DOWN_FORCE"), "POWER_DOWN_FORCE");
        assert_string_equal(node_state_word("power_u"), "POWER_UP");
        assert_string_equal(node_state_word("noresp"), "NORESP");
        assert_null(node_state_word("power"));
        assert_null(node_state_word("dr"));
        assert_null(node_state_word("drained"));
        assert_null(node_state_word(""));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(words_are_taken_apart),
                cmocka_unit_test(what_is_no_setting_is_refused),
                cmocka_unit_test(keys_match_in_any_case_and_shortened),
                cmocka_unit_test(node_states_may_be_shortened),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
