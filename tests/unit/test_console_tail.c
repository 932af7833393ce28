/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/programs/console_tail.h"

static void what_a_console_says_is_made_fit_for_a_reason(void **state) {
        static const struct {
                const char *data;
                size_t size; /* 0: the string's */
                const char *text;
        } cases[] = {
                { "one\ntwo\r\nthree\r\n\r\nfour\r\n", 0, "two | three | four" },
                { "only", 0, "only" },
                { "", 0, NULL },
                { "\r\n \t\r\n", 0, NULL },
                { "\x1b[2J\x1b[1;31mKernel panic\x1b[0m\n", 0, "Kernel panic" },
                { "a\x1b[", 0, "a" },
                { "a\x1b", 0, "a" },
                /* a cut sequence does not eat the next line */
                { "a\x1b[31\nb", 0, "a | b" },
                { "\x9b"
                  "31mC1 \xff\xfe\xc3\xa4 bytes\n",
                                0, "?31mC1 ? bytes" },
                { "nul\0s in\0 it\n\0\0\0", 15, "nul?s in? it" },
                { "\0\0\0\0", 4, NULL },
                { "bell\a\b\b\vx", 0, "bell?x" },
                { "progress 10%\rprogress 20%\rprogress 30%\rdone", 0,
                                "progress 20% | progress 30% | done" },
                { "wide          gap", 0, "wide gap" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                size_t size = cases[i].size ? cases[i].size : strlen(cases[i].data);
                /* Exactly as much memory as there is data, for the sanitizer to watch over. */
                _cleanup_free_ char *data = xmalloc(size ? size : 1), *text = NULL;
                memcpy(data, cases[i].data, size);
                text = console_tail_text(data, size);
                if (!cases[i].text)
                        assert_null(text);
                else {
                        assert_non_null(text);
                        assert_string_equal(text, cases[i].text);
                }
        }
}

static void no_byte_comes_through_that_is_not_printable(void **state) {
        char data[3000];
        uint32_t x = 12345;

        (void)state;
        for (unsigned round = 0; round < 200; round++) {
                for (size_t i = 0; i < sizeof data; i++)
                        data[i] = (char)((x = x * 1664525 + 1013904223) >> 24);
                _cleanup_free_ char *text = console_tail_text(data, sizeof data);
                for (const char *p = text; p && *p; p++)
                        assert_true(*p >= ' ' && *p <= '~');
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_a_console_says_is_made_fit_for_a_reason),
                cmocka_unit_test(no_byte_comes_through_that_is_not_printable),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
