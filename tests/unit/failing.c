/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failing WORD...: a program of cmocka that does wrong, each WORD a test of its own, for
   check-count-tests: check (fails while it holds memory), leak, overflow, undefined. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *volatile held;
static volatile int number;

/* By its name it is found in what LeakSanitizer says, also in a release build. */
__attribute__((noinline)) static void hold(void) {
        for (int i = 0; i < 10; i++) {
                held = malloc(100);
                assert_non_null(held);
        }
        held = NULL;
}

static void check(void **state) {
        (void)state;
        hold();
        assert_string_equal("what came", "what was wanted");
}

static void leak(void **state) {
        (void)state;
        hold();
}

static void overflow(void **state) {
        (void)state;
        number = 100;
        char *bytes = malloc(100);
        assert_non_null(bytes);
        bytes[number] = 1;
        free(bytes);
}

static void undefined(void **state) {
        (void)state;
        number = INT_MAX;
        number = number + 1;
}

static const struct CMUnitTest KINDS[] = {
        cmocka_unit_test(check),
        cmocka_unit_test(leak),
        cmocka_unit_test(overflow),
        cmocka_unit_test(undefined),
};

int main(int argc, char **argv) {
        int failed = 0;
        for (int i = 1; i < argc; i++)
                for (size_t k = 0; k < sizeof(KINDS) / sizeof(*KINDS); k++)
                        if (strcmp(argv[i], KINDS[k].name) == 0) {
                                struct CMUnitTest tests[] = { KINDS[k] };
                                failed += cmocka_run_group_tests_name(argv[i], tests, NULL, NULL);
                        }
        return failed;
}
