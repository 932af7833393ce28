/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/step/multiprog.h"

static const char file[] = "# tasks and programs\n"
                           "0 ./server --port 7 'two words' \"and $three\"\n"
                           "\n"
                           "1-3,5 worker %t of %o 100%% \\\n"
                           "   more\\ so # no more\n"
                           "*  echo rest %t:%o\n";

static void is(uint32_t rank, const char *expected) {
        struct fail fail = { 0 };
        char **words, text[200] = "";

        assert_int_equal(multiprog_arguments(file, rank, &words, &fail), 0);
        for (size_t i = 0; words[i]; i++) {
                strcat(text, i ? "|" : "");
                strcat(text, words[i]);
        }
        assert_string_equal(text, expected);
        multiprog_free(words);
}

static void each_task_has_its_line(void **state) {
        is(0, "./server|--port|7|two words|and $three");
        is(1, "worker|1|of|0|100%|more so");
        is(3, "worker|3|of|2|100%|more so");
        is(5, "worker|5|of|3|100%|more so");
        is(4, "echo|rest|4:4");
        is(900, "echo|rest|900:900");
}

static void what_is_wrong_is_named(void **state) {
        static const char *const rows[][2] = {
                { "0 a\n1-x b\n", "line 2: \"1-x\" is not a list of tasks (0-3,7 or *)" },
                { "3-1 a\n", "line 1: \"3-1\" is not a list of tasks (0-3,7 or *)" },
                { "0 'a\n", "line 1: ' is not closed" },
                { "\n0\n", "line 2: there is no program behind \"0\"" },
                { "0 a\n", "no line is for task 1" },
                { "", "no line is for task 0" },
                { "99999999999999999999 a",
                                "line 1: \"99999999999999999999\" is not a list of tasks (0-3,7 or *)" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct fail fail = { 0 };
                assert_true(multiprog_check(rows[i][0], 2, &fail) < 0);
                assert_string_equal(fail.text, rows[i][1]);
        }
}

static void all_tasks_of_a_step_need_a_line(void **state) {
        assert_int_equal(multiprog_check(file, 1000, NULL), 0);
        assert_int_equal(multiprog_check("0-1 a\n", 0, NULL), 0);
        assert_int_equal(multiprog_check("0-1 a", 2, NULL), 0);
        assert_true(multiprog_check("0-1 a\n", 3, NULL) < 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_task_has_its_line),
                cmocka_unit_test(what_is_wrong_is_named),
                cmocka_unit_test(all_tasks_of_a_step_need_a_line),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
