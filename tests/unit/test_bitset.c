/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/bitset.h"
#include "lib/words.h"

static void text_survives_the_round_trip(void **state) {
        static const char *const texts[] = { "", "0", "0-3,6", "63-64", "1,3,5,127-129" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                _cleanup_(bitset_freep) struct bitset *b = bitset_new(130);

                assert_int_equal(bitset_parse(b, texts[i]), 0);
                _cleanup_free_ char *text = bitset_text(b);
                assert_string_equal(text, texts[i]);
        }
}

/* By plain loops: the instructions differ from one processor to the next, and so does what they do
   with the last words. */
static void words_are_counted_whatever_their_number(void **state) {
        uint64_t a[40], b[40], to[41], seed = 1;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(a); i++) {
                a[i] = seed = seed * 6364136223846793005u + 1442695040888963407u;
                b[i] = seed = seed * 6364136223846793005u + 1442695040888963407u;
        }
        for (size_t n = 0; n <= ELEMENTSOF(a); n++) {
                size_t count = 0, both = 0;
                for (size_t i = 0; i < 64 * n; i++) {
                        count += a[i / 64] >> (i % 64) & 1;
                        both += a[i / 64] & b[i / 64] && (a[i / 64] & b[i / 64]) >> (i % 64) & 1;
                }
                memset(to, 0x55, sizeof to);
                assert_int_equal(words_count(a, n), count);
                assert_int_equal(words_count_and(a, b, n), both);
                assert_int_equal(words_meet(to, a, b, n), both);
                for (size_t i = 0; i < n; i++)
                        assert_true(to[i] == (a[i] & b[i]));
                assert_true(to[n] == 0x5555555555555555);
        }
}

static void ranges_are_added_across_words(void **state) {
        (void)state;
        for (size_t from = 0; from < 150; from += 7)
                for (size_t n = 0; from + n <= 200; n += 9) {
                        _cleanup_(bitset_freep) struct bitset *b = bitset_new(200);

                        bitset_add_range(b, from, n);
                        for (size_t i = 0; i < 200; i++)
                                assert_int_equal(bitset_has(b, i), i >= from && i < from + n);
                }
}

static struct bitset *every_third(size_t bits) {
        struct bitset *b = bitset_new(bits);

        bitset_add_steps(b, 0, bits - 1, 3);
        return b;
}

static void parts_of_sets_are_added_across_words(void **state) {
        _cleanup_(bitset_freep) struct bitset *b = every_third(200);

        (void)state;
        for (size_t n = 0; n <= 140; n += 7)
                for (size_t from = 0; from + n <= 200; from++) {
                        _cleanup_(bitset_freep) struct bitset *a = bitset_new(n);

                        if (n > 1)
                                bitset_add(a, 1);
                        bitset_or_part(a, b, from);
                        for (size_t i = 0; i < n; i++)
                                assert_int_equal(bitset_has(a, i), i == 1 || (from + i) % 3 == 0);
                        if (n % 64)
                                assert_true(a->word[n / 64] >> (n % 64) == 0);
                }
}

static void parts_of_sets_meet_where_both_have_the_bit(void **state) {
        _cleanup_(bitset_freep) struct bitset *a = every_third(200);

        (void)state;
        for (size_t at = 0; at < 130; at += 13)
                for (size_t n = 0; n <= 70; n++)
                        for (size_t from = 0; from + n <= 200; from += 11) {
                                _cleanup_(bitset_freep) struct bitset *b = bitset_new(130);
                                bool meet = n > 0 && (from + n - 1) % 3 == 0;

                                if (at + n > 130)
                                        continue;
                                if (at > 0)
                                        bitset_add(b, at - 1); /* beside the part */
                                if (at + n < 130)
                                        bitset_add(b, at + n);
                                if (n > 0)
                                        bitset_add(b, at + n - 1);
                                assert_int_equal(bitset_parts_overlap(a, from, b, at, n), meet);
                                assert_int_equal(bitset_parts_overlap(b, at, a, from, n), meet);
                        }
}

