/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/subset.h"
#include "proto/slumber.pb-c.h"

enum {
        ID = 1,
        SPEC = 2,
        UID = 3,
        USER = 5,
        SPEC_NAME = 1,
};

/* What a reader gets of a job that was packed with these fields of it and of its specification. */
static Slumber__Job *sent(const uint32_t *numbers, size_t n, const uint32_t *spec_numbers,
                size_t n_spec) {
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        Slumber__Job job = SLUMBER__JOB__INIT;
        uint8_t data[256];

        job.id = 7;
        job.uid = 9;
        job.user = (char *)"root";
        job.spec = &spec;
        spec.name = (char *)"two";
        spec.partition = (char *)"main";
        struct subset *of_job = subset_new(&slumber__job__descriptor, numbers, n);
        struct subset *of_spec = subset_new(&slumber__job_spec__descriptor, spec_numbers, n_spec);
        job.base.descriptor = subset_kind(of_job);
        spec.base.descriptor = subset_kind(of_spec);
        size_t size = protobuf_c_message_pack(&job.base, data);
        assert_int_equal(protobuf_c_message_get_packed_size(&job.base), size);
        subset_free(of_job);
        subset_free(of_spec);
        return slumber__job__unpack(NULL, size, data);
}

static void only_what_is_named_is_packed(void **state) {
        Slumber__Job *job = sent((uint32_t[]){ SPEC, USER }, 2, (uint32_t[]){ SPEC_NAME }, 1);

        assert_int_equal(job->id, 0);
        assert_int_equal(job->uid, 0);
        assert_string_equal(job->user, "root");
        assert_string_equal(job->spec->name, "two");
        assert_string_equal(job->spec->partition, "");
        slumber__job__free_unpacked(job, NULL);
}

static void nothing_named_is_all(void **state) {
        Slumber__Job *job = sent(NULL, 0, NULL, 0);

        assert_int_equal(job->id, 7);
        assert_string_equal(job->spec->partition, "main");
        slumber__job__free_unpacked(job, NULL);
}

static void what_is_no_field_is_passed_over(void **state) {
        Slumber__Job *job = sent((uint32_t[]){ UINT32_MAX, 0, 1023, 1024, UID, UID, 6000 }, 7, NULL,
                        0);

        assert_int_equal(job->uid, 9);
        assert_int_equal(job->id, 0);
        assert_null(job->spec);
        slumber__job__free_unpacked(job, NULL);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(only_what_is_named_is_packed),
                cmocka_unit_test(nothing_named_is_all),
                cmocka_unit_test(what_is_no_field_is_passed_over),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
