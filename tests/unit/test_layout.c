/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/model/layout.h"

static void check(const uint32_t *room, size_t n, uint32_t tasks, bool over, bool fits,
                const char *expected) {
        _cleanup_free_ uint32_t *count = xnew(uint32_t, n);

        assert_int_equal(layout_tasks(room, n, tasks, 1, over, count), fits);
        _cleanup_free_ char *text = layout_text(count, n);
        assert_string_equal(text, expected);
}

static void tasks_are_dealt_out_evenly(void **state) {
        static const uint32_t even[] = { 8, 8, 8, 8 }, uneven[] = { 1, 4, 2 };

        (void)state;
        check(even, 4, 4, false, true, "1(x4)");
        check(even, 4, 6, false, true, "2(x2),1(x2)");
        check(even, 4, 32, false, true, "8(x4)");
        check(uneven, 3, 7, false, true, "1,4,2");
        check(uneven, 3, 5, false, true, "1,2(x2)");
}

static void too_many_tasks_do_not_fit_unless_they_may_share(void **state) {
        static const uint32_t room[] = { 1, 1 };

        (void)state;
        check(room, 2, 5, false, false, "1(x2)");
        check(room, 2, 5, true, true, "3,2");
}

static void check_ranks(const uint32_t *count, size_t n, size_t i, uint32_t cyclic,
                const uint32_t *expected) {
        _cleanup_free_ uint32_t *ranks = layout_ranks(count, n, cyclic);
        size_t first = 0;

        for (size_t k = 0; k < i; k++)
                first += count[k];
        for (uint32_t k = 0; k < count[i]; k++)
                assert_int_equal(ranks[first + k], expected[k]);
}

static void ranks_follow_one_another_in_blocks(void **state) {
        static const uint32_t count[] = { 2, 1, 3 };

        (void)state;
        check_ranks(count, 3, 0, false, (const uint32_t[]){ 0, 1 });
        check_ranks(count, 3, 1, false, (const uint32_t[]){ 2 });
        check_ranks(count, 3, 2, false, (const uint32_t[]){ 3, 4, 5 });
}

static void cyclic_ranks_go_round(void **state) {
        static const uint32_t count[] = { 2, 2 }, uneven[] = { 1, 3 };

        (void)state;
        check_ranks(count, 2, 0, true, (const uint32_t[]){ 0, 2 });
        check_ranks(count, 2, 1, true, (const uint32_t[]){ 1, 3 });
        check_ranks(uneven, 2, 0, true, (const uint32_t[]){ 0 });
        check_ranks(uneven, 2, 1, true, (const uint32_t[]){ 1, 2, 3 });
}

static void planes_and_packs_are_dealt_in_chunks(void **state) {
        const uint32_t room[] = { 8, 8, 8 }, planes[] = { 4, 3, 2 };
        uint32_t count[3];

        assert_true(layout_tasks(room, 3, 10, LAYOUT_PACKED, false, count));
        assert_int_equal(count[0], 8);
        assert_int_equal(count[1], 1);
        assert_int_equal(count[2], 1);
        assert_true(layout_tasks(room, 3, 9, 2, false, count));
        assert_int_equal(count[0], 4);
        assert_int_equal(count[1], 3);
        assert_int_equal(count[2], 2);
        check_ranks(planes, 3, 0, 2, (const uint32_t[]){ 0, 1, 6, 7 });
        check_ranks(planes, 3, 1, 2, (const uint32_t[]){ 2, 3, 8 });
        check_ranks(planes, 3, 2, 2, (const uint32_t[]){ 4, 5 });
        assert_false(layout_tasks(room, 3, 25, LAYOUT_PACKED, false, count));
}

static void check_planes(const uint32_t *room, uint32_t tasks, uint32_t plane, bool over,
                const char *expected) {
        uint32_t count[3];

        assert_true(layout_tasks(room, 3, tasks, plane, over, count));
        _cleanup_free_ char *text = layout_text(count, 3);
        assert_string_equal(text, expected);
}

