/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/programs/outcome_line.h"
#include "lib/printable.h"

static void the_guide_s_lines_are_understood(void **state) {
        static const struct {
                const char *line;
                enum outcome_kind kind;
                usec_t retry_after;
                const char *text;
                enum node_observed seen;
        } cases[] = {
                { "{\"node\":\"n7\",\"ok\":true}", OUTCOME_OK, 0, NULL, 0 },
                { "{\"node\":\"n7\",\"ok\":true,\"power\":\"off\"}", OUTCOME_OK, 0, NULL,
                                OBSERVED_OFF },
                { "{\"node\":\"n7\",\"ok\":true,\"power\":\"unknown\"}", OUTCOME_OK, 0, NULL, 0 },
                { "{\"node\":\"n7\",\"ok\":true,\"power\":1}", OUTCOME_OK, 0, NULL, 0 },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"no-power\",\"power\":\"on\"}",
                                OUTCOME_NO_POWER, 0, NULL, OBSERVED_ON },
                { " {\"ok\" : true, \"node\":\"n7\", \"more\":[1]} \r", OUTCOME_OK, 0, NULL, 0 },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"capacity\",\"retry_after\":60,\"text\":\"no more\"}",
                                OUTCOME_CAPACITY, 60 * USEC_PER_SEC, "no more", 0 },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"no-power\",\"retry_after\":0.5}",
                                OUTCOME_NO_POWER, USEC_PER_SEC / 2, NULL, 0 },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"no-boot\",\"retry_after\":null,\"text\":null}",
                                OUTCOME_NO_BOOT, 0, NULL, 0 },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"bad-config\",\"text\":\"a\\nb\\u001bc\"}",
                                OUTCOME_BAD_CONFIG, 0, "a b c", 0 },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"fatal\",\"retry_after\":1e300}",
                                OUTCOME_FATAL, OUTCOME_PAUSE_MAX, NULL, 0 },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct outcome_line line;
                struct fail fail = { 0 };

                assert_int_equal(outcome_line_parse(cases[i].line, strlen(cases[i].line), &line,
                                                 &fail),
                                0);
                assert_string_equal(line.node, "n7");
                assert_int_equal(line.outcome.kind, cases[i].kind);
                assert_int_equal(line.outcome.retry_after, cases[i].retry_after);
                assert_int_equal(line.outcome.seen, cases[i].seen);
                if (cases[i].text)
                        assert_string_equal(line.outcome.text, cases[i].text);
                else
                        assert_null(line.outcome.text);
        }
}

static void other_lines_are_refused_with_a_reason(void **state) {
        static const struct {
                const char *line, *why;
        } cases[] = {
                { "", "not a JSON object" },
                { "ok", "not a JSON object" },
                { "[]", "not a JSON object" },
                { "{\"node\":\"n7\",\"ok\":true", "not a JSON object" },
                { "{\"node\":\"n7\",\"ok\":true}x", "not a JSON object" },
                { "{'node':'n7','ok':true}", "not a JSON object" },
                { "{\"a\":[[[[1]]]]}", "not a JSON object" },
                { "{\"node\":\"\xff\",\"ok\":true}", "not a JSON object" },
                { "{\"ok\":true}", "\"node\" is not a name" },
                { "{\"node\":\"n 7\",\"ok\":true}", "\"node\" is not a name" },
                { "{\"node\":\"n7\\u0000\",\"ok\":true}", "\"node\" is not a name" },
                { "{\"node\":\"n7\",\"ok\":1}", "\"ok\" is neither true nor false" },
                { "{\"node\":\"n7\",\"ok\":false}",
                                "\"error\" is none of capacity, no-power, no-boot, bad-config, fatal, common" },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"ok\"}",
                                "\"error\" is none of capacity, no-power, no-boot, bad-config, fatal, common" },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"fatal\",\"retry_after\":-1}",
                                "\"retry_after\" is not a number of seconds" },
                { "{\"node\":\"n7\",\"ok\":false,\"error\":\"fatal\",\"retry_after\":\"60\"}",
                                "\"retry_after\" is not a number of seconds" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct outcome_line line;
                struct fail fail = { 0 };

                assert_int_equal(outcome_line_parse(cases[i].line, strlen(cases[i].line), &line,
                                                 &fail),
                                -EINVAL);
                assert_string_equal(fail.text, cases[i].why);
        }
}

struct heard {
        char text[256];
};

static void on_line(const struct outcome_line *line, void *user) {
        strcat(((struct heard *)user)->text, line->node);
        strcat(((struct heard *)user)->text, " ");
}

static void on_mistake(const struct fail *fail, void *user) {
        strcat(((struct heard *)user)->text, "? ");
}

static void lines_come_in_pieces_of_any_size(void **state) {
        static char text[3 * OUTCOME_LINE_MAX];
        int n = snprintf(text, sizeof text,
                        "{\"node\":\"a\",\"ok\":true}\n\nx\n%*s\n{\"node\":\"b\",\"ok\":true}\n"
                        "{\"node\":\"c\",\"ok\":true}",
                        OUTCOME_LINE_MAX, "long");

        (void)state;
        for (size_t piece = 1; piece < (size_t)n; piece = piece * 3 + 1) {
                struct heard heard = { "" };
                struct outcome_feed f = {
                        .on_line = on_line,
                        .on_mistake = on_mistake,
                        .user = &heard,
                };
                for (size_t at = 0; at < (size_t)n; at += piece)
                        outcome_feed(&f, text + at, MIN(piece, (size_t)n - at));
                outcome_feed_end(&f);
                assert_string_equal(heard.text, "a ? ? b c ");
        }
}

static void a_long_sentence_is_cut_between_characters(void **state) {
        char text[1200] = "{\"node\":\"a\",\"ok\":false,\"error\":\"fatal\",\"text\":\"x";
        struct outcome_line line;

        (void)state;
        for (int i = 0; i < 300; i++)
                strcat(text, "\xc3\xa4");
        strcat(text, "\"}");
        assert_int_equal(outcome_line_parse(text, strlen(text), &line, NULL), 0);
        assert_int_equal(strlen(line.text), OUTCOME_TEXT_MAX - 1);
}

static void what_a_terminal_would_obey_is_shown(void **state) {
        static const char text[] =
                        "{\"node\":\"n1\",\"ok\":false,\"error\":\"fatal\",\"text\":\"a\xc2\x9b"
                        "31m\xe2\x80\xae\"}";
        struct outcome_line line;

        (void)state;
        assert_int_equal(outcome_line_parse(text, strlen(text), &line, NULL), 0);
        assert_false(has_control(line.text));
        assert_string_equal(line.text, "a\\xc2\\x9b31m\\xe2\\x80\\xae");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_guide_s_lines_are_understood),
                cmocka_unit_test(other_lines_are_refused_with_a_reason),
                cmocka_unit_test(lines_come_in_pieces_of_any_size),
                cmocka_unit_test(a_long_sentence_is_cut_between_characters),
                cmocka_unit_test(what_a_terminal_would_obey_is_shown),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
