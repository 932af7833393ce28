/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/accounts/sacct.h"

#define HOUR (3600 * USEC_PER_SEC)
#define T0   (UINT64_C(1700000000) * USEC_PER_SEC)

/* start: 0: it was cancelled before */
static Ended run(uint64_t row, uint32_t id, usec_t submit, usec_t start, usec_t end) {
        Ended e = SLUMBER__ENDED__INIT;

        e.row = row;
        e.job_id = id;
        e.array_task = -1;
        e.time_submit = submit;
        e.time_start = start;
        e.time_end = end;
        return e;
}

/* How many of the accounts' row and the controller's run are listed. */
static size_t listed(Ended row, Ended live) {
        struct sacct s = { 0 };
        Ended *list[] = { &row, &live };
        size_t n = sacct_order(&s, list, ELEMENTSOF(list));

        if (n == 1)
                assert_int_equal(list[0]->time_end, live.time_end);
        return n;
}

static void one_is_listed_once_after_the_clock_was_set(void **state) {
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 + HOUR, T0 + HOUR + 5, T0 + HOUR + 9)),
                        1);
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 - HOUR, T0 - HOUR + 5, T0 - HOUR + 9)),
                        1);
        /* cancelled before they started */
        assert_int_equal(listed(run(1, 7, T0, 0, T0 + 9), run(0, 7, T0 + HOUR, 0, T0 + HOUR + 9)),
                        1);
        assert_int_equal(listed(run(1, 7, T0, 0, T0 + 9), run(0, 7, T0 - HOUR, 0, T0 - HOUR + 9)),
                        1);
}

static void another_job_of_the_same_id_is_listed(void **state) {
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 + HOUR, T0 + HOUR + 5, T0 + HOUR + HOUR)),
                        2);
        assert_int_equal(listed(run(1, 7, T0, 0, T0 + 9),
                                         run(0, 7, T0 + HOUR, T0 + HOUR + 5, T0 + HOUR + 9)),
                        2);
        assert_int_equal(listed(run(1, 7, T0, T0 + 5, T0 + 9),
                                         run(0, 7, T0 + HOUR, 0, T0 + HOUR + 9)),
                        2);
}

/* "7_..." of --jobs; word is one of its words. */
static int name(struct sacct *s, const char *word) {
        struct job_id id = { 0 };

        assert_int_equal(job_id_parse_part(word, &id), 0);
        return sacct_name(s, &id);
}

/* tasks: those that wait, of what has no task yet. */
static bool is_found(const struct sacct *s, int64_t task, const char *tasks) {
        Ended e = run(1, 70, T0, T0, T0);

        e.array_job = 7;
        e.array_task = task;
        e.array_tasks = (char *)tasks;
        return sacct_by_id(s, &e);
}

static void named_tasks_are_found(void **state) {
        struct sacct s = { 0 };

        assert_int_equal(name(&s, "7_3"), 0);
        assert_int_equal(name(&s, "7_[20-24:2,5-6,4,10]"), 0);
        assert_int_equal(name(&s, "8"), 0);
        sacct_names_sort(&s);
        const char *shown = "...XXXX...X.........X.X.X.";
        for (int i = 0; shown[i]; i++)
                assert_int_equal(is_found(&s, i, ""), shown[i] == 'X');
        assert_false(is_found(&s, -1, "0-2,7-9,11-19,21,23,25-90"));
        assert_true(is_found(&s, -1, "0-2,7-9,11-19,21,23-90"));
        sacct_names_done(&s);
        static const char *const bad[] = { "7_[,]", "7_[3-1]", "7_[1-]", "7_[4:2]", "7_[1-5:0]",
                "7_[1-2-3]", "7_[1,]", "7_4294967296" };
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                assert_int_equal(name(&s, bad[i]), -EINVAL);
                sacct_names_done(&s);
        }
}

#define MANY 1000000

/* Each record is looked up: with a look at all that is named the test would not end today. */
static void records_are_found_among_very_many_named_tasks(void **state) {
        struct sacct s = { 0 };
        _cleanup_free_ char *words = xmalloc(MANY * 9);
        char *w = words;
        char word[32];

        for (int i = 0; i < MANY; i++)
                w += sprintf(w, "%s%d", i ? "," : "7_[", 2 * i);
        strcpy(w, "]");
        assert_int_equal(name(&s, words), 0);
        for (int i = 0; i < MANY; i++) {
                snprintf(word, sizeof word, "7_%d", 4 * i + 1);
                assert_int_equal(name(&s, word), 0);
        }
        sacct_names_sort(&s);
        assert_int_equal(s.n_ids, 1);
        assert_int_equal(s.id_tasks[0].n, MANY);
        for (int i = 0; i < 4 * MANY; i++)
                assert_int_equal(is_found(&s, i, ""), (i % 2 == 0 && i < 2 * MANY) || i % 4 == 1);
        for (int i = 0; i < 20; i++)
                assert_true(is_found(&s, -1, words + strlen("7_[")));
        sacct_names_done(&s);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(one_is_listed_once_after_the_clock_was_set),
                cmocka_unit_test(another_job_of_the_same_id_is_listed),
                cmocka_unit_test(named_tasks_are_found),
                cmocka_unit_test(records_are_found_among_very_many_named_tasks),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
