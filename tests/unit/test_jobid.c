/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/jobid.h"
#include "lib/wire.h"

#include <signal.h>

static void jobs_and_steps_are_read(void **state) {
        struct job_id id;

        assert_int_equal(job_id_parse("12", &id), 0);
        assert_int_equal(id.job, 12);
        assert_false(id.has_step);
        assert_int_equal(job_id_parse("12.0", &id), 0);
        assert_true(id.has_step);
        assert_int_equal(id.step, 0);
        assert_int_equal(job_id_parse("4294967295.batch", &id), 0);
        assert_int_equal(id.job, UINT32_MAX);
        assert_int_equal(id.step, STEP_BATCH);
        assert_int_equal(job_id_parse("12.extern", &id), 0);
        assert_int_equal(id.step, STEP_EXTERN);
        assert_int_equal(job_id_parse("12.interactive", &id), 0);
        assert_int_equal(id.step, STEP_INTERACTIVE);
}

static void components_of_steps_are_read_where_they_are_meant(void **state) {
        static const char *const bad[] = { "12.0+", "12.0+x", "12.0+-1", "12.0+1+1", "12.+1",
                "12.0+1000000000" };
        struct job_id id;

        assert_int_equal(job_id_parse_part("12.3+1", &id), 0);
        assert_int_equal(id.step, 3);
        assert_int_equal(id.part, 2);
        assert_int_equal(job_id_parse_part("12.3", &id), 0);
        assert_int_equal(id.part, 0);
        assert_int_equal(job_id_parse_part("12+1.3+0", &id), 0);
        assert_string_equal(id.tasks, "+1");
        assert_int_equal(id.part, 1);
        job_id_done(&id);
        assert_int_equal(job_id_parse("12+1.3+0", &id), -EINVAL);
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                assert_int_equal(job_id_parse_part(bad[i], &id), -EINVAL);
}

static void what_is_no_id_is_refused(void **state) {
        static const char *const bad[] = { "12_", "12_[", "12_[]", "12_[1", "12_x", "12_3x", "",
                "0", "abc", "-1", "1x", "1.", "1.x", "4294967296", " 1", ".1" };
        struct job_id id;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                assert_int_equal(job_id_parse(bad[i], &id), -EINVAL);
}

static void tasks_of_arrays_are_read(void **state) {
        static const struct {
                const char *text, *tasks, *shown;
                bool has_step;
        } rows[] = {
                { "12_3", "3", "12_3", false },
                { "12_[3]", "3", "12_3", false },
                { "12_[1-5,9]", "1-5,9", "12_[1-5,9]", false },
                { "12_[0-8:2]", "0-8:2", "12_[0-8:2]", false },
                { "12_*", NULL, "12", false },
                { "12_3.0", "3", "12_3", true },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct job_id id;
                assert_int_equal(job_id_parse(rows[i].text, &id), 0);
                assert_string_equal(strempty(id.tasks), strempty(rows[i].tasks));
                assert_int_equal(id.has_step, rows[i].has_step);
                _cleanup_free_ char *shown = job_id_text(&id);
                assert_string_equal(shown, rows[i].shown);
                job_id_done(&id);
        }
}

static void lists_are_split_outside_brackets(void **state) {
        char text[] = "1,2_[3,4],,5_6,", *rest = text;

        assert_string_equal(job_id_next(&rest), "1");
        assert_string_equal(job_id_next(&rest), "2_[3,4]");
        assert_string_equal(job_id_next(&rest), "5_6");
        assert_null(job_id_next(&rest));
}

static void components_have_an_offset(void **state) {
        static const char *const bad[] = { "12+", "12+x", "12+-1", "12+1234567890", "12_3+1",
                "12+1_3", "+1" };
        struct job_id id;

        assert_int_equal(job_id_parse("12+1", &id), 0);
        assert_int_equal(id.job, 12);
        assert_string_equal(id.tasks, "+1");
        assert_false(id.has_step);
        _cleanup_free_ char *text = job_id_text(&id);
        assert_string_equal(text, "12+1");
        job_id_done(&id);
        assert_int_equal(job_id_parse("12+0.7", &id), 0);
        assert_string_equal(id.tasks, "+0");
        assert_int_equal(id.step, 7);
        job_id_done(&id);
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                assert_int_equal(job_id_parse(bad[i], &id), -EINVAL);
}

static void signals_have_numbers_and_names(void **state) {
        uint32_t sig;

        assert_int_equal(signal_parse("9", &sig), 0);
        assert_int_equal(sig, SIGKILL);
        assert_int_equal(signal_parse("usr1", &sig), 0);
        assert_int_equal(sig, SIGUSR1);
        assert_int_equal(signal_parse("SIGTERM", &sig), 0);
        assert_int_equal(sig, SIGTERM);
        assert_int_equal(signal_parse("FOO", &sig), -EINVAL);
        assert_int_equal(signal_parse("0", &sig), -EINVAL);
        assert_int_equal(signal_parse("99", &sig), -EINVAL);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(jobs_and_steps_are_read),
                cmocka_unit_test(components_of_steps_are_read_where_they_are_meant),
                cmocka_unit_test(what_is_no_id_is_refused),
                cmocka_unit_test(tasks_of_arrays_are_read),
                cmocka_unit_test(lists_are_split_outside_brackets),
                cmocka_unit_test(components_have_an_offset),
                cmocka_unit_test(signals_have_numbers_and_names),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
