/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "cgroup/memory_rules.h"

#define MB (UINT64_C(1) << 20)

static void limits_are_what_cgroup_conf_says(void **state) {
        static const struct {
                bool ram, swap;
                double allowed_ram, allowed_swap, max_ram, max_swap;
                uint64_t mb;
                uint64_t memory, soft, beside; /* MB of what comes of it */
        } cases[] = {
                { false, false, 100, 50, 50, 50, 64, 0, 0, 0 },
                { true, false, 100, 50, 100, 100, 64, 64, 0, 0 },
                { true, false, 100, 0, 100, 100, 0, 0, 0, 0 }, /* all that there is */
                { true, false, 100, 0, 50, 100, 0, 500, 0, 0 },
                { true, false, 100, 0, 50, 100, 600, 500, 0, 0 },
                { true, false, 125, 0, 100, 100, 64, 80, 64, 0 },
                { true, false, 50, 0, 100, 100, 128, 64, 0, 0 },
                { true, false, 100, 0, 100, 100, 5, 30, 0, 0 }, /* MinRAMSpace */
                { true, false, 200, 0, 100, 100, 20, 40, 30, 0 },
                { true, true, 100, 50, 100, 100, 64, 64, 0, 32 },
                { true, true, 100, 12.5, 100, 100, 64, 64, 0, 8 },
                { true, true, 100, 0, 100, 100, 64, 64, 0, 0 },
                { true, true, 100, 50, 100, 80, 600, 600, 0, 200 }, /* MaxSwapPercent */
                { true, true, 100, 50, 100, 50, 600, 600, 0, 0 },
                { true, true, 100, 50, 100, 100, 0, 1000, 0, 0 },
                { false, true, 100, 50, 100, 100, 64, 96, 0, 0 },
                { false, true, 125, 50, 100, 100, 64, 112, 0, 0 },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct memory_rules r;
                struct cg_limits l = { 0 };

                memory_rules_init(&r);
                assert_int_equal(r.min, 30);
                r.ram = cases[i].ram;
                r.swap = cases[i].swap;
                r.allowed_ram = cases[i].allowed_ram;
                r.allowed_swap = cases[i].allowed_swap;
                r.max_ram = cases[i].max_ram;
                r.max_swap = cases[i].max_swap;
                r.total = 1000;
                memory_rules_limit(&r, cases[i].mb, &l);
                if (l.memory != cases[i].memory * MB || l.soft != cases[i].soft * MB ||
                                l.swap != cases[i].beside * MB || l.limit_swap != cases[i].swap)
                        fail_msg("case %zu: %llu, %llu, %llu", i,
                                        (unsigned long long)(l.memory / MB),
                                        (unsigned long long)(l.soft / MB),
                                        (unsigned long long)(l.swap / MB));
        }
}

static void swappiness_goes_with_swap(void **state) {
        struct memory_rules r;
        struct cg_limits l = { 0 };

        (void)state;
        memory_rules_init(&r);
        r.ram = r.set_swappiness = true;
        r.swappiness = 7;
        memory_rules_limit(&r, 64, &l);
        assert_false(l.set_swappiness);
        r.swap = true;
        memory_rules_limit(&r, 64, &l);
        assert_true(l.set_swappiness);
        assert_int_equal(l.swappiness, 7);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(limits_are_what_cgroup_conf_says),
                cmocka_unit_test(swappiness_goes_with_swap),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
