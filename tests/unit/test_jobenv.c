/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/jobenv.h"

#include <sys/resource.h>

static char *sample[] = {
        (char *)"HOME=/home/u",
        (char *)"FOO=1",
        (char *)"BAR=a=b",
        (char *)"SLURM_JOB_ID=7",
        (char *)"SLURM_CPU_BIND=none",
        (char *)"nonsense",
        (char *)"SLURM_PROCID=3",
        NULL,
};

static void filled(struct environment *e, const char *export, bool fresh) {
        struct fail fail = { 0 };

        assert_int_equal(job_env_fill(e, sample, export, fresh, &fail), 0);
}
#define IS(e, name, value) assert_string_equal(environment_get((e), (name)), (value))
#define NOT(e, name)       assert_null(environment_get((e), (name)))

static void everything_goes_along_by_default(void **state) {
        _cleanup_(environment_freep) struct environment *e = environment_new();

        filled(e, NULL, false);
        assert_int_equal(environment_count(e), 6); /* all but the word that is no variable */
        IS(e, "FOO", "1");
        IS(e, "BAR", "a=b");
        IS(e, "SLURM_JOB_ID", "7");
}

static void a_new_job_does_not_inherit_the_old_ones_own(void **state) {
        _cleanup_(environment_freep) struct environment *e = environment_new();

        filled(e, "ALL", true);
        NOT(e, "SLURM_JOB_ID");
        NOT(e, "SLURM_PROCID");
        IS(e, "SLURM_CPU_BIND", "none");
        IS(e, "FOO", "1");
}

static void none_leaves_only_slurms(void **state) {
        _cleanup_(environment_freep) struct environment *e = environment_new();

        filled(e, "NONE", false);
        NOT(e, "FOO");
        IS(e, "SLURM_CPU_BIND", "none");
        NOT(e, "HOME");
}

static void a_script_has_the_basic_ones_unless_they_were_named(void **state) {
        static char path[] = "PATH=/bin", foo[] = "FOO=1", home[] = "HOME=/home/u",
                    *env[] = {
                            path,
                            foo,
                            home,
                            NULL,
                    };
        _cleanup_(environment_freep) struct environment *e = environment_new();

        filled(e, "HOME=/x", false);
        job_env_basic(e, env);
        IS(e, "HOME", "/x");
        IS(e, "PATH", "/bin");
        NOT(e, "FOO");
}

static void names_and_values_can_be_listed(void **state) {
        _cleanup_(environment_freep) struct environment *e = environment_new();

        filled(e, "FOO,NEW=x y,ABSENT,Q='a,b'", false);
        IS(e, "FOO", "1");
        IS(e, "NEW", "x y");
        IS(e, "Q", "'a,b'");
        NOT(e, "BAR");
        NOT(e, "ABSENT");
}

static void a_value_beside_all_wins(void **state) {
        _cleanup_(environment_freep) struct environment *e = environment_new();

        filled(e, "ALL,FOO=2", false);
        IS(e, "FOO", "2");
        IS(e, "BAR", "a=b");
}

static void a_value_without_name_is_refused(void **state) {
        _cleanup_(environment_freep) struct environment *e = environment_new();
        struct fail fail = { 0 };

        assert_int_equal(job_env_fill(e, sample, "=x", false, &fail), -EINVAL);
        assert_string_equal(fail.text, "Invalid --export specification");
}

static void setting_replaces(void **state) {
        _cleanup_(environment_freep) struct environment *e = environment_new();

        environment_set(e, "A", "1");
        environment_set(e, "A", "2");
        assert_int_equal(environment_count(e), 1);
        IS(e, "A", "2");
}

static void limits_and_mask_are_those_of_the_process(void **state) {
        size_t n;
        _cleanup_free_ Slumber__Rlimit **limits = job_rlimits(0, &n);

        assert_in_range(n, 10, RLIM_NLIMITS);
        assert_true(limits[0]->soft <= limits[0]->hard);
        assert_int_equal(job_umask(), job_umask()); /* asking does not change it */
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(everything_goes_along_by_default),
                cmocka_unit_test(a_new_job_does_not_inherit_the_old_ones_own),
                cmocka_unit_test(none_leaves_only_slurms),
                cmocka_unit_test(a_script_has_the_basic_ones_unless_they_were_named),
                cmocka_unit_test(names_and_values_can_be_listed),
                cmocka_unit_test(a_value_beside_all_wins),
                cmocka_unit_test(a_value_without_name_is_refused),
                cmocka_unit_test(setting_replaces),
                cmocka_unit_test(limits_and_mask_are_those_of_the_process),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
