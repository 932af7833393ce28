/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/step/pattern.h"
#include "lib/wire.h"

static const struct pattern_names step = { .job = 128,
        .step = 3,
        .restarts = 2,
        .rank = 5,
        .node_rank = 1,
        .node = "n7",
        .user = "ada",
        .name = "my job" };

static void check(const struct pattern_names *names, const char *pattern, const char *text) {
        _cleanup_free_ char *got = pattern_expand(pattern, names);

        assert_string_equal(got, text);
}

static void every_letter_has_its_meaning(void **state) {
        (void)state;
        check(&step, "slurm-%j.out", "slurm-128.out");
        check(&step, "%J %A %s %t %n %r", "128.3 128 3 5 1 2");
        check(&step, "%N/%u/%x", "n7/ada/my job");
        check(&step, "100%%", "100%");
}

static void numbers_are_padded_up_to_ten_digits(void **state) {
        (void)state;
        check(&step, "%5j", "00128");
        check(&step, "%2j", "128");
        check(&step, "%15j", "0000000128");
        check(&step, "%99999999999999t", "0000000005");
}

static void a_batch_step_has_no_number(void **state) {
        struct pattern_names batch = step;

        (void)state;
        batch.step = STEP_BATCH;
        check(&batch, "%J-%s", "128-batch");
}

static void what_has_no_meaning_stays(void **state) {
        (void)state;
        check(&step, "%z %", "%z %");
        check(&step, "%5", "%5");
        check(&step, "%5z", "%5z");
        check(&step, "", "");
}

static void a_backslash_switches_patterns_off(void **state) {
        (void)state;
        check(&step, "out\\%j", "out%j");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_letter_has_its_meaning),
                cmocka_unit_test(numbers_are_padded_up_to_ten_digits),
                cmocka_unit_test(a_batch_step_has_no_number),
                cmocka_unit_test(what_has_no_meaning_stays),
                cmocka_unit_test(a_backslash_switches_patterns_off),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
