/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/wordlist.h"

static char *joined(const char *text, const char *separators) {
        char *list = xstrdup("");

        for_each_word(w, text, separators)
                text_add_word(&list, "|", "%s", w);
        return list;
}

static void words_are_read(void **state) {
        static const struct {
                const char *text, *separators, *words;
        } rows[] = {
                { NULL, ",", "" },
                { "", ",", "" },
                { ",", ",", "" },
                { ",,,", ",", "" },
                { "a", ",", "a" },
                { "a,b", ",", "a|b" },
                { ",a,,b,", ",", "a|b" },
                { "a, b\tc", ", \t", "a|b|c" },
                { "a b", ",", "a b" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *words = joined(rows[i].text, rows[i].separators);
                assert_string_equal(words, rows[i].words);
        }
}

/* Returns the first word that is longer than one character, from within the loop. */
static size_t first_long(const char *text, size_t *looked_at) {
        for_each_word(w, text, ",") {
                if (streq(w, "skip"))
                        continue;
                ++*looked_at;
                if (strlen(w) > 1)
                        return strlen(w);
        }
        return 0;
}

static void loops_end_as_others(void **state) {
        size_t n = 0, pairs = 0;

        assert_int_equal(first_long("a,skip,bcd,e,fg", &n), 3);
        assert_int_equal(n, 2);
        assert_int_equal(first_long("a,b", &n), 0);
        for_each_word(outer, "a,b,c", ",") {
                if (streq(outer, "c"))
                        break;
                for_each_word(inner, "1 2", " ")
                        pairs += strlen(outer) + strlen(inner) == 2;
        }
        assert_int_equal(pairs, 4);
}

static void words_are_added_to_lists(void **state) {
        char **texts = NULL;
        size_t n = 0;

        texts_add_words(&texts, &n, NULL, ",");
        assert_int_equal(n, 0);
        texts_add_words(&texts, &n, "a,,b", ",");
        texts_add_words(&texts, &n, "c", ",");
        assert_int_equal(n, 3);
        assert_string_equal(texts[1], "b");
        assert_string_equal(texts[2], "c");
        texts_free(texts, n);
}

static void words_are_found_in_any_case(void **state) {
        assert_true(wordlist_has("Alpha,beta", ",", "BETA"));
        assert_false(wordlist_has("alphabet", ",", "alpha"));
        assert_false(wordlist_has(NULL, ",", "a"));
}

static void words_are_added(void **state) {
        _cleanup_free_ char *text = NULL, *numbers = NULL;

        text_add_word(&text, "; ", "%s", "a");
        text_add_word(&text, "; ", "%s=%d", "b", 1);
        assert_string_equal(text, "a; b=1");
        for (unsigned i = 0; i < 10000; i++)
                text_add_word(&numbers, ",", "%u", i);
        assert_int_equal(strlen(numbers), 10 + 180 + 2700 + 36000 + 9999);
        assert_true(strncmp(numbers, "0,1,2,", 6) == 0);
}

static void flags_are_parsed_and_written(void **state) {
        static const struct flag_word table[] = { { "Red", 1 }, { "GREEN", 2 }, { "blue", 4 },
                { "none", 0 } };
        struct fail fail = { 0 };
        unsigned set = 0;

        assert_int_equal(flags_parse("red,,BLUE", ",", table, 4, &set, &fail), 0);
        assert_int_equal(set, 5);
        _cleanup_free_ char *text = flags_text(set, table, 4, ","),
                            *empty = flags_text(0, table, 4, ",");
        assert_string_equal(text, "Red,blue");
        assert_string_equal(empty, "");
        assert_int_equal(flags_parse(NULL, ",", table, 4, &set, &fail), 0);
        assert_int_equal(flags_parse("none,pink", ",", table, 4, &set, &fail), -EINVAL);
        assert_string_equal(fail.text, "\"pink\" is not one of Red, GREEN, blue and none");
        assert_int_equal(set, 5);
        assert_int_equal(flags_parse("x", ",", table, 1, &set, &fail), -EINVAL);
        assert_string_equal(fail.text, "\"x\" is not one of Red");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(words_are_read),
                cmocka_unit_test(loops_end_as_others),
                cmocka_unit_test(words_are_added_to_lists),
                cmocka_unit_test(words_are_found_in_any_case),
                cmocka_unit_test(words_are_added),
                cmocka_unit_test(flags_are_parsed_and_written),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
