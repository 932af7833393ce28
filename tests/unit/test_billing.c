/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/resources/billing.h"
#include "tests/unit/test.h"

static void weights_add_up_or_the_dearest_counts(void **state) {
        static const struct {
                const char *weights;
                unsigned flags;
                double cost;
        } rows[] = {
                /* as a Slurm bills 2 CPUs, 1000 MB, 2 GPUs and a license */
                { "", 0, 2 },
                { "CPU=1.0,Mem=0.25G,GRES/gpu=2.0", 0, 2 + 1000.0 / 1024 / 4 + 4 },
                { "CPU=1.0,Mem=0.25M,GRES/gpu=2.0,license/x=7", PRIORITY_MAX_TRES, 257 },
                { "cpu=1,mem=0.001,gres/gpu=2,license/x=7", PRIORITY_MAX_TRES, 11 },
                { "cpu=1,mem=0.001,gres/gpu=2,license/x=7", PRIORITY_MAX_TRES_GRES, 13 },
                { "Mem=1K", 0, 1024000 },
                { "Node=3,mem=2T", 0, 3 + 2000.0 / 1024 / 1024 },
                { "CPU=3,gres/gpu=-1.5,license/x=-1", 0, 2 },
                { "CPU=-1,Node=1", 0, 0 },
                { "CPU=-1", PRIORITY_MAX_TRES, 0 },
                { "CPU=-1,Node=4", PRIORITY_MAX_TRES, 4 },
        };
        struct tres_names names = { 0 };
        struct tres_set set = {
                .of = { [TRES_CPU] = 2, [TRES_MEM] = 1000, [TRES_NODE] = 1, [TRES_BILLING] = 99 },
        };

        assert_int_equal(tres_names_add(&names, "gres/gpu,license/x", NULL), 0);
        set.of[tres_find(&names, "gres/gpu")] = 2;
        set.of[tres_find(&names, "license/x")] = 1;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct billing b;
                assert_int_equal(billing_parse(&names, rows[i].weights, &b, NULL), 0);
                double cost = billing_of(&b, &names, &set, rows[i].flags), wanted = rows[i].cost;
                if (cost < wanted - 1e-9 || cost > wanted + 1e-9)
                        fail_msg("%s: %f, not %f", rows[i].weights, cost, wanted);
        }
        tres_names_done(&names);
}

static void words_that_are_none_are_named(void **state) {
        static const char *const bad[] = {
                "cpu",
                "cpu=",
                "cpu=x",
                "cpu=--1",
                "cpu=-2e9",
                "cpu=1G",
                "mem=1X",
                "mem=1GB",
                "gres/gpu=1",
                "billing=1",
                "cpu=inf",
                "cpu=1,=2",
        };
        struct tres_names names = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                struct billing b;
                if (billing_parse(&names, bad[i], &b, &fail) >= 0)
                        fail_msg("%s is taken", bad[i]);
                assert_non_null(strstr(fail.text, "TRESBillingWeights"));
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(weights_add_up_or_the_dearest_counts),
                cmocka_unit_test(words_that_are_none_are_named),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
