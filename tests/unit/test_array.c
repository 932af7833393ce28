/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of tasks: what they mean, what is refused, and that a long one is read at once. */
#include "controller/indexes/array.h"
#include "tests/unit/test.h"

static void a_list_is_the_set_of_its_indices(void **state) {
        static const struct {
                const char *text, *set;
                uint32_t limit;
        } rows[] = {
                { "3", "3", 0 },
                { "0-3,2-5", "0-5", 0 },
                { "[1-9:4,2%7]", "1-2,5,9", 7 },
                { "0-99:70,60-64:2", "0,60,62,64,70", 0 },
                { "1-8:4", "1,5", 0 },
                { "5-99:4294967295", "5", 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(bitset_freep) struct bitset *set = NULL;
                uint32_t limit;

                assert_int_equal(array_tasks_parse(rows[i].text, 100, &set, &limit, NULL), 0);
                _cleanup_free_ char *text = bitset_text(set);
                assert_string_equal(text, rows[i].set);
                assert_int_equal(limit, rows[i].limit);
        }
}

static void what_is_no_list_is_refused(void **state) {
        static const char *const texts[] = {
                "",
                "100",
                "0-100",
                "9-3",
                "1-9:0",
                "1,",
                "[1",
                "1]",
                "1%",
                "1x",
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                struct bitset *set = NULL;
                struct fail fail = { 0 };
                uint32_t limit;

                assert_true(array_tasks_parse(texts[i], 100, &set, &limit, &fail) < 0);
                assert_true(!set && *fail.text);
        }
}

/* Index by index it would be minutes. */
static void many_long_ranges_cost_a_look_at_each_word(void **state) {
        static const char *const ranges[] = { "0-3999999,", "1-3999998:3,", "7-3999997:100," };
        size_t size = 0;
        _cleanup_free_ char *text = xmalloc(65536);
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        uint32_t limit;

        for (size_t i = 0; size < 60000; i++)
                size += (size_t)sprintf(text + size, "%s", ranges[i % ELEMENTSOF(ranges)]);
        strcpy(text + size, "4000000");
        assert_int_equal(array_tasks_parse(text, ARRAY_SIZE_MAX, &set, &limit, NULL), 0);
        assert_int_equal(bitset_count(set), 4000001);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_list_is_the_set_of_its_indices),
                cmocka_unit_test(what_is_no_list_is_refused),
                cmocka_unit_test(many_long_ranges_cost_a_look_at_each_word),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
