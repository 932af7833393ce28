/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/prompt.h"

/* Its words, with a bar behind each. */
static void is(const char *line, const char *wanted) {
        _cleanup_free_ char *copy = xstrdup(line), **words = NULL;
        char got[256] = "";
        size_t n = prompt_words(copy, &words);

        for (size_t i = 0; i < n; i++)
                snprintf(got + strlen(got), sizeof got - strlen(got), "%s|", words[i]);
        assert_string_equal(got, wanted);
        assert_null(words[n]);
}

static void blanks_separate_words(void **state) {
        is("", "");
        is(" \t\n", "");
        is("ping\n", "ping|");
        is("  show\tjob  7 \n", "show|job|7|");
        is("a b c d e f g h i", "a|b|c|d|e|f|g|h|i|");
}

static void quotes_join_them(void **state) {
        is("update jobid=7 comment=\"two words\" nice=3",
                        "update|jobid=7|comment=two words|nice=3|");
        is("'a b' \"c  d\"e", "a b|c  de|");
        is("x=\"it's\" y='say \"no\"'", "x=it's|y=say \"no\"|");
        is("'' a", "|a|");
}

static void a_quote_that_is_not_closed_goes_to_the_end(void **state) {
        is("reason=\"a b", "reason=a b|");
        is("a '", "a||");
        is("a 'b \n", "a|b \n|");
}

static void what_is_read_to_the_end_is_no_word(void **state) {
        is("a b", "a|b|");
        is("a ", "a|");
        is("\"a\"", "a|");
        is("\"a\" ", "a|");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(blanks_separate_words),
                cmocka_unit_test(quotes_join_them),
                cmocka_unit_test(a_quote_that_is_not_closed_goes_to_the_end),
                cmocka_unit_test(what_is_read_to_the_end_is_no_word),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
