/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/hardware/hardware.h"

static void a_boot_is_known_to_less_than_its_second(void **state) {
        usec_t clock = now_realtime() - now_boottime(), told = hardware_boot_time(),
               apart = MAX(clock, told) - MIN(clock, told);

        (void)state;
        if (apart > 2 * USEC_PER_SEC)
                skip(); /* a container that is younger than its host */
        assert_true(apart < 50 * USEC_PER_MSEC);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_boot_is_known_to_less_than_its_second),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
