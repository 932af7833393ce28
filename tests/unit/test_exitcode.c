/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/exitcode.h"

static void a_signal_is_128_and_its_number(void **state) {
        assert_int_equal(exit_code_of(0), 0);
        assert_int_equal(exit_code_of(3 << 8), 3);
        assert_int_equal(exit_code_of(9), 137);
        assert_int_equal(exit_code_of(11 | 0x80), 139); /* with a core file */
}

static void a_signal_is_worse_than_any_code(void **state) {
        assert_int_equal(exit_worse(0, 1 << 8), 1 << 8);
        assert_int_equal(exit_worse(7 << 8, 2 << 8), 7 << 8);
        assert_int_equal(exit_worse(255 << 8, 1), 1);
        assert_int_equal(exit_worse(15, 9), 15);
}

static void a_status_is_said_in_words(void **state) {
        char buf[EXIT_TEXT_MAX];

        assert_string_equal(exit_text(3 << 8, buf), "Exited with exit code 3");
        assert_string_equal(exit_text(9, buf), "Killed");
        assert_string_equal(exit_text(15, buf), "Terminated");
        assert_string_equal(exit_text(11 | 0x80, buf), "Segmentation fault (core dumped)");
        assert_string_equal(exit_text(125, buf), "Out Of Memory");
        assert_string_equal(exit_text(99, buf), "Signal 99");
}

static void tasks(const char *expected, uint32_t *ranks, size_t n) {
        _cleanup_free_ char *text = exit_tasks_text(ranks, n);

        assert_string_equal(text, expected);
}

static void tasks_are_compressed(void **state) {
        tasks("task 0", (uint32_t[]){ 0 }, 1);
        tasks("tasks 0-1", (uint32_t[]){ 1, 0 }, 2);
        tasks("tasks 0,2", (uint32_t[]){ 0, 2 }, 2);
        tasks("tasks 0-2,4,7-8", (uint32_t[]){ 8, 2, 7, 0, 4, 1 }, 6);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_signal_is_128_and_its_number),
                cmocka_unit_test(a_signal_is_worse_than_any_code),
                cmocka_unit_test(a_status_is_said_in_words),
                cmocka_unit_test(tasks_are_compressed),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
