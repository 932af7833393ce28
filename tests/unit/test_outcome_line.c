/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/programs/outcome_line.h"
#include "lib/printable.h"

struct heard {
        char text[256], why[256]; /* names, "? " for a mistake */
        struct outcome last;      /* its text is the one below, or NULL */
        char said[2 * OUTCOME_TEXT_MAX];
};

static void on_line(const char *node, const struct outcome *outcome, void *user) {
        struct heard *h = user;

        strcat(strcat(h->text, node), " ");
        h->last = *outcome;
        snprintf(h->said, sizeof h->said, "%s", strempty(outcome->text));
        h->last.text = outcome->text ? h->said : NULL;
}

static void on_mistake(const struct fail *fail, void *user) {
        struct heard *h = user;

        strcat(h->text, "? ");
        snprintf(h->why, sizeof h->why, "%.255s", fail->text);
}

/* One line, without its newline. */
static void hear(struct heard *h, const char *line) {
        struct outcome_feed *f = outcome_feed_new(on_line, on_mistake, h);

        outcome_feed_add(f, line, strlen(line));
        outcome_feed_end(f);
        outcome_feed_free(f);
}

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
                struct heard heard = { 0 };

                hear(&heard, cases[i].line);
                assert_string_equal(heard.text, "n7 ");
                assert_int_equal(heard.last.kind, cases[i].kind);
                assert_int_equal(heard.last.retry_after, cases[i].retry_after);
                assert_int_equal(heard.last.seen, cases[i].seen);
                if (cases[i].text)
                        assert_string_equal(heard.last.text, cases[i].text);
                else
                        assert_null(heard.last.text);
        }
}

static void other_lines_are_refused_with_a_reason(void **state) {
        static const struct {
                const char *line, *why;
        } cases[] = {
                { " ", "not a JSON object" },
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
                struct heard heard = { 0 };

                hear(&heard, cases[i].line);
                assert_string_equal(heard.text, "? ");
                assert_string_equal(heard.why, cases[i].why);
        }
}

static void lines_come_in_pieces_of_any_size(void **state) {
        static char text[3 * OUTCOME_LINE_MAX];
        int n = snprintf(text, sizeof text,
                        "{\"node\":\"a\",\"ok\":true}\n\nx\n%*s\n{\"node\":\"b\",\"ok\":true}\n"
                        "{\"node\":\"c\",\"ok\":true}",
                        OUTCOME_LINE_MAX, "long");

        (void)state;
        for (size_t piece = 1; piece < (size_t)n; piece = piece * 3 + 1) {
                struct heard heard = { 0 };
                struct outcome_feed *f = outcome_feed_new(on_line, on_mistake, &heard);
                for (size_t at = 0; at < (size_t)n; at += piece)
                        outcome_feed_add(f, text + at, MIN(piece, (size_t)n - at));
                outcome_feed_end(f);
                outcome_feed_free(f);
                assert_string_equal(heard.text, "a ? ? b c ");
        }
}

static void a_long_sentence_is_cut_between_characters(void **state) {
        char text[1200] = "{\"node\":\"a\",\"ok\":false,\"error\":\"fatal\",\"text\":\"x";
        struct heard heard = { 0 };

        (void)state;
        for (int i = 0; i < 300; i++)
                strcat(text, "\xc3\xa4");
        strcat(text, "\"}");
        hear(&heard, text);
        assert_int_equal(strlen(heard.last.text), OUTCOME_TEXT_MAX - 1);
}

static void what_a_terminal_would_obey_is_shown(void **state) {
        static const char text[] =
                        "{\"node\":\"n1\",\"ok\":false,\"error\":\"fatal\",\"text\":\"a\xc2\x9b"
                        "31m\xe2\x80\xae\"}";
        struct heard heard = { 0 };

        (void)state;
        hear(&heard, text);
        assert_false(has_control(heard.last.text));
        assert_string_equal(heard.last.text, "a\\xc2\\x9b31m\\xe2\\x80\\xae");
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
