/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/musl_memory.c is no part of programs with glibc: here it is called by its own names, and
 * what is behind it counts. */
#include "tests/unit/test.h"

#include "commands/musl_memory.h"

#include <malloc.h>
#include <string.h>

static size_t taken; /* from the C library, and not given back */

void *__real_malloc(size_t size) {
        taken++;
        return size == SIZE_MAX ? NULL : malloc(size);
}

void *__real_realloc(void *old, size_t size) {
        return realloc(old, size);
}

void __real_free(void *p) {
        taken -= p != NULL;
        free(p);
}

size_t __real_malloc_usable_size(void *p) {
        return p ? malloc_usable_size(p) : 0;
}

static void pieces_lie_one_behind_the_other(void **state) {
        char *a = __wrap_malloc(10), *b = __wrap_malloc(0), *c = __wrap_malloc(1);

        (void)state;
        assert_true(a && b && c && a + 16 <= b && b < c);
        assert_true((uintptr_t)a % 16 == 0 && (uintptr_t)b % 16 == 0 && (uintptr_t)c % 16 == 0);
        assert_int_equal(__wrap_malloc_usable_size(a), 16);
        __wrap_free(c);
        __wrap_free(b);
        assert_ptr_equal(__wrap_malloc(3), b); /* the last one is used again */
        __wrap_free(a);                        /* any other is not */
        assert_ptr_not_equal(__wrap_malloc(3), a);
        __wrap_free(NULL);
        assert_int_equal(__wrap_malloc_usable_size(NULL), 0);
        assert_int_equal(taken, 0);
}

static void the_last_piece_grows_where_it_is(void **state) {
        char *a = __wrap_realloc(NULL, 5), *b;

        (void)state;
        memcpy(a, "abcd", 5);
        assert_ptr_equal(__wrap_realloc(a, 1000), a);
        assert_true(__wrap_malloc_usable_size(a) >= 1000);
        b = __wrap_malloc(1);
        assert_ptr_equal(__wrap_realloc(a, 20), a); /* smaller */
        char *moved = __wrap_realloc(a, 2000);
        assert_true(moved > b);
        assert_string_equal(moved, "abcd");
        assert_int_equal(taken, 0);
}

static void calloc_clears_what_was_used_before(void **state) {
        char *a = __wrap_malloc(100), *b;

        (void)state;
        memset(a, 'x', 100);
        __wrap_free(a);
        b = __wrap_calloc(10, 10);
        assert_ptr_equal(a, b);
        for (size_t i = 0; i < 100; i++)
                assert_int_equal(b[i], 0);
        assert_null(__wrap_calloc(SIZE_MAX / 2, 3));
        taken = 0;
}

static void what_is_large_or_late_is_the_librarys(void **state) {
        char *large = __wrap_malloc(100000), *small = __wrap_malloc(8), *p = NULL;

        (void)state;
        assert_int_equal(taken, 1);
        assert_ptr_not_equal(large = __wrap_realloc(large, 200000), NULL);
        memset(large, 1, 200000);
        memcpy(small, "abcdefg", 8);
        small = __wrap_realloc(small, 100000); /* moves there */
        assert_string_equal(small, "abcdefg");
        assert_int_equal(taken, 2);
        __wrap_free(large);
        __wrap_free(small);
        assert_int_equal(taken, 0);
        for (size_t i = 0; i < 1000 && !taken; i++)
                memset(p = __wrap_malloc(1000), 1, 1000);
        assert_int_equal(taken, 1); /* the block is full */
        __wrap_free(p);
        assert_int_equal(taken, 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(pieces_lie_one_behind_the_other),
                cmocka_unit_test(the_last_piece_grows_where_it_is),
                cmocka_unit_test(calloc_clears_what_was_used_before),
                cmocka_unit_test(what_is_large_or_late_is_the_librarys),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
