/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/step/gpubind.h"

/* "0 1 0 1": of so many GPUs, what each of four tasks has. */
static void tasks_have(const char *text, size_t gpus, const char *wanted) {
        _cleanup_free_ char *seen = xstrdup("");
        struct fail fail = { 0 };
        _cleanup_(gpu_bind_freep) struct gpu_bind *b = NULL;

        if (gpu_bind_parse(text, &b, &fail) < 0)
                fail_msg("%s: %s", text, fail.text);
        for (size_t task = 0; task < 4; task++) {
                _cleanup_free_ char *own = xstrdup("");
                for (size_t at = 0; at < gpus; at++)
                        if (gpu_bind_has(b, task, at, gpus, at)) {
                                _cleanup_free_ char *before = own;
                                own = xasprintf("%s%zu", before, at);
                        }
                _cleanup_free_ char *before = seen;
                seen = xasprintf("%s%s%s", before, *before ? " " : "", *own ? own : "-");
        }
        assert_string_equal(seen, wanted);
}

static void tasks_are_bound_as_slurm_binds_them(void **state) {
        tasks_have("none", 2, "- - - -");
        tasks_have("closest", 2, "01 01 01 01");
        tasks_have("single:1", 2, "0 1 0 1");
        tasks_have("single:2", 2, "0 0 1 1");
        tasks_have("single:3", 2, "0 0 0 1");
        tasks_have("per_task:1", 2, "0 1 - -");
        tasks_have("per_task:2", 4, "01 23 - -");
        tasks_have("per_task:3", 2, "01 - - -");
        tasks_have("map_gpu:0,1", 2, "0 1 0 1");
        tasks_have("map_gpu:3,2,1,0", 2, "- - 1 0");
        tasks_have("map_gpu:0*2,1*2", 2, "0 0 1 1");
        tasks_have("mask_gpu:0x3,2", 2, "01 1 01 1");
        tasks_have("verbose,MASK_GPU:F", 4, "0123 0123 0123 0123");
}

static void what_is_no_binding_is_refused(void **state) {
        static const char *const bad[] = { "", "bogus", "none2", "single", "single:", "single:0",
                "single:x", "per_task:0", "map_gpu:", "map_gpu:x", "map_gpu:0x1", "map_gpu:1,",
                "map_gpu:1*0", "map_gpu:1*2000", "map_gpu:1024", "mask_gpu:", "mask_gpu:0x",
                "mask_gpu:g", "mask_gpu:11112222333344445", "verbose", "verbose,", "quiet,none" };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct gpu_bind *b = NULL;
                struct fail fail = { 0 };

                assert_int_equal(gpu_bind_parse(bad[i], &b, &fail), -EINVAL);
                assert_null(b); /* untouched */
                assert_non_null(strstr(fail.text, "was expected"));
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(tasks_are_bound_as_slurm_binds_them),
                cmocka_unit_test(what_is_no_binding_is_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
