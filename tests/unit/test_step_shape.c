/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step asks of a node is compared with what its job has there. */
#include "tests/unit/test.h"

#include "controller/model/node.h"
#include "controller/steps/step_request.h"
#include "controller/steps/step_shape.h"

#define SOCKETS 2
#define CORES   4 /* of a socket */
#define THREADS 2

struct fixture {
        struct node node;
        struct job_node alloc;
        struct job job;
        Slumber__StepSpec spec;
};

/* The job has so many cores on each socket. */
static void begin(struct fixture *f, uint32_t first, uint32_t second) {
        *f = (struct fixture){ .spec = SLUMBER__STEP_SPEC__INIT };
        f->node.units = SOCKETS * CORES;
        f->node.cpus_per_unit = THREADS;
        f->node.configured = (struct node_hardware){ .boards = 1,
                .sockets = SOCKETS,
                .cores = CORES,
                .threads = THREADS,
                .tmp_disk = 50 };
        f->alloc.node = &f->node;
        f->alloc.cpus = (first + second) * THREADS;
        f->job.placed.alloc = &f->alloc;
        f->job.placed.n_alloc = 1;
        f->job.placed.units = bitset_new(SOCKETS * CORES);
        for (uint32_t i = 0; i < first; i++)
                bitset_add(f->job.placed.units, i);
        for (uint32_t i = 0; i < second; i++)
                bitset_add(f->job.placed.units, CORES + i);
}

static bool fits(const struct fixture *f) {
        return step_shape_fits(&f->job, &f->spec, 0);
}

static void the_jobs_sockets_count(void **state) {
        struct fixture f;

        (void)state;
        begin(&f, 3, 1);
        assert_true(fits(&f));
        f.spec.sockets_per_node = 2;
        assert_true(fits(&f));
        f.spec.cores_per_socket = 2;
        assert_false(fits(&f));
        f.spec.sockets_per_node = 0;
        f.spec.cores_per_socket = 3;
        assert_true(fits(&f));
        f.spec.cores_per_socket = 4; /* the node's, not the job's */
        assert_false(fits(&f));
        bitset_free(f.job.placed.units);
}

static void cpus_threads_and_disk_count(void **state) {
        struct fixture f;

        (void)state;
        begin(&f, 2, 0);
        f.spec.min_cpus_node = 4;
        f.spec.tmp_disk = 50;
        f.spec.threads_per_core = 2;
        assert_true(fits(&f));
        f.spec.min_cpus_node = 5;
        assert_false(fits(&f));
        f.spec.min_cpus_node = 0;
        f.spec.tmp_disk = 51;
        assert_false(fits(&f));
        f.spec.tmp_disk = 0;
        f.job.asked.threads_per_core = 1;
        assert_false(fits(&f));
        assert_int_equal(step_threads(&f.job, 0), 1);
        bitset_free(f.job.placed.units);
}

static void tasks_are_limited_by_core_and_socket(void **state) {
        struct fixture f;

        (void)state;
        begin(&f, 3, 1);
        assert_int_equal(step_tasks_in(&f.job, &f.spec, 0, 8), 8);
        f.spec.threads_per_core = 1;
        assert_int_equal(step_tasks_in(&f.job, &f.spec, 0, 8), 4);
        f.spec.exact = true;
        assert_int_equal(step_cpus(&f.job, &f.spec, 0, 3), 6);
        f.spec.cpus_per_task = 3;
        assert_int_equal(step_tasks_in(&f.job, &f.spec, 0, 8), 1);
        f.spec.threads_per_core = 0;
        f.spec.cpus_per_task = 1;
        assert_int_equal(step_cpus(&f.job, &f.spec, 0, 3), 3);
        f.spec.ntasks_per_core = 1;
        assert_int_equal(step_tasks_in(&f.job, &f.spec, 0, 8), 4);
        assert_int_equal(step_cpus(&f.job, &f.spec, 0, 3), 6);
        f.spec.ntasks_per_socket = 1;
        assert_int_equal(step_tasks_in(&f.job, &f.spec, 0, 8), 2);
        bitset_free(f.job.placed.units);
}

static void errors_of_all_tasks_go_to_srun(void **state) {
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;

        (void)state;
        spec.std_out = (char *)"f.%t";
        assert_true(step_request_to_files(&spec)); /* errors with it */
        spec.std_err = (char *)"e.%t";
        assert_true(step_request_to_files(&spec));
        spec.std_err = (char *)"all";
        assert_false(step_request_to_files(&spec));
        spec.std_err = (char *)"1";
        assert_false(step_request_to_files(&spec));
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_jobs_sockets_count),
                cmocka_unit_test(cpus_threads_and_disk_count),
                cmocka_unit_test(tasks_are_limited_by_core_and_socket),
                cmocka_unit_test(errors_of_all_tasks_go_to_srun),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
