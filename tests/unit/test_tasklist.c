/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The node of each task: repeats and their order are kept, and the text of a list is the list. */
#include "tests/unit/test.h"

#include "lib/step/tasklist.h"

static void check(const char *said, const char *expected, const char *nodes) {
        struct task_list *l = task_list_new(0), *again = task_list_new(0);

        assert_int_equal(task_list_add(l, said, NULL), 0);
        _cleanup_free_ char *text = task_list_text(l), *each = hostlist_text(task_list_nodes(l));
        assert_string_equal(text, expected);
        assert_string_equal(each, nodes);
        assert_int_equal(task_list_add(again, text, NULL), 0);
        assert_int_equal(task_list_tasks(again), task_list_tasks(l));
        for (size_t i = 0; i < task_list_tasks(l); i++)
                assert_int_equal(task_list_node(again, i), task_list_node(l, i));
        task_list_free(l);
        task_list_free(again);
}

static void repeats_and_order_are_kept(void **state) {
        (void)state;
        check("n1 n2\nn1,n3", "n[1-2],n[1,3]", "n[1-3]");
        check("n3,n1,n3,n2,n1", "n[3,1],n[3,2,1]", "n[3,1-2]");
        check("n[1-2],n[1-2]", "n[1-2],n[1-2]", "n[1-2]");
        check("n1*3 n[2-3]*2", "n1,n1,n[1-3],n[2-3]", "n[1-3]");
        check(" ,\n", "", "");
        check("a", "a", "a");
}

static void a_list_is_cut_with_its_nodes(void **state) {
        struct task_list *l = task_list_new(0);

        (void)state;
        assert_int_equal(task_list_add(l, "n3,n1,n3,n2,n1", NULL), 0);
        assert_int_equal(hostlist_count(task_list_nodes(l)), 3);
        task_list_cut(l, 3);
        _cleanup_free_ char *text = task_list_text(l);
        assert_string_equal(text, "n[3,1],n3");
        assert_int_equal(hostlist_count(task_list_nodes(l)), 2);
        task_list_cut(l, 9);
        assert_int_equal(task_list_tasks(l), 3);
        task_list_free(l);
}

static void what_is_wrong_is_said(void **state) {
        static const struct {
                const char *text, *expected;
        } bad[] = {
                { "n1,n2*0", "\"n2*0\": no number of tasks from 1 to 65536 behind the *" },
                { "n1*x", "\"n1*x\": no number of tasks from 1 to 65536 behind the *" },
                { "*2", "no node before *2" },
                { "n1*65536,n2", "more than 65536 tasks are listed" },
                { "n[1-65536]*2", "more than 65536 tasks are listed" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct task_list *l = task_list_new(0);
                struct fail fail = { 0 };
                assert_true(task_list_add(l, bad[i].text, &fail) < 0);
                assert_string_equal(fail.text, bad[i].expected);
                task_list_free(l);
        }
        struct task_list *l = task_list_new(0);
        struct fail fail = { 0 };
        assert_true(task_list_add(l, "n[1-", &fail) < 0);
        task_list_free(l);
}

static void so_many_tasks_of_a_node_are_made_and_no_more(void **state) {
        static const char *const over[] = { "n1*65536", "n1,n[1-2]*2,n1", "n2*3,n1*4" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(over); i++) {
                struct task_list *l = task_list_new(3);
                struct fail fail = { 0 };
                assert_int_equal(task_list_add(l, over[i], &fail), -ERANGE);
                assert_string_equal(fail.text, "more than 3 tasks are listed for n1");
                assert_true(task_list_tasks(l) <= 6);
                task_list_free(l);
        }
        struct task_list *l = task_list_new(3);
        assert_int_equal(task_list_add(l, "n1*3,n2*3", NULL), 0);
        assert_int_equal(task_list_add(l, "n2", NULL), -ERANGE);
        task_list_cut(l, 5);
        assert_int_equal(task_list_add(l, "n2", NULL), 0);
        assert_int_equal(task_list_tasks(l), 6);
        task_list_free(l);
}

static void what_a_list_takes_is_known(void **state) {
        struct task_list *l = task_list_new(0);

        (void)state;
        assert_int_equal(task_list_size(l), 0);
        assert_int_equal(task_list_add(l, "n1*65536", NULL), 0);
        assert_true(task_list_size(l) >= 65536 * sizeof(uint32_t));
        task_list_free(l);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(repeats_and_order_are_kept),
                cmocka_unit_test(a_list_is_cut_with_its_nodes),
                cmocka_unit_test(what_is_wrong_is_said),
                cmocka_unit_test(so_many_tasks_of_a_node_are_made_and_no_more),
                cmocka_unit_test(what_a_list_takes_is_known),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
