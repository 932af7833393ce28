/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/arena.h"

static void pieces_keep_what_is_written(void **state) {
        enum { PIECES = 5000 };
        struct arena a = { 0 };
        uint8_t *pieces[PIECES];

        (void)state;
        for (size_t i = 0; i < PIECES; i++) {
                pieces[i] = arena_alloc(&a, i);
                assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
                memset(pieces[i], (int)(i % 251), i);
        }
        for (size_t i = 0; i < PIECES; i++)
                for (size_t k = 0; k < i; k++)
                        if (pieces[i][k] != i % 251)
                                fail_msg("piece %zu was written to", i);
        arena_done(&a);
        assert_null(a.chunks);
        arena_done(&a);
}

static void a_large_piece_gets_its_own_room(void **state) {
        static const size_t sizes[] = { 1, 65536, (2 << 20) - 32, (2 << 20), (7 << 20) + 1, 3 };
        struct arena a = { 0 };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(sizes); i++) {
                uint8_t *p = arena_alloc(&a, sizes[i]);

                p[0] = p[sizes[i] - 1] = 1;
        }
        arena_done(&a);
}

static void a_reset_keeps_the_newest_room(void **state) {
        struct arena a = { 0 };

        (void)state;
        arena_reset(&a);
        uint8_t *first = arena_alloc(&a, 100);
        arena_reset(&a);
        assert_ptr_equal(arena_alloc(&a, 200), first);
        uint8_t *large = arena_alloc(&a, 1 << 20);
        assert_ptr_equal(arena_alloc(&a, 1), large + (1 << 20));
        arena_reset(&a);
        assert_ptr_equal(arena_alloc(&a, 1), large);
        arena_done(&a);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(pieces_keep_what_is_written),
                cmocka_unit_test(a_large_piece_gets_its_own_room),
                cmocka_unit_test(a_reset_keeps_the_newest_room),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
