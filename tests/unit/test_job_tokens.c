/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/model/job.h"
#include "controller/model/job_tokens.h"

#define MANY 1000

static void each_is_found_by_its_owner(void **state) {
        _cleanup_free_ struct job *jobs = xnew0(struct job, MANY);
        _cleanup_(job_tokens_freep) struct job_tokens *t = job_tokens_new();

        (void)state;
        assert_null(job_tokens_find(t, 1, 0));
        for (uint32_t i = 0; i < MANY; i++) {
                jobs[i].uid = i % 3;
                jobs[i].asked.token = (uint64_t)(i / 3 + 1) << (i % 2 ? 40 : 0);
                job_tokens_insert(t, &jobs[i]);
        }
        for (uint32_t i = 0; i < MANY; i++)
                assert_ptr_equal(job_tokens_find(t, jobs[i].asked.token, jobs[i].uid), &jobs[i]);
        assert_null(job_tokens_find(t, jobs[0].asked.token, 7));
        for (uint32_t i = 0; i < MANY; i += 2)
                job_tokens_remove(t, &jobs[i]);
        for (uint32_t i = 0; i < MANY; i++)
                assert_ptr_equal(job_tokens_find(t, jobs[i].asked.token, jobs[i].uid),
                                i % 2 ? &jobs[i] : NULL);
}

static void others_are_not_in_it(void **state) {
        struct job batch = { .asked = { .batch = true, .token = 5 } }, none = { 0 };
        _cleanup_(job_tokens_freep) struct job_tokens *t = job_tokens_new();

        (void)state;
        job_tokens_insert(t, &batch);
        job_tokens_insert(t, &none);
        assert_null(job_tokens_find(t, 5, 0));
        assert_null(job_tokens_find(t, 0, 0));
        job_tokens_remove(t, &batch);
        job_tokens_remove(t, &none);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_is_found_by_its_owner),
                cmocka_unit_test(others_are_not_in_it),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
