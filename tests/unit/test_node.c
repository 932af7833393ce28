/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/job.h"
#include "controller/model/node.h"
#include "tests/unit/test.h"

static void every_pair_of_the_table(void **state) {
        /* Written out once more: what is not here must be refused. */
        static const enum node_power legal[NODE_POWER_MAX][NODE_EVENT_MAX] = {
                [NODE_ON] = { [NODE_SUSPENDED] = NODE_POWERING_DOWN,
                                [NODE_REGISTERED] = NODE_ON,
                                [NODE_GIVEN_UP] = NODE_POWERED_DOWN },
                [NODE_POWERING_DOWN] = { [NODE_SETTLED] = NODE_POWERED_DOWN,
                                [NODE_REGISTERED] = NODE_ON,
                                [NODE_SUSPEND_FAILED] = NODE_ON,
                                [NODE_GIVEN_UP] = NODE_POWERED_DOWN,
                                [NODE_TAKEN_FOR_ON] = NODE_ON },
                [NODE_POWERED_DOWN] = { [NODE_SUSPENDED] = NODE_POWERING_DOWN,
                                [NODE_RESUMED] = NODE_POWERING_UP,
                                [NODE_REGISTERED] = NODE_ON,
                                [NODE_SUSPEND_FAILED] = NODE_ON,
                                [NODE_SWITCHED_ON] = NODE_POWERING_UP,
                                [NODE_TAKEN_FOR_ON] = NODE_ON },
                [NODE_POWERING_UP] = { [NODE_SUSPENDED] = NODE_POWERING_DOWN,
                                [NODE_RESUMED] = NODE_POWERING_UP,
                                [NODE_REGISTERED] = NODE_ON,
                                [NODE_BOOT_EXPIRED] = NODE_POWERED_DOWN,
                                [NODE_BOOT_FAILED] = NODE_POWERED_DOWN,
                                [NODE_GIVEN_UP] = NODE_POWERED_DOWN,
                                [NODE_TAKEN_FOR_ON] = NODE_ON },
        };

        for (int from = NODE_ON; from < NODE_POWER_MAX; from++)
                for (int event = 0; event < NODE_EVENT_MAX; event++) {
                        struct node_move m = { .to = NODE_POWER_NONE };
                        int r = node_power_step((enum node_power)from, (enum node_event)event, &m);
                        assert_int_equal(r, legal[from][event] ? 0 : -EPROTO);
                        assert_int_equal(m.to, legal[from][event]); /* untouched when refused */
                }
}

static void only_a_boot_that_failed_goes_down(void **state) {
        for (int from = NODE_ON; from < NODE_POWER_MAX; from++)
                for (int event = 0; event < NODE_EVENT_MAX; event++) {
                        struct node_move m;
                        if (node_power_step((enum node_power)from, (enum node_event)event, &m) == 0)
                                assert_int_equal(!!(m.effects & NODE_FX_DOWN),
                                                event == NODE_BOOT_EXPIRED);
                }
}

