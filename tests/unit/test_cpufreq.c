/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/step/cpufreq.h"

static void what_is_asked_is_read(void **state) {
        static const struct {
                const char *text;
                struct cpu_freq f;
                enum cpu_governor sets;
                const char *again;
        } rows[] = {
                { "low", { 0, CPU_FREQ_LOW, 0 }, GOVERNOR_USERSPACE, "Low" },
                { "HighM1", { 0, CPU_FREQ_HIGHM1, 0 }, GOVERNOR_USERSPACE, "Highm1" },
                { "2400000", { 0, 2400000, 0 }, GOVERNOR_USERSPACE, "2400000" },
                { "medium:userspace", { 0, CPU_FREQ_MEDIUM, GOVERNOR_USERSPACE },
                                GOVERNOR_USERSPACE, "Medium:UserSpace" },
                { "low-high", { CPU_FREQ_LOW, CPU_FREQ_HIGH, 0 }, GOVERNOR_NONE, "Low-High" },
                { "1200000-high:ondemand", { 1200000, CPU_FREQ_HIGH, GOVERNOR_ONDEMAND },
                                GOVERNOR_ONDEMAND, "1200000-High:OnDemand" },
                { "PERFORMANCE", { 0, 0, GOVERNOR_PERFORMANCE }, GOVERNOR_PERFORMANCE,
                                "Performance" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct cpu_freq f;
                struct fail fail = { 0 };
                if (cpu_freq_parse(rows[i].text, &f, &fail) < 0)
                        fail_msg("%s: %s", rows[i].text, fail.text);
                assert_int_equal(f.min, rows[i].f.min);
                assert_int_equal(f.max, rows[i].f.max);
                assert_int_equal(f.governor, rows[i].f.governor);
                assert_int_equal(cpu_freq_governor(&f), rows[i].sets);
                _cleanup_free_ char *text = cpu_freq_text(&f);
                assert_string_equal(text, rows[i].again);
        }
}

static void what_is_wrong_is_named(void **state) {
        static const struct {
                const char *text, *said;
        } rows[] = {
                { "", "unrecognized --cpu-freq argument \"\"" },
                { "fast", "unrecognized --cpu-freq argument \"fast\"" },
                { "0", "unrecognized --cpu-freq argument \"0\"" },
                { "4294967295", "unrecognized --cpu-freq argument" },
                { "low-fast", "unrecognized --cpu-freq argument \"fast\"" },
                { "ondemand-high", "unrecognized --cpu-freq argument \"ondemand\"" },
                { "ondemand:performance", "governor cannot be specified twice" },
                { "low:ondemand", "gov on cpu-freq (low) illegal without max" },
                { "low-high:fast", "illegal governor: fast on --cpu-freq" },
                { "low-high:userspace", "UserSpace has one frequency, not a range" },
                { "high-low", "min cpu-freq (high) must be < max cpu-freq (low)" },
                { "2000000-2000000", "must be <" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct cpu_freq f = { 1, 1, 1 };
                struct fail fail = { 0 };
                assert_true(cpu_freq_parse(rows[i].text, &f, &fail) < 0);
                if (!strstr(fail.text, rows[i].said))
                        fail_msg("%s: %s", rows[i].text, fail.text);
                assert_true(!f.min && !f.max && !f.governor);
        }
}

static void governors_are_allowed(void **state) {
        struct cpu_freq f;
        struct fail fail = { 0 };
        unsigned some;

        (void)state;
        assert_int_equal(cpu_governors_parse("ondemand, SchedUtil", &some, &fail), 0);
        assert_int_equal(some, 1u << GOVERNOR_ONDEMAND | 1u << GOVERNOR_SCHEDUTIL);
        assert_int_equal(cpu_freq_parse("low-high:ondemand", &f, &fail), 0);
        assert_int_equal(cpu_freq_allowed(&f, some, &fail), 0);
        assert_int_equal(cpu_freq_parse("low-high", &f, &fail), 0);
        assert_int_equal(cpu_freq_allowed(&f, some, &fail), 0);
        assert_int_equal(cpu_freq_parse("low", &f, &fail), 0);
        assert_int_equal(cpu_freq_allowed(&f, some, &fail), -EACCES);
        assert_non_null(strstr(fail.text, "governor of UserSpace is not allowed in slurm.conf"));
        assert_int_equal(cpu_governors_parse("ondemand,turbo", &some, &fail), -EINVAL);
        assert_non_null(strstr(fail.text, "\"turbo\""));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_asked_is_read),
                cmocka_unit_test(what_is_wrong_is_named),
                cmocka_unit_test(governors_are_allowed),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