static void steps_are_added_across_words(void **state) {
        (void)state;
        for (size_t step = 1; step < 140; step++)
                for (size_t from = 0; from < 150; from += 7)
                        for (size_t last = from; last < 200; last += 9) {
                                _cleanup_(bitset_freep) struct bitset *b = bitset_new(200);

                                bitset_add_steps(b, from, last, step);
                                for (size_t i = 0; i < 200; i++)
                                        assert_int_equal(bitset_has(b, i),
                                                        i >= from && i <= last &&
                                                                        (i - from) % step == 0);
                        }
}

static void bad_text_is_refused(void **state) {
        static const char *const texts[] = {
                "x",
                "1-",
                "3-1",
                "130",
                "1,,2",
                "1,",
                "-1",
                "99999999999999999999",
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                _cleanup_(bitset_freep) struct bitset *b = bitset_new(130);

                assert_int_equal(bitset_parse(b, texts[i]), -EINVAL);
        }
}

static void fill_stays_within_the_size(void **state) {
        (void)state;
        for (size_t bits = 1; bits < 200; bits++) {
                _cleanup_(bitset_freep) struct bitset *b = bitset_new(bits);

                bitset_fill(b);
                assert_int_equal(bitset_count(b), bits);
                bitset_clear(b);
                assert_true(bitset_empty(b));
                assert_int_equal(bitset_next(b, 0), SIZE_MAX);
        }
}

static void sets_are_combined(void **state) {
        _cleanup_(bitset_freep) struct bitset *a = bitset_new(100), *b = bitset_new(100);

        (void)state;
        bitset_add_range(a, 10, 20);
        bitset_add_range(b, 20, 20);
        assert_true(bitset_overlaps(a, b));
        assert_int_equal(bitset_count_and(a, b), 10);
        assert_false(bitset_contains(a, b));

        _cleanup_(bitset_freep) struct bitset *c = bitset_copy(a);
        bitset_minus(c, b);
        assert_int_equal(bitset_count(c), 10);
        assert_false(bitset_overlaps(c, b));
        bitset_or(c, b);
        assert_true(bitset_contains(c, a));
        bitset_and(c, a);
        assert_true(bitset_equal(c, a));
}

static void for_each_visits_members_in_order(void **state) {
        _cleanup_(bitset_freep) struct bitset *b = bitset_new(300);
        static const size_t members[] = { 0, 63, 64, 128, 299 };
        size_t n = 0;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(members); i++)
                bitset_add(b, members[i]);
        bitset_for_each(i, b)
                assert_int_equal(i, members[n++]);
        assert_int_equal(n, ELEMENTSOF(members));
}

static void members_below_a_number_are_counted(void **state) {
        _cleanup_(bitset_freep) struct bitset *b = bitset_new(192);

        (void)state;
        bitset_add_steps(b, 0, 191, 3);
        for (size_t i = 0, n = 0; i < 192; n += bitset_has(b, i++))
                assert_int_equal(bitset_count_below(b, i), n);
        assert_int_equal(bitset_count_below(b, 192), 64);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(text_survives_the_round_trip),
                cmocka_unit_test(words_are_counted_whatever_their_number),
                cmocka_unit_test(ranges_are_added_across_words),
                cmocka_unit_test(bad_text_is_refused),
                cmocka_unit_test(steps_are_added_across_words),
                cmocka_unit_test(parts_of_sets_are_added_across_words),
                cmocka_unit_test(parts_of_sets_meet_where_both_have_the_bit),
                cmocka_unit_test(fill_stays_within_the_size),
                cmocka_unit_test(sets_are_combined),
                cmocka_unit_test(for_each_visits_members_in_order),
                cmocka_unit_test(members_below_a_number_are_counted),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
