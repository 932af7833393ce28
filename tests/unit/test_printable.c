/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/fail.h"
#include "lib/printable.h"
#include "tests/unit/test.h"

static const char *shown(const char *text) {
        static char buf[200];

        printable_copy(buf, sizeof buf, text);
        return buf;
}

static void letters_of_all_kinds_stay(void **state) {
        assert_string_equal(shown("n1: \"caf\xc3\xa9\" \xe4\xb8\xad \xf0\x9f\x92\xa4"),
                        "n1: \"caf\xc3\xa9\" \xe4\xb8\xad \xf0\x9f\x92\xa4");
        assert_string_equal(shown("one\n\ttwo"), "one\n\ttwo");
        assert_string_equal(shown(""), "");
}

static void what_a_terminal_would_obey_is_shown(void **state) {
        assert_string_equal(shown("\x1b[2Jx\a\r"), "\\x1b[2Jx\\x07\\x0d");
        assert_string_equal(shown("\x7f"), "\\x7f");
        assert_string_equal(shown("\xc2\x9b"
                                  "2J"),
                        "\\xc2\\x9b2J"); /* CSI as one character */
}

static void bytes_that_are_no_characters_are_shown(void **state) {
        assert_string_equal(shown("\x9b\xff"), "\\x9b\\xff");
        assert_string_equal(shown("\xc3"), "\\xc3"); /* cut */
        /* overlong, a surrogate */
        assert_string_equal(shown("\xc0\xaf \xed\xa0\x80"), "\\xc0\\xaf \\xed\\xa0\\x80");
}

static void what_turns_the_direction_of_text_is_shown(void **state) {
        /* override U+202E */
        assert_string_equal(shown("a\xe2\x80\xae"
                                  "cba"),
                        "a\\xe2\\x80\\xae"
                        "cba");
        assert_string_equal(shown("\xe2\x81\xa6x"), "\\xe2\\x81\\xa6x");
        assert_string_equal(shown("\xe2\x80\xa6"), "\xe2\x80\xa6"); /* an ellipsis is none */
}

static void controls_are_found_in_each_of_their_forms(void **state) {
        static const char *const has[] = {
                "\n",
                "a\tb",
                "\x1b[2J",
                "\x7f",
                "a\x9b"
                "2J",
                "\xc2\x9b"
                "2J",
                "\xe2\x80\xaa",
                "\xe2\x80\xae",
                "x\xe2\x81\xa9",
        };
        static const char *const has_not[] = {
                "",
                "plain text",
                "caf\xc3\xa9",
                "caf\xe9",
                "\xe2\x80\xa6",
                "\xd7\xa9",
                "\xe2\x80\x8f",
                "\xf0\x9f\x92\xa4",
        };

        for (size_t i = 0; i < ELEMENTSOF(has); i++)
                assert_true(has_control(has[i]));
        for (size_t i = 0; i < ELEMENTSOF(has_not); i++)
                assert_false(has_control(has_not[i]));
}

static void twice_is_once(void **state) {
        char once[100];

        printable_copy(once, sizeof once, "a\x1b\\b\xff");
        assert_string_equal(shown(once), once);
}

static void what_is_too_long_is_cut_between_characters(void **state) {
        char buf[6];

        printable_copy(buf, sizeof buf, "abc\x1b");
        assert_string_equal(buf, "abc");
        printable_copy(buf, sizeof buf, "abcd\xc3\xa9");
        assert_string_equal(buf, "abcd");
        printable_copy(buf, 1, "a");
        assert_string_equal(buf, "");
}

static void a_failure_s_sentence_is_printable(void **state) {
        struct fail fail = { 0 };

        (void)fail_set(&fail, -EINVAL, "\"%s\" is not a number", "\x1b]0;owned\a");
        (void)fail_prefix(&fail, -EINVAL, "%s line %u",
                        "a\x1b"
                        "b",
                        7);
        assert_string_equal(fail.text, "a\\x1bb line 7: \"\\x1b]0;owned\\x07\" is not a number");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(letters_of_all_kinds_stay),
                cmocka_unit_test(what_a_terminal_would_obey_is_shown),
                cmocka_unit_test(bytes_that_are_no_characters_are_shown),
                cmocka_unit_test(what_turns_the_direction_of_text_is_shown),
                cmocka_unit_test(controls_are_found_in_each_of_their_forms),
                cmocka_unit_test(twice_is_once),
                cmocka_unit_test(what_is_too_long_is_cut_between_characters),
                cmocka_unit_test(a_failure_s_sentence_is_printable),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