static void the_words_of_each_state(void **state) {
        static const struct {
                enum node_base base;
                enum node_power power;
                unsigned flags;
                uint32_t used; /* of 4 CPUs */
                bool completing;
                const char *text, *shorter, *longer;
        } rows[] = {
                /* semantics, "display" */
                { NODE_IDLE, NODE_ON, 0, 0, false, "IDLE", "idle", "idle" },
                { NODE_IDLE, NODE_ON, 0, 2, false, "MIXED", "mix", "mixed" },
                { NODE_IDLE, NODE_ON, 0, 4, false, "ALLOCATED", "alloc", "allocated" },
                { NODE_IDLE, NODE_ON, 0, 4, true, "ALLOCATED+COMPLETING", "alloc+", "allocated+" },
                { NODE_IDLE, NODE_ON, 0, 0, true, "IDLE+COMPLETING", "comp", "completing" },
                { NODE_IDLE, NODE_POWERED_DOWN, NODE_CLOUD, 0, false, "IDLE+CLOUD+POWERED_DOWN",
                                "idle~", "idle~" },
                { NODE_IDLE, NODE_POWERING_UP, NODE_CLOUD | NODE_NOT_RESPONDING, 4, false,
                                "ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP", "alloc#",
                                "allocated#" },
                { NODE_IDLE, NODE_POWERING_UP, NODE_NOT_RESPONDING, 1, false,
                                "MIXED+NOT_RESPONDING+POWERING_UP", "mix#", "mixed#" },
                { NODE_IDLE, NODE_POWERING_DOWN, NODE_CLOUD, 0, false, "IDLE+CLOUD+POWERING_DOWN",
                                "idle%", "idle%" },
                { NODE_IDLE, NODE_ON, NODE_POWER_DOWN_WANTED, 4, false, "ALLOCATED+POWER_DOWN",
                                "alloc!", "allocated!" },
                { NODE_IDLE, NODE_ON, NODE_POWER_DOWN_WANTED, 0, false, "IDLE+POWER_DOWN", "idle!",
                                "idle!" },
                { NODE_IDLE, NODE_ON, NODE_POWER_DOWN_WANTED | NODE_DRAIN | NODE_POWER_DRAIN, 4,
                                false, "ALLOCATED+DRAIN+POWER_DOWN", "drng!", "draining!" },
                { NODE_IDLE, NODE_ON, NODE_POWER_DOWN_WANTED | NODE_DRAIN | NODE_POWER_DRAIN, 0,
                                false, "IDLE+DRAIN+POWER_DOWN", "drain!", "drained!" },
                { NODE_DOWN, NODE_POWERED_DOWN, NODE_CLOUD, 0, false, "DOWN+CLOUD+POWERED_DOWN",
                                "down~", "down~" },
                { NODE_DOWN, NODE_ON, NODE_NOT_RESPONDING, 0, false, "DOWN+NOT_RESPONDING", "down*",
                                "down*" },
                { NODE_DOWN, NODE_ON, NODE_DRAIN, 0, false, "DOWN+DRAIN", "drain", "drained" },
                { NODE_IDLE, NODE_ON, NODE_FAIL, 0, false, "IDLE+FAIL", "fail", "fail" },
                { NODE_IDLE, NODE_ON, NODE_FAIL, 4, false, "ALLOCATED+FAIL", "failg", "failing" },
                { NODE_IDLE, NODE_ON, NODE_INVALID_REG | NODE_DRAIN, 0, false,
                                "IDLE+DRAIN+INVALID_REG", "inval", "inval" },
                { NODE_FUTURE, NODE_ON, 0, 0, false, "FUTURE", "futr", "future" },
                { NODE_UNKNOWN, NODE_ON, 0, 0, false, "UNKNOWN", "unk", "unknown" },
                { NODE_IDLE, NODE_POWERED_DOWN, NODE_POWER_UP_WANTED, 0, false,
                                "IDLE+POWER_UP+POWERED_DOWN", "idle~", "idle~" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct job j = { .state = JOB_COMPLETED, .completing = true }, *jobs[] = { &j };
                struct node n = { .base = rows[i].base,
                        .power = rows[i].power,
                        .flags = rows[i].flags,
                        .cpus_used = rows[i].used,
                        .configured.cpus = 4,
                        .jobs = jobs,
                        .n_jobs = rows[i].completing };
                _cleanup_free_ char *text = node_state_text(&n), *shorter = node_state_short(&n),
                                    *longer = node_state_long(&n);
                assert_string_equal(text, rows[i].text);
                assert_string_equal(shorter, rows[i].shorter);
                assert_string_equal(longer, rows[i].longer);
        }
}

static void health_checks_tell_states_apart(void **state) {
        static const struct {
                enum node_base base;
                unsigned flags;
                uint32_t used; /* of 4 CPUs */
                unsigned states;
        } rows[] = {
                { NODE_IDLE, 0, 0, HEALTH_IDLE | HEALTH_NONDRAINED_IDLE },
                { NODE_IDLE, NODE_DRAIN, 0, HEALTH_IDLE },
                { NODE_IDLE, 0, 2, HEALTH_BUSY | HEALTH_MIXED },
                { NODE_IDLE, NODE_DRAIN, 4, HEALTH_BUSY | HEALTH_ALLOC },
                { NODE_DOWN, 0, 0, 0 },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct node n = { .base = rows[i].base,
                        .power = NODE_ON,
                        .flags = rows[i].flags,
                        .cpus_used = rows[i].used,
                        .configured.cpus = 4 };
                assert_int_equal(node_health_states(&n), rows[i].states);
        }
}

static void a_planned_node_says_so_unless_more_is_to_be_said(void **state) {
        static const struct {
                enum node_base base;
                enum node_power power;
                unsigned flags;
                uint32_t used; /* of 4 CPUs */
                const char *text, *shorter;
        } rows[] = {
                /* semantics, "display"; IDLE+PLANNED and MIXED+PLANNED, never ALLOCATED: seen on
                   real clusters */
                { NODE_IDLE, NODE_ON, 0, 0, "IDLE+PLANNED", "plnd" },
                { NODE_IDLE, NODE_ON, 0, 2, "MIXED+PLANNED", "mix-" },
                { NODE_IDLE, NODE_ON, 0, 4, "ALLOCATED", "alloc" },
                { NODE_IDLE, NODE_ON, NODE_DRAIN, 0, "IDLE+DRAIN", "drain" },
                { NODE_DOWN, NODE_ON, 0, 0, "DOWN", "down" },
                { NODE_IDLE, NODE_ON, NODE_NOT_RESPONDING, 0, "IDLE+NOT_RESPONDING+PLANNED",
                                "idle*" },
                { NODE_IDLE, NODE_ON, NODE_POWER_DOWN_WANTED, 2, "MIXED+POWER_DOWN+PLANNED",
                                "mix!" },
                { NODE_IDLE, NODE_POWERED_DOWN, NODE_CLOUD, 0, "IDLE+CLOUD+POWERED_DOWN+PLANNED",
                                "idle~" },
                { NODE_IDLE, NODE_POWERING_UP, NODE_CLOUD | NODE_NOT_RESPONDING, 2,
                                "MIXED+CLOUD+NOT_RESPONDING+PLANNED+POWERING_UP", "mix#" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct node n = { .base = rows[i].base,
                        .power = rows[i].power,
                        .flags = rows[i].flags,
                        .cpus_used = rows[i].used,
                        .configured.cpus = 4,
                        .planned = true };
                _cleanup_free_ char *text = node_state_text(&n), *shorter = node_state_short(&n);
                assert_string_equal(text, rows[i].text);
                assert_string_equal(shorter, rows[i].shorter);
        }
}

static void owner_given_to_a_job(void **state) {
        static const struct {
                enum node_base base;
                enum node_power power;
                unsigned flags;
                uint32_t used;
                bool yes;
        } rows[] = {
                { NODE_IDLE, NODE_ON, 0, 0, true },
                { NODE_IDLE, NODE_POWERED_DOWN, 0, 0, true },
                { NODE_IDLE, NODE_POWERING_UP, NODE_NOT_RESPONDING, 0, true },
                { NODE_IDLE, NODE_POWERING_DOWN, 0, 0, false },
                { NODE_IDLE, NODE_ON, NODE_NOT_RESPONDING, 0, false },
                { NODE_IDLE, NODE_ON, NODE_POWER_DOWN_WANTED, 0, false },
                { NODE_IDLE, NODE_ON, NODE_POWER_DOWN_WANTED, 1, true },
                { NODE_IDLE, NODE_ON, NODE_DRAIN, 0, false },
                { NODE_IDLE, NODE_ON, NODE_FAIL, 0, false },
                { NODE_DOWN, NODE_ON, 0, 0, false },
                { NODE_UNKNOWN, NODE_ON, 0, 0, false },
                { NODE_FUTURE, NODE_ON, 0, 0, false },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct node n = { .base = rows[i].base,
                        .power = rows[i].power,
                        .flags = rows[i].flags,
                        .cpus_used = rows[i].used };
                assert_int_equal(node_is_schedulable(&n), rows[i].yes);
        }
}

static void strays_keep_a_node_from_being_ready(void **state) {
        struct node n = { .base = NODE_IDLE, .power = NODE_ON, .connected = true };

        assert_true(node_is_ready(&n));
        n.n_strays = 1;
        assert_false(node_is_ready(&n));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_pair_of_the_table),
                cmocka_unit_test(only_a_boot_that_failed_goes_down),
                cmocka_unit_test(the_words_of_each_state),
                cmocka_unit_test(health_checks_tell_states_apart),
                cmocka_unit_test(a_planned_node_says_so_unless_more_is_to_be_said),
                cmocka_unit_test(owner_given_to_a_job),
                cmocka_unit_test(strays_keep_a_node_from_being_ready),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
