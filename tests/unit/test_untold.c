/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One more job in a partition that starts none: a pass looks at that job, not at the queue. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/sched/sched.h"
#include "controller/turn/turn.h"

#define T0 (1700000000 * USEC_PER_SEC)

static const char conf[] = "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nNodeName=n1 CPUs=4\n"
                           "PartitionName=closed Nodes=ALL Default=YES State=DOWN\n"
                           "PartitionName=open Nodes=ALL\n";

static struct job *submit_to(struct cluster *c, const char *partition, uint32_t priority) {
        struct job_spec spec = { .batch = true,
                .partition = (char *)(uintptr_t)partition,
                .num_tasks = 1,
                .min_nodes = 1,
                .priority = priority };
        const struct submitter by = { .user = "root", .group = "root" };
        struct job *j = NULL;

        assert_int_equal(job_admit(c, &spec, &by, T0, &j, NULL), SLUMBER_OK);
        return j;
}

/* So many jobs does the next turn look at. */
static uint64_t looks_of_turn(struct cluster *c) {
        uint64_t before = c->counts.looked;

        turn(c, T0);
        return c->counts.looked - before;
}

static void one_more_job_is_looked_at_alone(void **state) {
        struct cluster *c = cluster_of(conf, T0);

        turn(c, T0);
        for (uint32_t i = 0; i < 100; i++)
                (void)submit_to(c, "closed", 1000);
        assert_int_equal(looks_of_turn(c), 100);
        const struct job *last = submit_to(c, "closed", 1);
        assert_int_equal(looks_of_turn(c), 1);
        assert_int_equal(last->reason, REASON_PARTITION_DOWN);
        const struct job *first = submit_to(c, "closed", 5000);
        const struct job *middle = submit_to(c, "closed", 500);
        assert_int_equal(looks_of_turn(c), 2);
        assert_int_equal(first->reason, REASON_PARTITION_DOWN);
        assert_int_equal(middle->reason, REASON_PARTITION_DOWN);
        cluster_free(c);
}

static void beside_jobs_that_may_start_all_are_looked_at(void **state) {
        struct cluster *c = cluster_of(conf, T0);

        turn(c, T0);
        for (uint32_t i = 0; i < 10; i++)
                (void)submit_to(c, "closed", 1000);
        assert_int_equal(looks_of_turn(c), 10);
        (void)submit_to(c, "open", 1);
        const struct job *last = submit_to(c, "closed", 2);
        assert_true(looks_of_turn(c) >= 2);
        assert_int_equal(last->reason, REASON_PARTITION_DOWN);
        cluster_free(c);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(one_more_job_is_looked_at_alone),
                cmocka_unit_test(beside_jobs_that_may_start_all_are_looked_at),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