static void planes_leave_a_task_for_the_last_nodes(void **state) {
        static const uint32_t room[] = { 2, 2, 2 }, large[] = { 8, 1, 8 };

        (void)state;
        check_planes(room, 4, 2, false, "2,1(x2)");
        check_planes(room, 3, 4, false, "1(x3)");
        check_planes(room, 5, 2, false, "2(x2),1");
        check_planes(large, 7, 4, false, "4,1,2");
        check_planes(large, 14, 4, false, "8,1,5");
}

static void planes_beyond_room_are_whole(void **state) {
        static const uint32_t room[] = { 2, 2, 2 };

        (void)state;
        check_planes(room, 6, 4, true, "2(x3)");
        check_planes(room, 12, 5, true, "5(x2),2");
        check_planes(room, 7, 6, true, "5,1(x2)");
        check_planes(NULL, 7, 1, false, "3,2(x2)");
}

/* As many as one command may ask for. */
static void ranks_of_many_nodes_are_dealt_in_one_pass(void **state) {
        enum { NODES = 15000, TASKS = 1000000 };
        _cleanup_free_ uint32_t *count = xnew(uint32_t, NODES), *place = xnew(uint32_t, TASKS);
        uint32_t rank = 0;

        (void)state;
        for (uint32_t i = 0; i < NODES; i++)
                count[i] = i ? 1 : TASKS - NODES + 1;
        for (uint32_t t = 0; t < TASKS; t++)
                place[t] = t < NODES ? t : 0;
        _cleanup_free_ uint32_t *cyclic = layout_ranks(count, NODES, 1);
        _cleanup_free_ uint32_t *listed = layout_ranks_at(place, TASKS, count, NODES);
        _cleanup_free_ uint32_t *block = layout_ranks(count, NODES, 0);
        assert_memory_equal(cyclic, listed, TASKS * sizeof *cyclic);
        assert_int_equal(cyclic[0], 0);
        assert_int_equal(cyclic[1], NODES);
        assert_int_equal(cyclic[TASKS - 1], NODES - 1);
        while (rank < TASKS && block[rank] == rank)
                rank++;
        assert_int_equal(rank, TASKS);
}

static void check_mapping(const uint32_t *count, size_t n, uint32_t chunk, const char *expected) {
        _cleanup_free_ uint32_t *ranks = layout_ranks(count, n, chunk);
        _cleanup_free_ char *text = layout_mapping(ranks, count, n);

        assert_string_equal(text, expected);
}

static void mapping_says_where_ranks_are(void **state) {
        static const uint32_t one[] = { 5 }, even[] = { 4, 4, 4 }, more[] = { 3, 3, 1 };
        static const uint32_t place[] = { 2, 0, 0, 1, 2 }, count[] = { 2, 1, 2 };

        (void)state;
        check_mapping(one, 1, 0, "(vector,(0,1,5))");
        check_mapping(even, 3, 0, "(vector,(0,3,4))");
        check_mapping(even, 3, 1, "(vector,(0,3,1))");
        check_mapping(even, 3, 2, "(vector,(0,3,2))");
        check_mapping(more, 3, 0, "(vector,(0,2,3),(2,1,1))");
        check_mapping(more, 3, 1, "(vector,(0,3,1),(0,2,1),(0,2,1))");
        check_mapping(even, 0, 0, "(vector)");
        _cleanup_free_ uint32_t *ranks = layout_ranks_at(place, 5, count, 3);
        _cleanup_free_ char *text = layout_mapping(ranks, count, 3);
        assert_string_equal(text, "(vector,(2,1,1),(0,1,2),(1,2,1))");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(tasks_are_dealt_out_evenly),
                cmocka_unit_test(too_many_tasks_do_not_fit_unless_they_may_share),
                cmocka_unit_test(ranks_follow_one_another_in_blocks),
                cmocka_unit_test(cyclic_ranks_go_round),
                cmocka_unit_test(planes_and_packs_are_dealt_in_chunks),
                cmocka_unit_test(planes_leave_a_task_for_the_last_nodes),
                cmocka_unit_test(planes_beyond_room_are_whole),
                cmocka_unit_test(mapping_says_where_ranks_are),
                cmocka_unit_test(ranks_of_many_nodes_are_dealt_in_one_pass),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
