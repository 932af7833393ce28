/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/jobid.h"
#include "lib/wire.h"

#include <signal.h>

static void jobs_and_steps_are_read(void **state) {
        struct job_id id;

        assert_int_equal(job_id_parse("12", &id, NULL), 0);
        assert_int_equal(id.job, 12);
        assert_false(id.has_step);
        assert_int_equal(job_id_parse("12.0", &id, NULL), 0);
        assert_true(id.has_step);
        assert_int_equal(id.step, 0);
        assert_int_equal(job_id_parse("4294967295.batch", &id, NULL), 0);
        assert_int_equal(id.job, UINT32_MAX);
        assert_int_equal(id.step, STEP_BATCH);
}

static void what_is_no_id_is_refused(void **state) {
        static const char *const bad[] = { "", "0", "abc", "-1", "1x", "1.", "1.x", "4294967296",
                " 1", ".1" };
        struct job_id id;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                assert_int_equal(job_id_parse(bad[i], &id, NULL), -EINVAL);
}

static void what_comes_later_is_refused_by_name(void **state) {
        struct fail fail = { 0 };
        struct job_id id;

        assert_int_equal(job_id_parse("12_3", &id, &fail), -ENOTSUP);
        assert_string_equal(fail.text, "12_3: job arrays are not implemented by Slumber yet");
        assert_int_equal(job_id_parse("12+1", &id, &fail), -ENOTSUP);
        assert_string_equal(
                        fail.text, "12+1: heterogeneous jobs are not implemented by Slumber yet");
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
                cmocka_unit_test(what_is_no_id_is_refused),
                cmocka_unit_test(what_comes_later_is_refused_by_name),
                cmocka_unit_test(signals_have_numbers_and_names),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
